import { type Express, type Request, type RequestHandler, type Response, Router } from "express";
import type { z } from "zod";
import { ApiError, InvalidRequest, MalformedId, Unexpected } from "../lib/errors.js";
import { guard, type RoleOf, requireScope } from "./auth/guards.js";
import { managerOf, viewerOf } from "./context.js";
import type { RateLimits } from "./limits/rate-limits.js";
import type { AcceptedBody } from "./pipeline/bodies.js";
import { explainInvalid } from "./pipeline/explain-invalid.js";
import { setRouteLabel } from "./pipeline/request-metrics.js";
import { sendJson } from "./replies/send-text.js";
import { alreadySent, type Route, type RouteGroup, rulesOf } from "./route.js";

/** The steps that every request of the groups goes through. */
export interface Steps {
  /** Records the outcomes of an operation. Runs before every step that may refuse a request. */
  watch(operation: string): RequestHandler;
  /** Find out who calls. */
  readonly authenticate: readonly RequestHandler[];
  /** Limit the concurrent requests. */
  readonly underWay: readonly RequestHandler[];
  /** Limits the concurrent uploads. */
  readonly uploads: RequestHandler;
  readonly limits: RateLimits;
  readonly readBody: (accepted?: AcceptedBody) => RequestHandler;
  readonly roleOf: RoleOf;
}

/** Serves the groups of each base by one router, so that a request meets the routes of its own base only. */
export function mountGroups(app: Express, groups: readonly RouteGroup[], steps: Steps): void {
  for (const base of new Set(groups.map((group) => group.base))) {
    const router = Router();
    const some = groups.filter((group) => group.base === base);
    router.use(setRouteLabel(`${base}/*`));
    addWatches(router, some, steps);
    router.use(...steps.authenticate, ...steps.underWay);
    addLimits(router, some, steps);
    addBodies(router, some, steps);
    addRoutes(router, some, steps);
    app.use(base, router);
  }
}

function addWatches(router: Router, groups: readonly RouteGroup[], { watch }: Steps): void {
  for (const { routes } of groups) {
    for (const { operation, method, path } of routes) if (operation) router[method](path, watch(operation));
  }
}

/**
 * Mounts every declared limit on its path before guards and body parsing, so that refused and malformed requests count
 * as well. The limit of a base covers every path below it. Writes that no declared limit has counted count as
 * `otherWrites`. Requests with an API key count as `apiKey` only.
 */
function addLimits(router: Router, groups: readonly RouteGroup[], { limits }: Steps): void {
  router.use(limits.middleware("apiKey"));
  const ofBase = groups[0] && rulesOf(groups[0]).limit;
  if (ofBase) router.use(limits.middleware(ofBase));
  for (const group of groups) {
    for (const { limit, path } of group.routes) {
      if (!limit || limit === ofBase) continue;
      const handlers = [setRouteLabel(patternOf(group, path)), limits.middleware(limit)];
      if (limits.countsOnly(limit) === "post") router.post(path, ...handlers);
      else router.all(path, ...handlers);
    }
  }
  router.use(limits.middleware("otherWrites"));
}

/** Reads the bodies of routes that accept other bodies than the usual ones, and then all others. */
function addBodies(router: Router, groups: readonly RouteGroup[], { readBody }: Steps): void {
  for (const group of groups) {
    for (const { method, path, accepts } of group.routes) {
      if (accepts) router[method](path, setRouteLabel(patternOf(group, path)), readBody(accepts));
    }
  }
  router.use(readBody());
}

/** Mounts each route: access → scope → upload → body, path and query → handler → reply. */
function addRoutes(router: Router, groups: readonly RouteGroup[], { roleOf, uploads }: Steps): void {
  const ofBase = groups[0] && rulesOf(groups[0]).access;
  if (ofBase) router.use(guard(ofBase, roleOf));
  for (const group of groups) {
    for (const route of group.routes) {
      const handlers = [setRouteLabel(patternOf(group, route.path))];
      if (route.access !== ofBase) handlers.push(guard(route.access, roleOf, group.refusals));
      handlers.push(requireScope(route));
      if (route.upload) handlers.push(uploads, route.upload);
      router[route.method](route.path, ...handlers, serveRoute(route));
    }
  }
}

/** The whole path of a route. */
export const patternOf = ({ base }: Pick<RouteGroup, "base">, path: string): string =>
  `${base}${path === "/" ? "" : path}`;

function serveRoute(route: Route): RequestHandler {
  return (req, res) => {
    const work = answer(route, req, res);
    res.work = work;
    return work;
  };
}

/** Parses the request, runs the handler and sends its reply. */
async function answer(route: Route, req: Request, res: Response): Promise<void> {
  const invalid = route.invalid ?? InvalidRequest;
  const body = parse(route.body, req.body ?? {}, invalid, "body");
  const params = parse(route.params, req.params, MalformedId);
  const query = route.query && parse(route.query, req.query, invalid, "query");
  let signal: AbortSignal | undefined;
  try {
    const { access } = route;
    const result = await route.run({
      params,
      query,
      body,
      viewer: viewerOf(req),
      manager: access === "admin" || access === "educator" ? managerOf(req, access) : undefined,
      req,
      res,
      write: route.write,
      // Created on first use, because few handlers use it.
      get signal() {
        signal ??= abortsWithClient(res);
        return signal;
      },
    });
    if (result === alreadySent) return;
    sendJson(res, route.write(result ?? {}));
  } catch (error) {
    if (error instanceof ApiError) throw error;
    // Nobody waits for the reply any more.
    if (signal?.aborted && error === signal.reason) return;
    throw (route.fallbackError ?? Unexpected)(error);
  }
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

function abortsWithClient(res: Response): AbortSignal {
  const controller = new AbortController();
  if (res.destroyed) controller.abort();
  res.once("close", () => {
    if (!res.writableFinished) controller.abort();
  });
  return controller.signal;
}
