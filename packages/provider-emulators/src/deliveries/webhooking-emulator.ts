import type { Faults, TransportFault } from "../faults.js";
import type { AttemptResult, Delivery, DeliveryTricks, Redelivery } from "./delivery.js";

/** What the emulators have in common that send webhooks. */
export interface WebhookingEmulator {
  readonly url: string;
  readonly faults: Faults<TransportFault>;
  readonly tricks: DeliveryTricks;
  deliveries(): readonly Delivery[];
  redeliver(id: string, options?: Redelivery): Promise<AttemptResult>;
  /** Resolves when no delivery waits for an attempt or an answer. */
  settled(): Promise<void>;
  pointAt(application: string): void;
  close(): Promise<void>;
}
