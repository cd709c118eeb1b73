import type { Request, RequestHandler } from "express";
import { type Failure, ScopeMissing, Unauthenticated, Unexpected, WrongRole } from "../../lib/errors.js";
import { allowsScope, type KeyScope, type KeyUse } from "../../models/users/api-key.js";
import type { KeyViewer, Role, Viewer } from "../../models/users/user.js";
import type { Access } from "../route.js";

/**
 * The result of authentication. `outage`: the token could not be verified, because the key set or the database is
 * unavailable. `key`: the request has a valid API key, which no guard has let pass yet.
 */
export type AuthContext =
  | { kind: "anonymous" }
  | { kind: "viewer"; viewer: Viewer }
  | { kind: "key"; viewer: KeyViewer }
  | { kind: "outage"; cause: unknown };

declare global {
  namespace Express {
    interface Request {
      authContext?: AuthContext;
    }
  }
}

/**
 * Returns the caller; undefined for anonymous callers, for tokens that could not be verified, and for API keys that no
 * guard has let pass.
 */
export function viewerOf(req: Request): Viewer | undefined {
  return req.authContext?.kind === "viewer" ? req.authContext.viewer : undefined;
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

export interface Refusals {
  readonly unauthenticated: Failure;
  readonly forbidden: Failure;
}

const standardRefusals: Refusals = { unauthenticated: Unauthenticated, forbidden: WrongRole };

/** Reads the current role of a caller at every role-checked request, so that a change counts at once. */
export type RoleOf = (viewer: Viewer) => Promise<Role>;

/**
 * Lets a request with the required access pass; 401 without a valid token, 403 for another role. An API key of an owner
 * who has lost the role of the key is no valid token. A key is no token of a learner either.
 */
export function guard(access: Access, roleOf: RoleOf, refusals: Refusals = standardRefusals): RequestHandler {
  return async (req, _res, next) => {
    if (access === "public") return next();
    const context = req.authContext ?? { kind: "anonymous" };
    if (context.kind === "outage") throw Unexpected(context.cause);
    const isKey = context.kind === "key";
    if (context.kind === "anonymous" || (isKey ? access === "user" : access === "key"))
      throw refusals.unauthenticated();
    if (access === "user") return next();
    const { viewer } = context;
    const role = await roleOf(viewer).catch((cause: unknown) => {
      throw Unexpected(cause);
    });
    if (isKey && role !== viewer.claimedRole) throw refusals.unauthenticated();
    if (access !== "key" && role !== access) throw refusals.forbidden();
    next();
  };
}

/**
 * Lets an API key with the scope of the route pass, and makes its owner the caller. On public routes a key has no effect:
 * the caller stays anonymous. Runs after the guard.
 */
export function requireScope({ access, scope }: { access: Access; scope?: KeyScope }): RequestHandler {
  return (req, _res, next) => {
    const { authContext: context } = req;
    if (context?.kind === "key" && access !== "public") {
      const isAllowed = access === "key" || (scope !== undefined && allowsScope(context.viewer.key.scopes, scope));
      if (!isAllowed) throw ScopeMissing();
      req.authContext = { kind: "viewer", viewer: context.viewer };
    }
    next();
  };
}
