import { fileURLToPath } from "node:url";
import type { Application, ClerkEmulator } from "@lyceum/provider-emulators";
import { Router } from "express";
import { applicationRoutes } from "./application-routes.js";
import { webhookReceiver } from "./webhook-receiver.js";

/** The console's panels of sales, events and credentials. @param url of the server. */
export function applicationPanels(clerk: ClerkEmulator, url: string): Required<Pick<Application, "panels" | "routes">> {
  return {
    panels: [
      fileURLToPath(new URL("./console/sales.js", import.meta.url)),
      fileURLToPath(new URL("./console/events.js", import.meta.url)),
      fileURLToPath(new URL("./console/credentials.js", import.meta.url)),
    ],
    routes: Router().use("/receiver", webhookReceiver()).use(applicationRoutes(clerk, url)),
  };
}
