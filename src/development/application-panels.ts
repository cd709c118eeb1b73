import { fileURLToPath } from "node:url";
import type { Application, ClerkEmulator } from "@lyceum/provider-emulators";
import { applicationRoutes } from "./application-routes.js";

/** The console's panel of coupons, grants, purchases and invoices. @param url of the server. */
export function salesPanel(clerk: ClerkEmulator, url: string): Required<Pick<Application, "panels" | "routes">> {
  return {
    panels: [fileURLToPath(new URL("./console/sales.js", import.meta.url))],
    routes: applicationRoutes(clerk, url),
  };
}
