import { createRequire } from "node:module";
import { dirname } from "node:path";
import { Router } from "express";
import helmet from "helmet";
import type { RouteGroup } from "../route.js";
import { describeApi } from "./openapi.js";

const page = `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Lyceum API reference</title>
<link rel="stylesheet" href="/api/docs/swagger-ui.css">
</head>
<body>
<div id="swagger-ui"></div>
<script src="/api/docs/swagger-ui-bundle.js"></script>
<script src="/api/docs/start.js"></script>
</body>
</html>
`;

const start = `window.ui = SwaggerUIBundle({ url: "/api/openapi.json", dom_id: "#swagger-ui", deepLinking: true,
  docExpansion: "list", defaultModelsExpandDepth: 0, persistAuthorization: true, tryItOutEnabled: true });
`;

/** Version of the described API, from package.json. */
export const apiVersion = (createRequire(import.meta.url)("../../../package.json") as { version: string }).version;

/** `/api/openapi.json` and the reference page `/api/docs`, both from the mounted declarations. */
export function documentation(groups: readonly RouteGroup[]): Router {
  const router = Router();
  let described: string | undefined;
  router.get("/api/openapi.json", (_req, res) => {
    described ??= JSON.stringify(describeApi(groups, apiVersion));
    res.type("application/json").send(described);
  });
  // The page is also opened over plain http in development, and it draws its icons from data: URLs.
  const policy = helmet.contentSecurityPolicy({
    useDefaults: true,
    directives: { upgradeInsecureRequests: null, imgSrc: ["'self'", "data:"], styleSrc: ["'self'", "'unsafe-inline'"] },
  });
  router.use("/api/docs", policy);
  router.get("/api/docs", (_req, res) => {
    res.type("html").send(page);
  });
  router.get("/api/docs/start.js", (_req, res) => {
    res.type("application/javascript").send(start);
  });
  const assets = dirname(createRequire(import.meta.url).resolve("swagger-ui-dist/package.json"));
  for (const file of ["swagger-ui.css", "swagger-ui-bundle.js"]) {
    router.get(`/api/docs/${file}`, (_req, res, next) => {
      res.sendFile(file, { root: assets, maxAge: "1h" }, (error) => error && next(error));
    });
  }
  return router;
}
