import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname } from "node:path";
import { Router } from "express";
import helmet from "helmet";
import { fillHtml } from "../../lib/escape-html.js";
import { version } from "../../lib/version.js";
import type { RouteGroup } from "../route.js";
import { describeApi, describeWebhooks, type ReceivedWebhooks } from "./openapi.js";
import type { RecordedExamples } from "./with-examples.js";

export interface DocumentationOptions {
  /** Name of the platform. */
  readonly title: string;
  /** Address of the identity provider's emulator: the page signs in as one of its users. Absent in production. */
  readonly identityEmulator?: string | undefined;
  readonly received: ReceivedWebhooks;
}

/** Requests and replies of every route, recorded by `npm run examples`. */
const examples = createRequire(import.meta.url)("./examples.json") as RecordedExamples;

/** The descriptions of the API and of the webhooks, and the reference page `/api/docs`, from the mounted declarations. */
export function documentation(groups: readonly RouteGroup[], options: DocumentationOptions): Router {
  const { title, identityEmulator, received } = options;
  const router = Router();
  const about = { version, title, examples };
  serveDocument("/api/openapi.json", () => describeApi(groups, about));
  serveDocument("/api/openapi-webhooks.json", () => describeWebhooks(received, about));
  // The page is also opened over plain http in development, and it draws its icons from data: URLs.
  const policy = helmet.contentSecurityPolicy({
    useDefaults: true,
    directives: {
      upgradeInsecureRequests: null,
      imgSrc: ["'self'", "data:"],
      styleSrc: ["'self'", "'unsafe-inline'"],
      connectSrc: ["'self'", ...(identityEmulator ? [identityEmulator] : [])],
    },
  });
  router.use("/api/docs", policy);
  const readPart = (file: string) => readFileSync(new URL(`./reference/${file}`, import.meta.url), "utf8");
  const template = readPart("page.html").replace("{{signIn}}", identityEmulator ? readPart("sign-in.html") : "");
  const page = fillHtml(template, { title, emulator: identityEmulator ?? "" });
  router.get("/api/docs", (_req, res) => {
    res.type("html").send(page);
  });
  for (const file of ["start.js", "page.css"]) {
    const content = readPart(file);
    router.get(`/api/docs/${file}`, (_req, res) => {
      res.type(file).send(content);
    });
  }
  const assets = dirname(createRequire(import.meta.url).resolve("swagger-ui-dist/package.json"));
  for (const file of ["swagger-ui.css", "swagger-ui-bundle.js"]) {
    router.get(`/api/docs/${file}`, (_req, res, next) => {
      res.sendFile(file, { root: assets, maxAge: "1h" }, (error) => error && next(error));
    });
  }
  return router;

  /** Keeps bytes, because responses share them; each response would convert a text again. */
  function serveDocument(path: string, describe: () => object): void {
    let described: Buffer | undefined;
    router.get(path, (_req, res) => {
      described ??= Buffer.from(JSON.stringify(describe()));
      res.type("application/json").send(described);
    });
  }
}
