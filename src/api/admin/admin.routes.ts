import type { Deps } from "../../deps.js";
import type { RouteGroup } from "../../http/route.js";
import { applicationRoutes } from "./applications/applications.routes.js";
import { auditRoutes } from "./audit/audit.routes.js";
import { exportRoutes } from "./exports/exports.routes.js";
import { overviewRoutes } from "./overview/overview.routes.js";

/** Guards and counts every path below `/api/admin`, unknown ones and those of other groups with this base included. */
export function adminGroup(deps: Deps): RouteGroup {
  return {
    name: "admin",
    base: "/api/admin",
    access: "admin",
    limit: "admin",
    routes: [...overviewRoutes(deps), ...applicationRoutes(deps), ...auditRoutes(deps), ...exportRoutes(deps)],
  };
}
