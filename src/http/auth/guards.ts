import type { RequestHandler } from "express";
import { type Failure, ScopeMissing, Unauthenticated, Unexpected, WrongRole } from "../../lib/errors.js";
import { allowsScope, type KeyScope } from "../../models/users/api-key.js";
import type { Role, Viewer } from "../../models/users/user.js";

/** Who may call a route: everyone, signed-in users, users with exactly this role, or any API key. */
export type RouteAccess = "public" | "user" | "educator" | "admin" | "key";

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
export function guard(access: RouteAccess, roleOf: RoleOf, refusals: Refusals = standardRefusals): RequestHandler {
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
export function requireScope({ access, scope }: { access: RouteAccess; scope?: KeyScope }): RequestHandler {
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
