import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import express, { Router } from "express";
import type { AiEmulator } from "../ai.js";
import { aiDeveloperRoutes } from "../ai.js";
import { deliveryRoutes } from "../deliveries/delivery-routes.js";
import { developerAccess, loopbackOnly } from "../developer-access.js";
import { errorReply } from "../error-reply.js";
import { faultRoutes } from "../faults.js";
import { identityDeveloperRoutes } from "../identity/developer-routes.js";
import type { IdentityEmulator } from "../identity/identity-emulator.js";
import type { LocalServer } from "../local-server.js";
import { paymentsDeveloperRoutes } from "../payments/developer-routes.js";
import type { PaymentsEmulator } from "../payments/payments-emulator.js";
import { type StorageEmulator, storageDeveloperRoutes } from "../storage.js";
import { webFile, webFiles } from "../web-files.js";
import type { Application } from "./application.js";
import { applicationRoutes } from "./application-routes.js";
import { databaseRoutes } from "./database-routes.js";
import { RequestJournal } from "./request-journal.js";
import { requestRoutes } from "./request-routes.js";

/** Folder of lit-html's browser build. Node resolves the package to its own build. */
const litFolder = join(dirname(createRequire(import.meta.url).resolve("lit-html")), "..");

/** The emulators that the console shows. */
export interface ConsoleParts {
  table: readonly { provider: string; kind: "real" | "emulator"; address: string }[];
  identity: IdentityEmulator | undefined;
  payments: PaymentsEmulator | undefined;
  storage: StorageEmulator | undefined;
  ai: AiEmulator | undefined;
}

export interface Console {
  readonly url: string;
  /** Shows the application's address, personas and database. */
  show(application: Application): void;
  /** Records one line of the application's log. */
  record(line: string): void;
}

/** Serves the console, a page that uses the developer routes of each emulator below the emulator's name. */
export function startConsole(server: LocalServer, parts: ConsoleParts): Console {
  const { identity, payments, storage, ai } = parts;
  const journal = new RequestJournal();
  let application: Application | undefined;
  const app = express();
  app.disable("x-powered-by");
  app.use(loopbackOnly(server.url));
  app.use(developerAccess(server.url, "/"));
  app.use(policy(storage?.url));
  app.use(express.json());
  app.get("/state", (_req, res) => {
    const { url, reference, personas = [], database, sales } = application ?? {};
    const emulators = { identity, payments, storage, ai };
    const panels = Object.entries(emulators).flatMap(([name, part]) => (part ? [name] : []));
    res.json({
      providers: parts.table,
      panels: [...panels, ...(sales && identity ? ["sales"] : []), ...(database ? ["database"] : [])],
      application: url === undefined ? undefined : { url, reference },
      personas,
    });
  });
  if (identity) {
    app.use("/identity", faultRoutes(identity.faults), deliveryRoutes(identity), identityDeveloperRoutes(identity));
    app.use(
      "/application",
      applicationRoutes(identity, () => application?.url),
    );
  }
  if (payments) {
    app.use("/payments", faultRoutes(payments.faults), deliveryRoutes(payments), paymentsDeveloperRoutes(payments));
  }
  if (storage) app.use("/storage", faultRoutes(storage.faults), storageDeveloperRoutes(storage));
  if (ai) app.use("/ai", faultRoutes(ai.faults), aiDeveloperRoutes(ai));
  app.use("/requests", requestRoutes(journal));
  let database = Router();
  app.use("/database", (req, res, next) => database(req, res, next));
  app.use("/lit", express.static(litFolder, { index: false }));
  for (const file of ["base.css", "money.js"]) app.get(`/${file}`, (_req, res) => res.sendFile(webFile(file)));
  app.use(webFiles("console"));
  app.use(errorReply);
  server.serve(app);
  return {
    url: server.url,
    show(shown) {
      application = shown;
      database = shown.database ? databaseRoutes(shown.database) : Router();
    },
    record: (line) => journal.record(line),
  };
}

/** Allows the console's own files and files of the media store. The hash allows the inline import map. */
function policy(storage = ""): express.RequestHandler {
  const [, page = ""] = readFileSync(webFile("console/index.html"), "utf8").split('<script type="importmap">');
  const [importMap = ""] = page.split("</script>", 1);
  const hash = createHash("sha256").update(importMap).digest("base64");
  const rules = [
    "default-src 'none'",
    `script-src 'self' 'sha256-${hash}'`,
    "style-src 'self'",
    "connect-src 'self'",
    `img-src 'self' data: ${storage}`,
    `media-src ${storage || "'none'"}`,
    `frame-src ${storage || "'none'"}`,
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
  ];
  return (_req, res, next) => {
    res.set({
      "Content-Security-Policy": rules.join("; "),
      "Referrer-Policy": "no-referrer",
      "X-Content-Type-Options": "nosniff",
    });
    next();
  };
}
