import { createHash } from "node:crypto";
import { sameText } from "../credentials.js";

const unsigned = new Set(["file", "api_key", "cloud_name", "resource_type", "signature", "signature_algorithm"]);
const maxAgeSeconds = 3600;

/**
 * Checks an upload request: known key, timestamp within the hour, and a SHA-1 or SHA-256 signature over the sorted
 * parameters and the secret. It accepts parameters with a plain and with an escaped `&`.
 * @returns the error, or null for an authentic request.
 */
export function signatureFault(parameters: Record<string, string>, key: string, secret: string): string | null {
  return credentialsFault(parameters, key) ?? ageFault(parameters) ?? forgery(parameters, secret);
}

/**
 * Checks a signed download address: known key, a signature over the sorted parameters and the secret, and the expiry in
 * `expires_at`. An address without an expiry works for an hour.
 * @returns the error, or null for an authentic address.
 */
export function downloadFault(parameters: Record<string, string>, key: string, secret: string): string | null {
  const { expires_at: expiresAt = "" } = parameters;
  const fault = credentialsFault(parameters, key) ?? forgery(parameters, secret);
  if (fault !== null) return fault;
  if (expiresAt === "") return ageFault(parameters);
  return Number(expiresAt) > Date.now() / 1000 ? null : "Link expired";
}

function credentialsFault({ api_key: givenKey = "", signature = "" }: Record<string, string>, key: string) {
  if (!sameText(givenKey, key)) return givenKey === "" ? "Must supply api_key" : `Unknown API key ${givenKey}`;
  return signature === "" ? "Missing required parameter - signature" : null;
}

function ageFault({ timestamp = "" }: Record<string, string>): string | null {
  const seconds = Number(timestamp);
  if (!/^\d+$/.test(timestamp)) return "Missing required parameter - timestamp";
  if (Math.abs(Date.now() / 1000 - seconds) > maxAgeSeconds) {
    return `Stale request - reported time is ${new Date(seconds * 1000).toISOString()} which is more than 1 hour ago`;
  }
  return null;
}

function forgery(parameters: Record<string, string>, secret: string): string | null {
  const { signature = "" } = parameters;
  const signed = Object.entries(parameters)
    .filter(([name, value]) => !unsigned.has(name) && value !== "")
    .sort(([left], [right]) => (left < right ? -1 : 1))
    .map(([name, value]) => `${name}=${value}`);
  const algorithm = signature.length === 64 ? "sha256" : "sha1";
  const expected = [signed, signed.map((pair) => pair.replaceAll("&", "%26"))].map((pairs) =>
    createHash(algorithm)
      .update(pairs.join("&") + secret)
      .digest("hex"),
  );
  if (expected.some((candidate) => sameText(signature, candidate))) return null;
  return `Invalid Signature ${signature}. String to sign - '${signed.join("&")}'.`;
}
