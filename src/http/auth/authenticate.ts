import { createPublicKey, hash } from "node:crypto";
import { decodeJwt, verifyJwt } from "@clerk/backend/jwt";
import type { RequestHandler } from "express";
import { LRUCache } from "lru-cache";
import { type Role, roles, type Viewer } from "../route.js";
import type { AuthContext } from "./guards.js";
import { createKeySet, KeySetUnavailable } from "./key-set.js";

const anonymous: AuthContext = { kind: "anonymous" };

/** Longest token looked at; a session token is about 1 kB. */
const maxTokenLength = 16_384;

const clockSkewInMs = 5_000;

/** Longest use of a verified token without another verification, because its signing key may be withdrawn meanwhile. */
const maxCacheMs = 5 * 60_000;

/**
 * `cat` in the header of a session token: absent on older ones; `cl_B7d4PD111AAA` marks a session, `cl_I7d4PD111III`
 * says that the category is to be ignored. Tokens made from templates and those of machines carry other values, though
 * the same key signs them.
 */
const sessionCategories: unknown[] = [undefined, "cl_B7d4PD111AAA", "cl_I7d4PD111III"];
/** `typ` in the header of what the provider gives to OAuth applications. */
const accessTokenTypes: unknown[] = ["at+jwt", "application/at+jwt"];
/** Subjects that are machines and not users. */
const machinePrefix = "mch_";

export interface TokenVerification {
  /** PEM public key: no network call. Without it the key set is fetched with the secret key. */
  readonly jwtKey?: string | undefined;
  readonly secretKey: string;
  readonly apiUrl?: string | undefined;
  /** What `iss` must be: the address of the provider's frontend API. */
  readonly issuer: string;
  /** What `azp` must be when a token has one: the browser origin that may ask for tokens. */
  readonly party: string;
}

/**
 * Verifies `Authorization: Bearer` session tokens with Clerk's own verification (RS256 signature, `exp`, `nbf`, 5 s
 * skew), checks that they were made for this application, and fills the auth context. Routes refuse, this handler never
 * does. A verified token is cached for `maxCacheMs`, and never past its `exp`.
 */
export function authenticate(verification: TokenVerification): RequestHandler {
  // By the wall clock, as `exp` is: the usual one stands still while the machine sleeps.
  const verified = new LRUCache<string, Viewer>({ max: 10_000, perf: { now: () => Date.now() } });
  const keyOf = verification.jwtKey ? onlyKey(verification.jwtKey) : fetchedKeys(verification);

  const verify = async (token: string, digest: string): Promise<AuthContext> => {
    try {
      const { header, payload } = decodeJwt(token);
      // Before any key is looked for: a token of another application causes no call.
      if (!isSessionToken(header, payload) || !isForUs(payload, verification)) return anonymous;
      const key = await keyOf(header.kid);
      if (!key) return anonymous;
      const claims = await verifyJwt(token, { key, clockSkewInMs });
      if (claims.sts === "pending" || typeof claims.sub !== "string" || claims.sub === "") return anonymous;
      const viewer = { id: claims.sub, claimedRole: claimedRole(claims.metadata) };
      const ttl = Math.min(claims.exp * 1000 - Date.now(), maxCacheMs);
      if (ttl > 0) verified.set(digest, viewer, { ttl });
      return { kind: "viewer", viewer };
    } catch (error) {
      return error instanceof KeySetUnavailable ? { kind: "outage", cause: error } : anonymous;
    }
  };

  return (req, _res, next) => {
    const { authorization } = req.headers;
    const token = authorization === undefined ? undefined : bearerToken(authorization);
    if (!token) {
      req.authContext = anonymous;
      return next();
    }
    const digest = hash("sha256", token, "base64");
    const viewer = verified.get(digest);
    if (viewer) {
      req.authContext = { kind: "viewer", viewer };
      return next();
    }
    return verify(token, digest).then((context) => {
      req.authContext = context;
      next();
    });
  };
}

type FindKey = (kid: string) => Promise<PublicKey | undefined>;
type PublicKey = Exclude<Parameters<typeof verifyJwt>[1]["key"], string>;

/** The SDK itself reads a PEM only if the key has 2048 bits and the usual exponent: so it is read here. */
function onlyKey(pem: string): FindKey {
  const key = { ...createPublicKey(pem).export({ format: "jwk" }), alg: "RS256" };
  return async () => key;
}

function fetchedKeys(verification: TokenVerification): FindKey {
  const keys = createKeySet(verification);
  return async (kid) => (typeof kid === "string" ? keys.find(kid) : undefined);
}

type Decoded = ReturnType<typeof decodeJwt>;

/** Whether it is a user's session token, as against what the provider signs for other purposes. */
function isSessionToken(header: Decoded["header"], { sub }: Decoded["payload"]): boolean {
  const { cat, typ, alg } = header as { cat?: unknown; typ?: unknown; alg?: unknown };
  const isMachine = typeof sub === "string" && sub.startsWith(machinePrefix);
  return alg === "RS256" && sessionCategories.includes(cat) && !accessTokenTypes.includes(typ) && !isMachine;
}

/** Whether it was made by our provider's application and, when it says for which page, for ours. */
function isForUs(
  { iss, azp }: { iss?: unknown; azp?: unknown },
  { issuer, party }: Pick<TokenVerification, "issuer" | "party">,
): boolean {
  return iss === issuer && (azp === undefined || azp === party);
}

function bearerToken(header: string): string | undefined {
  const match = header.length <= maxTokenLength ? /^Bearer +([\w-]+\.[\w-]+\.[\w-]+) *$/i.exec(header) : null;
  return match?.[1];
}

function claimedRole(metadata: unknown): Role {
  const role = typeof metadata === "object" && metadata !== null ? (metadata as { role?: unknown }).role : undefined;
  return roles.find((known) => known === role) ?? "student";
}
