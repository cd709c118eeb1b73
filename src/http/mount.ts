import { type Express, type RequestHandler, Router } from "express";
import { guard, type RoleOf } from "./auth/guards.js";
import type { Admission } from "./limits/admission.js";
import type { RateLimits } from "./limits/rate-limits.js";
import { named } from "./pipeline/request-metrics.js";
import type { RouteGroup } from "./route.js";
import { serveRoute } from "./serve-route.js";

/** What every request of the groups goes through. */
export interface Steps {
  /** Watches an operation, ahead of whatever may refuse a request. */
  watch(operation: string): RequestHandler;
  readonly authenticate: RequestHandler;
  /** Bounds the requests of one user that are under way. */
  readonly underWay: RequestHandler;
  /** Bound the uploads that are under way. */
  readonly uploads: readonly RequestHandler[];
  readonly limits: RateLimits;
  readonly body: readonly RequestHandler[];
  readonly roleOf: RoleOf;
  readonly admission: Admission;
}

/** Serves the groups: those of one base by one router, so that a request meets the routes of its own base only. */
export function mountGroups(app: Express, groups: readonly RouteGroup[], steps: Steps): void {
  for (const base of new Set(groups.map((group) => group.base))) {
    const router = Router();
    const some = groups.filter((group) => group.base === base);
    router.use(named(`${base}/*`));
    addWatches(router, some, steps);
    router.use(steps.authenticate, steps.underWay);
    addLimits(router, some, steps);
    router.use(...steps.body);
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
 * Puts every declared limit on its path, ahead of guards and body parsing, so that refused and malformed requests count
 * as well. A group's limit covers every path below its base; where groups share a base, a request counts once. Writes
 * that no declared limit has counted count as other writes.
 */
function addLimits(router: Router, groups: readonly RouteGroup[], { limits }: Steps): void {
  const ofAll = new Set(groups.flatMap(({ limit }) => limit ?? []));
  for (const limit of ofAll) router.use(limits.middleware(limit));
  for (const group of groups) {
    for (const { limit, path } of group.routes) {
      if (!limit || limit === group.limit) continue;
      const handlers = [named(patternOf(group, path)), limits.middleware(limit)];
      if (limits.countsOnly(limit) === "post") router.post(path, ...handlers);
      else router.all(path, ...handlers);
    }
  }
  router.use(limits.middleware("otherWrites"));
}

/** Each route: access → upload → place among the requests at once → body → path and query → handler → reply. */
function addRoutes(router: Router, groups: readonly RouteGroup[], { roleOf, uploads, admission }: Steps): void {
  let guarded = false;
  for (const group of groups) {
    if (group.access && !guarded) {
      guarded = true;
      router.use(guard(group.access, roleOf, group.refusals));
    }
    for (const route of group.routes) {
      const handlers = [named(patternOf(group, route.path))];
      if (route.access !== group.access) handlers.push(guard(route.access, roleOf, group.refusals));
      if (route.upload) handlers.push(...uploads, route.upload);
      router[route.method](route.path, ...handlers, serveRoute(route, admission));
    }
  }
}

const patternOf = ({ base }: RouteGroup, path: string): string => `${base}${path === "/" ? "" : path}`;
