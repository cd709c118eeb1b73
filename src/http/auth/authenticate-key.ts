import type { Request, RequestHandler } from "express";
import { LRUCache } from "lru-cache";
import type { KeyViewer } from "../../models/users/user.js";
import type { RateLimits } from "../limits/rate-limits.js";

/** A well-formed secret, and the part of it that names the key. */
interface SentKey {
  readonly secret: string;
  readonly prefix: string;
}

/** Finds whom a secret speaks for; undefined when no key has the secret now. */
export type FindKey = (sent: SentKey) => Promise<KeyViewer | undefined>;

/** The form of a key. The database is not asked about anything else. */
const keyHeader = /^(?:[Bb]earer|BEARER) +((lyc_(?:live|test)_[A-Za-z0-9]{16})_[A-Za-z0-9_-]{43}) *$/;

/** Number of valid key prefixes kept in memory. */
const maxKnownKeys = 10_000;

/**
 * Recognises API keys in `Authorization: Bearer lyc_…`. It never refuses a request because of its key: the routes' guards
 * do. But an address that sends many wrong keys is refused for a while, without a read of the database. Keys that were
 * valid before keep working from such an address, because callers may share it.
 */
export function authenticateKey(findKey: FindKey, limits: RateLimits): RequestHandler {
  const known = new LRUCache<string, true>({ max: maxKnownKeys });
  return async (req, res, next) => {
    const [, secret, prefix] = keyHeader.exec(authorizationOf(req)) ?? [];
    if (secret === undefined || prefix === undefined) return next();
    if (!known.has(prefix)) await limits.requireUnit("wrongKeys", req, res);
    try {
      const viewer = await findKey({ secret, prefix });
      if (viewer) req.authContext = { kind: "key", viewer };
    } catch (cause) {
      req.authContext = { kind: "outage", cause };
      return next();
    }
    if (req.authContext?.kind === "key") known.set(prefix, true);
    else await limits.consume("wrongKeys", req, res);
    next();
  };
}

/** Reads the `Authorization` header. A request with two of them counts as a request without one. */
export function authorizationOf(req: Request): string {
  const { authorization = "" } = req.headers;
  const isAmbiguous = authorization !== "" && (req.headersDistinct.authorization?.length ?? 0) > 1;
  return isAmbiguous ? "" : authorization;
}
