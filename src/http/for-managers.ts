import type { Manager } from "../models/users/user.js";
import type { Route, RouteGroup } from "./route.js";

/** What differs between the same routes of two roles. The affixes keep their operation ids apart. */
interface ManagerRoutes {
  readonly role: Manager["role"];
  readonly isAdmin: boolean;
  readonly infix: "Admin" | "";
  readonly suffix: "AsAdmin" | "";
}

/**
 * Creates the groups of a feature that administrators use below `/api/admin` and educators below `/api/educator`.
 * @param roles in the order of the description of the API.
 */
export function forManagers(
  name: string,
  roles: readonly Manager["role"][],
  routesOf: (as: ManagerRoutes) => Route[],
): RouteGroup[] {
  return roles.map((role) =>
    role === "admin"
      ? { name, base: "/api/admin", routes: routesOf({ role, isAdmin: true, infix: "Admin", suffix: "AsAdmin" }) }
      : { name, base: "/api/educator", routes: routesOf({ role, isAdmin: false, infix: "", suffix: "" }) },
  );
}
