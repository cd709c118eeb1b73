import { hash, randomBytes, timingSafeEqual } from "node:crypto";

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
export const isSecretOf = (secret: string, storedHash: string): boolean =>
  timingSafeEqual(Buffer.from(hashOf(secret), "base64"), Buffer.from(storedHash, "base64"));
