import type { Request, RequestHandler } from "express";
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

/**
 * Recognises API keys in `Authorization: Bearer lyc_…`. It never refuses a request because of its key: the routes' guards
 * do. But an address that has sent many wrong keys gets 429 for further ones. A valid key works from there too, because
 * callers share addresses. So each key is looked up, by one indexed read.
 */
export function authenticateKey(findKey: FindKey, limits: RateLimits): RequestHandler {
  return async (req, res, next) => {
    const [, secret, prefix] = keyHeader.exec(authorizationOf(req)) ?? [];
    if (secret === undefined || prefix === undefined) return next();
    let viewer: KeyViewer | undefined;
    try {
      viewer = await findKey({ secret, prefix });
    } catch (cause) {
      req.authContext = { kind: "outage", cause };
      return next();
    }
    if (viewer) req.authContext = { kind: "key", viewer };
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
