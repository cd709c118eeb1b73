import type { Manager } from "../models/users/user.js";
import type { Route, RouteGroup } from "./route.js";

/** What differs between the same routes of two roles. The affixes keep their operation ids apart. */
interface ManagerRoutes {
  readonly role: Manager["role"];
  readonly isAdmin: boolean;
  readonly infix: "Admin" | "";
  readonly suffix: "AsAdmin" | "";
}

/** Creates the groups of a feature that administrators use below `/api/admin` and educators below `/api/educator`. */
export function forManagers(name: string, routesOf: (as: ManagerRoutes) => Route[]): RouteGroup[] {
  return [
    {
      name,
      base: "/api/admin",
      access: "admin",
      limit: "admin",
      routes: routesOf({ role: "admin", isAdmin: true, infix: "Admin", suffix: "AsAdmin" }),
    },
    {
      name,
      base: "/api/educator",
      routes: routesOf({ role: "educator", isAdmin: false, infix: "", suffix: "" }),
    },
  ];
}
