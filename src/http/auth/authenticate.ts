import { createPublicKey, hash } from "node:crypto";
import { type ClerkClient, clerkMiddleware, getAuth } from "@clerk/express";
import type { Request, RequestHandler, Response } from "express";
import { LRUCache } from "lru-cache";
import { z } from "zod";
import { type Role, roles, type Viewer } from "../../models/users/user.js";
import { authorizationOf } from "./authorization.js";
import type { AuthContext } from "./guards.js";
import { createKeySet } from "./key-set.js";

const anonymous: AuthContext = { kind: "anonymous" };

/** A session token has about 1 kB. */
const maxTokenLength = 16_384;

/** A token is verified again after this time, because its signing key may be withdrawn. */
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
  readonly publishableKey: string;
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
 * Verifies `Authorization: Bearer` session tokens with Clerk's middleware and fills `req.authContext`. It never refuses a
 * request: the routes' guards do.
 */
export function authenticate(clerk: ClerkClient, verification: TokenVerification): RequestHandler {
  const { publishableKey, secretKey, apiUrl, jwtKey, issuer, party } = verification;
  const findKey = jwtKey ? async () => toSpki(jwtKey) : createKeySet({ secretKey, apiUrl });
  const Payload = z.object({
    iss: z.literal(issuer),
    // Clerk's `authorizedParties` would refuse tokens without `azp`.
    azp: z.literal(party).optional(),
    sub: z.string().regex(/^(?!mch_)./),
  });
  // `exp` is wall-clock time; the cache's own clock stands still while the machine sleeps.
  const viewers = new LRUCache<string, Viewer>({ max: 10_000, perf: { now: () => Date.now() } });

  async function verify(req: Request, res: Response, token: string): Promise<AuthContext> {
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
    const middleware = clerkMiddleware({ clerkClient: clerk, publishableKey, secretKey, jwtKey: pem });
    const { userId, sessionClaims } = await askClerk(middleware, req, res, token);
    if (!userId) return anonymous;
    const viewer = { id: userId, claimedRole: claimedRole(sessionClaims.metadata) };
    const ttl = Math.min(sessionClaims.exp * 1000 - Date.now(), maxCacheMs);
    if (ttl > 0) viewers.set(digestOf(token), viewer, { ttl });
    return { kind: "viewer", viewer };
  }

  return async (req, res, next) => {
    const token = bearerToken(authorizationOf(req));
    const viewer = token && viewers.get(digestOf(token));
    if (viewer) req.authContext = { kind: "viewer", viewer };
    else req.authContext = token ? await verify(req, res, token) : anonymous;
    next();
  };
}

/**
 * Runs Clerk's middleware on the token alone. Given the whole request, it would redirect browsers, read cookies, and
 * answer 400 to an odd address; given the response, it would add headers with the reason of a refusal.
 */
async function askClerk(middleware: RequestHandler, req: Request, res: Response, token: string) {
  const bareRequest: Request = Object.create(req, {
    method: { value: "GET" },
    originalUrl: { value: "/" },
    headers: { value: { authorization: `Bearer ${token}` } },
  });
  const bareResponse: Response = Object.create(res, { appendHeader: { value: () => bareResponse } });
  await new Promise<void>((resolve) => middleware(bareRequest, bareResponse, () => resolve()));
  return getAuth(bareRequest);
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
