import { createPublicKey, hash } from "node:crypto";
import { verifyToken } from "@clerk/express";
import type { RequestHandler } from "express";
import { LRUCache } from "lru-cache";
import { z } from "zod";
import { type Role, roles, type Viewer } from "../../models/users/user.js";
import type { AuthContext } from "../context.js";
import { authorizationOf } from "./authenticate-key.js";
import { createKeySet } from "./key-set.js";

const anonymous: AuthContext = { kind: "anonymous" };

/** Longest token that is verified. A session token has about 1 kB. */
const maxTokenLength = 16_384;

/** Time for which a verified token is cached. It is short, because the signing key may be withdrawn. */
const maxCacheMs = 5 * 60_000;

/**
 * The header of a session token. Tokens that the same key signed for templates, machines and OAuth applications have
 * another `cat` or `typ`.
 */
const Header = z.object({
  alg: z.literal("RS256"),
  typ: z.literal("JWT").optional(),
  cat: z.enum(["cl_B7d4PD111AAA", "cl_I7d4PD111III"]).optional(),
  kid: z.string(),
});

export interface TokenVerification {
  readonly secretKey: string;
  /** Address of the provider's Backend API, unless it is the usual one. */
  readonly apiUrl?: string | undefined;
  /** PEM public key. Without it the provider's key set is fetched. */
  readonly jwtKey: string | undefined;
  /** The address of the provider's frontend API, which `iss` must name. */
  readonly issuer: string;
  /** The browser origin that `azp` must name, if the token has an `azp`. */
  readonly party: string;
}

/**
 * Verifies `Authorization: Bearer` session tokens with Clerk's SDK and fills `req.authContext`. It never refuses a
 * request: the routes' guards do.
 */
export function authenticate({ secretKey, apiUrl, jwtKey, issuer, party }: TokenVerification): RequestHandler {
  const givenKey = jwtKey && toSpki(jwtKey);
  const findKey = givenKey ? async () => givenKey : createKeySet({ secretKey, apiUrl });
  const Payload = z.object({
    iss: z.literal(issuer),
    // Clerk's `authorizedParties` would refuse tokens without `azp`.
    azp: z.literal(party).optional(),
    sub: z.string().regex(/^(?!mch_)./),
    // The session of a user who has not finished signing in is "pending".
    sts: z.literal("active").optional(),
  });
  // `exp` is wall-clock time; the cache's own clock stands still while the machine sleeps.
  const viewers = new LRUCache<string, Viewer>({ max: 10_000, perf: { now: () => Date.now() } });

  async function verify(token: string): Promise<AuthContext> {
    const [header, payload] = token.split(".", 2).map(decodePart);
    // Checked before a key is fetched, so that tokens of other applications cause no call.
    const { success, data } = Header.safeParse(header);
    if (!success || !Payload.safeParse(payload).success) return anonymous;
    let pem: string | undefined;
    try {
      pem = await findKey(data.kid);
    } catch (cause) {
      return { kind: "outage", cause };
    }
    if (!pem) return anonymous;
    const claims = await verifyToken(token, { jwtKey: pem }).catch(() => undefined);
    if (!claims) return anonymous;
    const viewer = { id: claims.sub, claimedRole: claimedRole(claims.metadata) };
    const ttl = Math.min(claims.exp * 1000 - Date.now(), maxCacheMs);
    if (ttl > 0) viewers.set(digestOf(token), viewer, { ttl });
    return { kind: "viewer", viewer };
  }

  return async (req, _res, next) => {
    const token = bearerToken(authorizationOf(req));
    const viewer = token && viewers.get(digestOf(token));
    if (viewer) req.authContext = { kind: "viewer", viewer };
    else req.authContext = token ? await verify(token) : anonymous;
    next();
  };
}

/** Clerk's SDK reads this form of PEM only. */
const toSpki = (pem: string): string => createPublicKey(pem).export({ type: "spki", format: "pem" }).toString();

const digestOf = (token: string): string => hash("sha256", token, "base64");

function decodePart(part: string): unknown {
  try {
    return JSON.parse(Buffer.from(part, "base64url").toString());
  } catch {
    return undefined;
  }
}

function bearerToken(header: string): string | undefined {
  const match = header.length <= maxTokenLength ? /^Bearer +([\w-]+\.[\w-]+\.[\w-]+) *$/i.exec(header) : null;
  return match?.[1];
}

function claimedRole(metadata: unknown): Role {
  const role = typeof metadata === "object" && metadata !== null && "role" in metadata ? metadata.role : undefined;
  return roles.find((known) => known === role) ?? "student";
}
