import { createRequire } from "node:module";
import { dirname } from "node:path";
import { Router } from "express";
import helmet from "helmet";
import type { RouteGroup } from "../route.js";
import { describeApi, type ReceivedWebhooks } from "./openapi.js";
import { referencePage, referenceScript, referenceStyle } from "./reference-page.js";
import type { RecordedExamples } from "./with-examples.js";

export interface DocumentationOptions {
  /** Name of the platform. */
  readonly title: string;
  /** Address of the identity provider's emulator: the page signs in as one of its users. Absent in production. */
  readonly identityEmulator?: string | undefined;
  readonly received: ReceivedWebhooks;
}

/** Version of the described API, from package.json. */
export const apiVersion = (createRequire(import.meta.url)("../../../package.json") as { version: string }).version;

/** Requests and replies of every route, recorded by `npm run examples`. */
const examples = createRequire(import.meta.url)("./examples.json") as RecordedExamples;

/** `/api/openapi.json` and the reference page `/api/docs`, both from the mounted declarations. */
export function documentation(groups: readonly RouteGroup[], options: DocumentationOptions): Router {
  const { title, identityEmulator, received } = options;
  const router = Router();
  // Bytes, because responses share them; each response would convert a text again.
  let described: Buffer | undefined;
  router.get("/api/openapi.json", (_req, res) => {
    described ??= Buffer.from(JSON.stringify(describeApi(groups, { version: apiVersion, title, examples, received })));
    res.type("application/json").send(described);
  });
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
  const page = referencePage(title, identityEmulator);
  router.get("/api/docs", (_req, res) => {
    res.type("html").send(page);
  });
  router.get("/api/docs/start.js", (_req, res) => {
    res.type("js").send(referenceScript);
  });
  router.get("/api/docs/page.css", (_req, res) => {
    res.type("css").send(referenceStyle);
  });
  const assets = dirname(createRequire(import.meta.url).resolve("swagger-ui-dist/package.json"));
  for (const file of ["swagger-ui.css", "swagger-ui-bundle.js"]) {
    router.get(`/api/docs/${file}`, (_req, res, next) => {
      res.sendFile(file, { root: assets, maxAge: "1h" }, (error) => error && next(error));
    });
  }
  return router;
}
