import type { Deps } from "../../deps.js";
import { type ApiKey, findKeyByPrefix, recordKeyUse } from "../../models/users/api-key.js";
import type { KeyViewer } from "../../models/users/user.js";
import { isSecretOf } from "./key-secret.js";

/** `lastUsedAt` is at most this much older than the last use. */
const useIntervalMs = 60_000;

/** Creates a function that finds whom a secret speaks for; undefined for a secret that no key has now. */
export function createKeyFinder({
  db,
  log,
}: Pick<Deps, "db" | "log">): (sent: { secret: string; prefix: string }) => Promise<KeyViewer | undefined> {
  /** Records the use of a key, at most once a minute. No request waits for it, and none fails with it. */
  function recordUse({ _id, lastUsedAt }: ApiKey): void {
    const before = new Date(Date.now() - useIntervalMs);
    if (lastUsedAt && lastUsedAt > before) return;
    recordKeyUse(db, _id, before).catch((error: unknown) => {
      log.warn(
        { eventId: "api_key_use_not_recorded", apiKeyId: String(_id), err: error },
        "the use of an API key was not recorded",
      );
    });
  }

  return async ({ secret, prefix }) => {
    const key = await findKeyByPrefix(db, prefix);
    if (!key || !isUsable(key, secret)) return undefined;
    recordUse(key);
    const { _id, createdBy, role, scopes, courseIds } = key;
    return { id: createdBy, claimedRole: role, key: { id: String(_id), scopes, courseIds } };
  };
}

function isUsable(key: ApiKey, secret: string): boolean {
  const now = new Date();
  if (key.revokedAt || (key.expiresAt && key.expiresAt <= now)) return false;
  if (isSecretOf(secret, key.secretHash)) return true;
  const { previousHash, previousUntil } = key;
  return previousHash !== null && previousUntil !== null && previousUntil > now && isSecretOf(secret, previousHash);
}
