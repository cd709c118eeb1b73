import type { WebhookingEmulator } from "../deliveries/webhooking-emulator.js";
import type { TokenOptions } from "./tokens.js";
import type { User, UserFields } from "./users.js";

export interface NewUser extends UserFields {
  /** Unless told, a new `user_…`. A known id updates that user instead. */
  id?: string | undefined;
  /** false keeps the change to the emulator: no event is sent. */
  webhook?: boolean | undefined;
}

/** The identity provider's emulator: accounts, session tokens, Backend API and signed `user.*` webhooks. */
export interface IdentityEmulator extends WebhookingEmulator {
  /** Creates a user (or updates the one with this id) and sends `user.created` (or `user.updated`). */
  createUser(user: NewUser): Promise<User>;
  /** @throws when there is no such user. */
  updateUser(id: string, fields: UserFields): Promise<User>;
  /** Removes the user and sends `user.deleted`. @throws when there is no such user. */
  deleteUser(id: string): Promise<void>;
  user(id: string): User | undefined;
  /** Oldest first. */
  users(): readonly User[];
  /** A session token for any user id, known here or not; the role is the one in the user's metadata by default. */
  issueToken(userId: string, options?: TokenOptions): string;
  /** svix headers for a body, for tests that post their own events. `timestamp` is now by default. */
  signWebhook(body: string | Buffer, options?: { id?: string; timestamp?: Date }): Record<string, string>;
  /** Where `GET /dev/console` leads. */
  showConsole(url: string): void;
}
