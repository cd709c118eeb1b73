import { type Express, type Request, type RequestHandler, type Response, Router } from "express";
import type { z } from "zod";
import { guard, type RoleOf, viewerOf } from "./auth/guards.js";
import { ApiError, InvalidRequest, Unexpected } from "./errors.js";
import type { RateLimits } from "./limits/rate-limits.js";
import { explainInvalid } from "./pipeline/explain-invalid.js";
import { sendJson } from "./replies/send-json.js";
import type { WriteReply } from "./replies/write-reply.js";
import { alreadySent, type Route, type RouteGroup, type RouteRequest, type Viewer } from "./route.js";

/**
 * Puts every declared limit on its path, ahead of guards and body parsing, so that refused and malformed requests count
 * as well. A group's limit covers every path below its base.
 */
export function mountLimits(app: Express, groups: readonly RouteGroup[], limits: RateLimits): void {
  const limited = new Set<string>();
  for (const group of groups) {
    // Groups may share a base: a request below it counts once.
    if (group.limit && !limited.has(group.base)) {
      limited.add(group.base);
      app.use(group.base, limits.middleware(group.limit));
    }
    for (const route of group.routes) {
      if (!route.limit || route.limit === group.limit) continue;
      const path = `${group.base}${route.path === "/" ? "" : route.path}`;
      if (limits.countsOnly(route.limit) === "post") app.post(path, limits.middleware(route.limit));
      else app.all(path, limits.middleware(route.limit));
    }
  }
}

/** Watches the routes that are declared as an operation, ahead of whatever may refuse a request. */
export function mountWatches(
  app: Express,
  groups: readonly RouteGroup[],
  watch: (operation: string) => RequestHandler,
): void {
  for (const group of groups) {
    for (const route of group.routes) {
      if (route.operation) app[route.method](`${group.base}${route.path}`, watch(route.operation));
    }
  }
}

/** Serves the groups' routes: access → upload → body → path and query → handler → reply. */
export function mountRoutes(app: Express, groups: readonly RouteGroup[], roleOf: RoleOf): void {
  const guarded = new Set<string>();
  for (const group of groups) {
    if (group.access && !guarded.has(group.base)) {
      guarded.add(group.base);
      app.use(group.base, guard(group.access, roleOf, group.refusals));
    }
    const router = Router();
    for (const route of group.routes) {
      const handlers: RequestHandler[] = [];
      if (route.access !== group.access) handlers.push(guard(route.access, roleOf, group.refusals));
      if (route.upload) handlers.push(route.upload);
      handlers.push(serve(route));
      router[route.method](route.path, ...handlers);
    }
    app.use(group.base, router);
  }
}

function serve(route: Route): RequestHandler {
  return async (req, res) => {
    const invalid = route.invalid ?? InvalidRequest;
    const body = parse(route.body, req.body ?? {}, invalid, "body");
    const params = parse(route.params, req.params, Unexpected);
    const query = parse(route.query, req.query, invalid, "query");
    try {
      const result = await route.run(new MountedRequest(params, query, body, req, res, route.write));
      if (result === alreadySent) return;
      sendJson(res, route.write(result));
    } catch (error) {
      if (error instanceof ApiError) throw error;
      throw (route.fallbackError ?? Unexpected)(error);
    }
  };
}

function parse(
  schema: z.ZodType | undefined,
  value: unknown,
  failure: (cause?: unknown) => ApiError,
  where?: "body" | "query",
): unknown {
  if (!schema) return undefined;
  const { success, data, error } = schema.safeParse(value);
  if (success) return data;
  const refused = failure(error);
  if (where) refused.explain = () => explainInvalid(where, error, value);
  throw refused;
}

/** What a handler is given; the signal is made when it is first asked for, since few handlers do. */
class MountedRequest implements RouteRequest<unknown, unknown, unknown, "public"> {
  readonly viewer: Viewer | undefined;
  #signal: AbortSignal | undefined;

  constructor(
    readonly params: unknown,
    readonly query: unknown,
    readonly body: unknown,
    readonly req: Request,
    readonly res: Response,
    readonly write: WriteReply,
  ) {
    this.viewer = viewerOf(req);
  }

  get signal(): AbortSignal {
    this.#signal ??= abortsWithClient(this.res);
    return this.#signal;
  }
}

function abortsWithClient(res: Response): AbortSignal {
  const controller = new AbortController();
  if (res.destroyed) controller.abort();
  res.once("close", () => {
    if (!res.writableFinished) controller.abort();
  });
  return controller.signal;
}

/** Refuses a top-level JSON value that is not an object; a missing or foreign body counts as `{}`. */
export const requireObjectBody: RequestHandler = (req: Request, _res, next) => {
  if (req.body !== undefined && (typeof req.body !== "object" || req.body === null || Array.isArray(req.body))) {
    const refused = InvalidRequest();
    refused.explain = () => "body: not an object";
    throw refused;
  }
  next();
};
