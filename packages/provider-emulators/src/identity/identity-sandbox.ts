import type { Faults, TransportFault } from "../faults.js";
import type { Delivery, DeliveryTricks } from "../webhook-sender.js";
import type { Person, PersonFields } from "./people.js";
import type { TokenOptions } from "./tokens.js";

export interface NewPerson extends PersonFields {
  /** Unless told, a new `user_…`. A known id updates that person instead. */
  id?: string | undefined;
  /** false keeps the change to the stand-in: no event is sent. */
  webhook?: boolean | undefined;
}

/** The identity provider's stand-in: accounts, session tokens, Backend API and signed `user.*` webhooks. */
export interface IdentitySandbox {
  readonly url: string;
  /** Creates a person (or updates the one with this id) and sends `user.created` (or `user.updated`). */
  createUser(person: NewPerson): Promise<Person>;
  /** @throws when there is no such person. */
  updateUser(id: string, fields: PersonFields): Promise<Person>;
  /** Removes the person and sends `user.deleted`. @throws when there is no such person. */
  deleteUser(id: string): Promise<void>;
  user(id: string): Person | undefined;
  /** Oldest first. */
  users(): readonly Person[];
  /** A session token for any user id, known here or not; the role is the one in the user's metadata unless told. */
  issueToken(userId: string, options?: TokenOptions): string;
  /** svix headers for a body, for tests that post their own events. `timestamp` is now unless told. */
  signWebhook(body: string | Buffer, options?: { id?: string; timestamp?: Date }): Record<string, string>;
  readonly faults: Faults<TransportFault>;
  readonly tricks: DeliveryTricks;
  deliveries(): readonly Delivery[];
  redeliver(id: string): Promise<{ status: number | null; answer: string }>;
  /** Resolves when no delivery waits for an attempt or an answer. */
  settled(): Promise<void>;
  pointAt(application: string): void;
  close(): Promise<void>;
}
