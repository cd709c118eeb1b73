import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import express, { Router } from "express";
import type { OpenAiEmulator } from "../ai/openai-emulator.js";
import { aiDeveloperRoutes } from "../ai.js";
import { deliveryRoutes } from "../deliveries/delivery-routes.js";
import { developerAccess, loopbackOnly } from "../developer-access.js";
import { errorReply } from "../error-reply.js";
import { faultRoutes } from "../fault-routes.js";
import type { ClerkEmulator } from "../identity/clerk-emulator.js";
import { identityDeveloperRoutes } from "../identity/developer-routes.js";
import type { LocalServer } from "../local-server.js";
import type { SmtpEmulator } from "../mail/smtp-emulator.js";
import { mailDeveloperRoutes } from "../mail.js";
import type { ProviderRow } from "../options.js";
import { paymentsDeveloperRoutes } from "../payments/developer-routes.js";
import type { RazorpayEmulator } from "../payments/razorpay-emulator.js";
import type { CloudinaryEmulator } from "../storage/cloudinary-emulator.js";
import { storageDeveloperRoutes } from "../storage.js";
import { webFile, webFiles } from "../web-files.js";
import type { Application, Console } from "./application.js";
import { databaseRoutes } from "./database-routes.js";
import { RequestJournal } from "./request-journal.js";
import { requestRoutes } from "./request-routes.js";

/** Folder of lit-html's browser build. Node resolves the package to its own build. */
const litFolder = join(dirname(createRequire(import.meta.url).resolve("lit-html")), "..");

/** The emulators that the console shows. */
export interface ConsoleParts {
  table: readonly ProviderRow[];
  clerk: ClerkEmulator | undefined;
  razorpay: RazorpayEmulator | undefined;
  cloudinary: CloudinaryEmulator | undefined;
  openai: OpenAiEmulator | undefined;
  smtp: SmtpEmulator | undefined;
}

/** Serves the console, a page that uses the developer routes of each emulator below the emulator's name. */
export function startConsole(server: LocalServer, parts: ConsoleParts): Console {
  const { clerk: identity, razorpay: payments, cloudinary: storage, openai: ai, smtp: mail } = parts;
  const journal = new RequestJournal();
  let application: Application | undefined;
  const app = express();
  app.disable("x-powered-by");
  app.use(loopbackOnly(server.url));
  app.use(developerAccess(server.url, "/"));
  app.use(policy(storage?.url));
  app.use(express.json());
  app.get("/state", (_req, res) => {
    const { url, reference, personas = [], database, services = [], panels: own = [] } = application ?? {};
    const emulators = { identity, payments, storage, ai, mail };
    const panels = Object.entries(emulators).flatMap(([name, part]) => (part ? [name] : []));
    res.json({
      providers: [...services, ...parts.table],
      panels: [...panels, ...(database ? ["database"] : [])],
      modules: own.map((_file, position) => `/panels/own/${position}.js`),
      application: url === undefined ? undefined : { url, reference },
      personas: personas.filter(({ id }) => !identity || identity.user(id)),
    });
  });
  if (identity) {
    app.use("/identity", faultRoutes(identity.faults), deliveryRoutes(identity), identityDeveloperRoutes(identity));
  }
  if (payments) {
    app.use("/payments", faultRoutes(payments.faults), deliveryRoutes(payments), paymentsDeveloperRoutes(payments));
  }
  if (storage) app.use("/storage", faultRoutes(storage.faults), storageDeveloperRoutes(storage));
  if (ai) app.use("/ai", faultRoutes(ai.faults), aiDeveloperRoutes(ai));
  if (mail) app.use("/mail", faultRoutes(mail.faults), mailDeveloperRoutes(mail));
  app.use("/requests", requestRoutes(journal));
  app.get("/panels/own/:position.js", (req, res, next) => {
    const file = application?.panels?.[Number(req.params.position)];
    if (file) res.sendFile(file, { dotfiles: "allow" });
    else next();
  });
  app.use("/application", (req, res, next) => {
    if (application?.routes) application.routes(req, res, next);
    else next();
  });
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
    `frame-src 'self' ${storage}`,
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
