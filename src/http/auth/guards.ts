import type { Request, RequestHandler } from "express";
import { type Failure, Unauthenticated, Unexpected, WrongRole } from "../../lib/errors.js";
import type { Role, Viewer } from "../../models/users/user.js";
import type { Access } from "../route.js";

/** The result of authentication. `outage`: the token could not be verified, because the key set is unavailable. */
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

/** Returns the caller; undefined for anonymous callers and for tokens that could not be verified. */
export function viewerOf(req: Request): Viewer | undefined {
  return req.authContext?.kind === "viewer" ? req.authContext.viewer : undefined;
}

export interface Refusals {
  readonly unauthenticated: Failure;
  readonly forbidden: Failure;
}

const standardRefusals: Refusals = { unauthenticated: Unauthenticated, forbidden: WrongRole };

/** Reads the current role of a caller at every role-checked request, so that a change counts at once. */
export type RoleOf = (viewer: Viewer) => Promise<Role>;

/** Lets a request with the required access pass; 401 without a valid token, 403 for another role. */
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
