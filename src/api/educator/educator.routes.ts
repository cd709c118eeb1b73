import type { Deps } from "../../deps.js";
import type { RouteGroup } from "../../http/route.js";
import { applicationRoutes } from "./applications.routes.js";
import { courseRoutes } from "./courses.routes.js";
import { dashboardRoutes } from "./dashboards.routes.js";

/** What educators do, and how one becomes an educator. */
export function educatorGroup(deps: Deps): RouteGroup {
  return {
    name: "educator",
    base: "/api/educator",
    routes: [...applicationRoutes(deps), ...courseRoutes(deps), ...dashboardRoutes(deps)],
  };
}
