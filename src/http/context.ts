import { isIPv4 } from "node:net";
import type { Request } from "express";
import { ipKeyGenerator } from "express-rate-limit";
import { Unauthenticated } from "../lib/errors.js";
import type { KeyUse } from "../models/users/api-key.js";
import type { KeyViewer, Manager, Viewer } from "../models/users/user.js";
import type { ClientBudget } from "./limits/client-budget.js";

/** Fields that the server adds to the objects of Express. */
declare global {
  namespace Express {
    interface Request {
      /** The client's `X-Request-Id` if it is well-formed, otherwise a new id. */
      id: string;
      authContext?: AuthContext;
      /** Whether the client sent an API key in the address. */
      hasKeyInAddress?: boolean;
      /** The pattern of the route that the request is for, for example `/api/course/:id`. */
      routePattern?: string;
    }
    interface Response {
      /** Settles when the handler of the request has ended. */
      work?: Promise<unknown>;
      /** Bounds the bytes of unsent replies to the client. */
      replyBudget?: ClientBudget;
      /** The outcome of an operation, and further fields of its log line. */
      outcome?: { readonly name: string; readonly about: object };
    }
  }
}

/**
 * The result of authentication. `outage`: the token could not be verified, because the key set or the database is
 * unavailable. `key`: the request has a valid API key, which no guard has accepted yet.
 */
export type AuthContext =
  | { kind: "anonymous" }
  | { kind: "viewer"; viewer: Viewer }
  | { kind: "key"; viewer: KeyViewer }
  | { kind: "outage"; cause: unknown };

/**
 * Returns the caller; undefined for anonymous callers, for tokens that could not be verified, and for API keys that no
 * guard has accepted.
 */
export function viewerOf(req: Request): Viewer | undefined {
  return req.authContext?.kind === "viewer" ? req.authContext.viewer : undefined;
}

/** Returns the caller of a manager's route, after the guard of the role has accepted the request. */
export function managerOf(req: Request, role: Manager["role"]): Manager {
  const viewer = viewerOf(req);
  if (!viewer) throw Unauthenticated();
  return { userId: viewer.id, role, requestId: req.id, key: viewer.key };
}

/** Returns the API key of a request; undefined without a valid one. */
export function keyOf(req: Request): KeyUse | undefined {
  const { authContext: context } = req;
  return context?.kind === "key" || context?.kind === "viewer" ? context.viewer.key : undefined;
}

/** Names the caller for limits: a key by its own id, so that it takes nothing from its owner. */
export function callerOf(req: Request): string | undefined {
  const key = keyOf(req);
  return key ? `key:${key.id}` : viewerOf(req)?.id;
}

/**
 * Identifies the caller of a request by user id, otherwise by address (IPv6 by /64). A request with an API key counts for
 * the key, until a guard has let it pass.
 */
export function clientOf(req: Request): string {
  if (req.authContext?.kind === "key") return `key:${req.authContext.viewer.key.id}`;
  const viewer = viewerOf(req);
  return viewer ? `user:${viewer.id}` : `ip:${addressKey(req.ip ?? "unknown")}`;
}

/** The library parses an IPv4 address in IPv6 form, which is most of them, as if it were IPv6. */
function addressKey(ip: string): string {
  const ipv4 = ip.replace(/^::ffff:/i, "");
  return isIPv4(ipv4) ? ipv4 : ipKeyGenerator(ip, 64);
}
