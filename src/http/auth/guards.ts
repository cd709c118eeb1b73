import type { Request, RequestHandler } from "express";
import { type Failure, Unauthenticated, Unexpected, WrongRole } from "../../lib/errors.js";
import type { Role, Viewer } from "../../models/users/user.js";
import type { Access } from "../route.js";

/** What the auth context found out about a request. `outage` = a token that could not be checked for want of keys. */
export type AuthContext =
  | { kind: "anonymous" }
  | { kind: "viewer"; viewer: Viewer }
  | { kind: "outage"; cause: unknown };

declare global {
  namespace Express {
    interface Request {
      authContext?: AuthContext;
    }
  }
}

/** The caller, or undefined for anonymous callers and for tokens that could not be checked. */
export function viewerOf(req: Request): Viewer | undefined {
  return req.authContext?.kind === "viewer" ? req.authContext.viewer : undefined;
}

export interface Refusals {
  readonly unauthenticated: Failure;
  readonly forbidden: Failure;
}

const standardRefusals: Refusals = { unauthenticated: Unauthenticated, forbidden: WrongRole };

/** Reads the role in force for a caller. Asked at every role-checked request, so that a change counts at once. */
export type RoleOf = (viewer: Viewer) => Promise<Role>;

/** Lets a request pass that meets `access`; 401 without a valid token, 403 for any other role. */
export function guard(access: Access, roleOf: RoleOf, refusals: Refusals = standardRefusals): RequestHandler {
  return async (req, _res, next) => {
    if (access === "public") return next();
    if (req.authContext?.kind === "outage") throw Unexpected(req.authContext.cause);
    const viewer = viewerOf(req);
    if (!viewer) throw refusals.unauthenticated();
    if (access !== "user") {
      const role = await roleOf(viewer).catch((cause: unknown) => {
        throw Unexpected(cause);
      });
      if (role !== access) throw refusals.forbidden();
    }
    next();
  };
}
