import { hash, randomBytes, timingSafeEqual } from "node:crypto";
import type { Deps } from "../../deps.js";
import { type ApiKey, findKeyByPrefix, recordKeyUse } from "../../models/users/api-key.js";
import type { KeyViewer } from "../../models/users/user.js";

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

/** 8 bytes are 16 characters in hexadecimal. */
const nameBytes = 8;
/** 32 bytes are 43 characters in base64url. */
const secretBytes = 32;

/** Creates the secret of a new key. Its prefix says whether the key belongs to production, for scanners of leaks. */
export function createKeySecret(isProduction: boolean): { prefix: string; secret: string } {
  const prefix = `lyc_${isProduction ? "live" : "test"}_${randomBytes(nameBytes).toString("hex")}`;
  return { prefix, secret: secretOf(prefix) };
}

/** Creates a secret with the prefix of a key. */
export const secretOf = (prefix: string): string => `${prefix}_${randomBytes(secretBytes).toString("base64url")}`;

export const hashOf = (secret: string): string => hash("sha256", secret, "base64");

/** Compares a secret with a stored hash. The time it takes tells nothing about the hash. */
const isSecretOf = (secret: string, storedHash: string): boolean =>
  timingSafeEqual(Buffer.from(hashOf(secret), "base64"), Buffer.from(storedHash, "base64"));
