import { createHash, createPublicKey } from "node:crypto";
import { decodeJwt, verifyJwt } from "@clerk/backend/jwt";
import { verifyToken } from "@clerk/express";
import type { RequestHandler } from "express";
import { LRUCache } from "lru-cache";
import { type AuthContext, setAuthContext } from "./guards.js";
import { type Role, roles, type Viewer } from "./route.js";

const anonymous: AuthContext = { kind: "anonymous" };

/** Longest token looked at; a session token is about 1 kB. */
const maxTokenLength = 16_384;

/**
 * How long a key set may take; the SDK tries five times, which is about three seconds, and knows no time-out of its
 * own.
 */
const keySetMs = 5_000;

/** So many calls may be given up before the next ones are tried one at a time. */
const mostInVain = 32;

const clockSkewInMs = 5_000;

/** `cat` in the header of what the provider gives to machines: no session token, though the same key signs it. */
const machineToken = "cl_B7d4PD333AAA";

export interface TokenVerification {
  /** PEM public key: no network call. Without it the key set is fetched with the secret key and cached by the SDK. */
  readonly jwtKey?: string | undefined;
  readonly secretKey: string;
  readonly apiUrl?: string | undefined;
}

/**
 * Verifies `Authorization: Bearer` session tokens with Clerk's own verification (RS256 signature, `exp`, `nbf`, 5 s
 * skew) and fills the auth context. It never refuses: routes do. A verified token is kept until it expires, never
 * longer.
 */
export function authenticate(keys: TokenVerification): RequestHandler {
  // By the wall clock, as `exp` is: the usual one stands still while the machine sleeps.
  const verified = new LRUCache<string, Viewer>({ max: 10_000, perf: { now: () => Date.now() } });
  const check = keys.jwtKey ? byKey(keys.jwtKey) : byKeySet(keys);

  const verify = async (token: string): Promise<AuthContext> => {
    const digest = createHash("sha256").update(token).digest("base64");
    const known = verified.get(digest);
    if (known) return { kind: "viewer", viewer: known };
    try {
      const claims = await check(token);
      if (claims.sts === "pending" || typeof claims.sub !== "string" || claims.sub === "") return anonymous;
      const viewer = { id: claims.sub, claimedRole: claimedRole(claims.metadata) };
      const ttl = claims.exp * 1000 - Date.now();
      if (ttl > 0) verified.set(digest, viewer, { ttl });
      return { kind: "viewer", viewer };
    } catch (error) {
      return !keys.jwtKey && hasHeader(token) && isOutage(error) ? { kind: "outage", cause: error } : anonymous;
    }
  };

  return async (req, _res, next) => {
    const token = bearerToken(req.headers.authorization);
    setAuthContext(req, token ? await verify(token) : anonymous);
    next();
  };
}

type Claims = Awaited<ReturnType<typeof verifyJwt>>;

/** The SDK itself reads a PEM only if the key has 2048 bits and the usual exponent: so it is read here. */
function byKey(pem: string): (token: string) => Promise<Claims> {
  const key = { ...createPublicKey(pem).export({ format: "jwk" }), alg: "RS256" };
  return async (token) => {
    const { header } = decodeJwt(token);
    if ("cat" in header && header.cat === machineToken) throw new Error("a machine's token");
    return verifyJwt(token, { key, clockSkewInMs });
  };
}

function byKeySet({ secretKey, apiUrl }: TokenVerification): (token: string) => Promise<Claims> {
  const inTime = givingUp();
  return (token) => inTime(() => verifyToken(token, { secretKey, ...(apiUrl ? { apiUrl } : {}), clockSkewInMs }));
}

function bearerToken(header: string | undefined): string | undefined {
  const match = header && header.length <= maxTokenLength ? /^Bearer +([\w-]+\.[\w-]+\.[\w-]+) *$/i.exec(header) : null;
  return match?.[1];
}

function claimedRole(metadata: unknown): Role {
  const role = typeof metadata === "object" && metadata !== null ? (metadata as { role?: unknown }).role : undefined;
  return roles.find((known) => known === role) ?? "student";
}

/** Whether the key set could not be had, as against a token that is wrong: the latter's reasons all name the token. */
function isOutage(error: unknown): boolean {
  const reason = (error as { reason?: unknown } | null)?.reason;
  return typeof reason !== "string" || !(reason.startsWith("token-") || reason === "jwk-kid-mismatch");
}

/**
 * Whether the token's header is a JSON object: over `null` the SDK stumbles as it does over an answer that is no key
 * set.
 */
function hasHeader(token: string): boolean {
  try {
    const header: unknown = JSON.parse(Buffer.from(token.split(".", 1)[0] ?? "", "base64url").toString());
    return typeof header === "object" && header !== null;
  } catch {
    return false;
  }
}

/**
 * Gives up what takes too long. When that has happened often since a key set last came, one call is tried at a time and
 * the others fail at once: the SDK goes on waiting for minutes, with a connection for each.
 */
function givingUp(): <T>(begin: () => Promise<T>) => Promise<T> {
  let inVain = 0;
  let trying = 0;
  return async (begin) => {
    if (inVain >= mostInVain && trying > 0) throw new Error("no key set, and another request is waiting for it");
    trying += 1;
    let timer: NodeJS.Timeout | undefined;
    const late = new Promise<never>((_resolve, reject) => {
      timer = setTimeout(() => {
        inVain += 1;
        reject(new Error(`no key set within ${keySetMs} ms`));
      }, keySetMs);
    });
    try {
      const verified = await Promise.race([begin(), late]);
      inVain = 0;
      return verified;
    } finally {
      clearTimeout(timer);
      trying -= 1;
    }
  };
}
