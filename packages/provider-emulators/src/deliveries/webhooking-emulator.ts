import type { Faults, TransportFault } from "../faults.js";
import type { AttemptResult, Delivery, DeliveryTricks, Duplicates } from "./delivery.js";

/** What the emulators have in common that send webhooks. */
export interface WebhookingEmulator {
  readonly url: string;
  readonly faults: Faults<TransportFault>;
  readonly tricks: DeliveryTricks;
  deliveries(): readonly Delivery[];
  /**
   * Sends a message again, as the provider's dashboard does.
   * @throws RedeliveryRefusal when the provider does not send this message again.
   */
  redeliver(id: string): Promise<AttemptResult>;
  /** Delivers a message once more, acknowledged or not, because providers deliver at least once. */
  duplicate(id: string, options?: Duplicates): Promise<AttemptResult>;
  /** Makes the next attempt of every waiting message now, without its pause. */
  retryNow(): Promise<void>;
  /** Resolves when no delivery waits for an attempt or an answer. */
  settled(): Promise<void>;
  pointAt(application: string): void;
  close(): Promise<void>;
}
