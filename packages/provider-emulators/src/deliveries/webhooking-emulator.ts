import type { Faults, TransportFault } from "../faults.js";
import type { AttemptResult, Delivery, DeliveryTricks, Duplicates } from "./delivery.js";

/** The common interface of emulators that send webhooks. */
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
  /** Delivers a message again in any state, because providers deliver at least once. */
  duplicate(id: string, options?: Duplicates): Promise<AttemptResult>;
  /** Retries every waiting message now. */
  retryNow(): Promise<void>;
  /** Resolves when no message waits for an attempt or a reply. */
  settled(): Promise<void>;
  pointAt(application: string): void;
  close(): Promise<void>;
}
