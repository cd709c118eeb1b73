import type { WebhookingEmulator } from "../deliveries/webhooking-emulator.js";
import type { TokenOptions } from "./tokens.js";
import type { User, UserFields } from "./users.js";

export interface NewUser extends UserFields {
  /** Id of the user, by default a new `user_…`. A known id updates that user. */
  id?: string | undefined;
  /** False sends no event. */
  webhook?: boolean | undefined;
}

/** Clerk's emulator: accounts, session tokens, Backend API and signed `user.*` webhooks. */
export interface ClerkEmulator extends WebhookingEmulator {
  /** Creates a user (or updates the one with this id) and sends `user.created` (or `user.updated`). */
  createUser(user: NewUser): Promise<User>;
  /** Updates a user. @throws Error when there is no such user. */
  updateUser(id: string, fields: UserFields): Promise<User>;
  /** Removes a user and sends `user.deleted`. @throws Error when there is no such user. */
  deleteUser(id: string): Promise<void>;
  user(id: string): User | undefined;
  /** Lists users, oldest first. */
  users(): readonly User[];
  /**
   * Issues a session token for any user id, even an unknown one. The role defaults to the role in the user's metadata.
   */
  issueToken(userId: string, options?: TokenOptions): string;
  /** Builds svix headers for a body, for tests that send their own events. `timestamp` defaults to now. */
  signWebhook(body: string | Uint8Array, options?: { id?: string; timestamp?: Date }): Record<string, string>;
  /** Sets the target of `GET /dev/console`. */
  showConsole(url: string): void;
}
