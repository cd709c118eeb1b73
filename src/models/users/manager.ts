import type { KeyUse } from "./api-key.js";

/** Who manages something: an administrator everything, an educator their own. */
export interface Manager {
  readonly userId: string;
  readonly role: "admin" | "educator";
  readonly requestId: string;
  /** Set when a program acts with an API key. */
  readonly key?: KeyUse | undefined;
}

/** Who acts, for an audit entry. */
export const actorOf = ({ userId, requestId, key }: Omit<Manager, "role">) => ({
  actorId: userId,
  requestId,
  keyId: key?.id,
});
