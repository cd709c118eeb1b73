import { createHash, timingSafeEqual } from "node:crypto";
import { Router } from "express";
import type { Connection } from "mongoose";
import type { Registry } from "prom-client";
import { RouteNotFound, Unauthenticated } from "../errors.js";

interface Operated {
  readonly database: Connection;
  readonly metrics: Registry;
  readonly config: { readonly metricsToken: string | undefined; readonly metricsOpen: boolean };
}

/** Routes for operators: health, readiness, metrics. */
export function operations({ database, metrics, config }: Operated): Router {
  const router = Router();
  router.get("/", (_req, res) => {
    res.type("text/plain").send("API Working");
  });
  router.get("/healthz", (_req, res) => {
    res.json({ status: "ok" });
  });
  router.get("/readyz", async (_req, res) => {
    const ready = await answers(database);
    res.status(ready ? 200 : 503).json({ status: ready ? "ready" : "unavailable" });
  });
  router.get("/metrics", async (req, res) => {
    if (!config.metricsToken && !config.metricsOpen) throw RouteNotFound();
    if (config.metricsToken && !sameSecret(req.headers.authorization ?? "", `Bearer ${config.metricsToken}`)) {
      throw Unauthenticated();
    }
    res.type(metrics.contentType).send(await metrics.metrics());
  });
  return router;
}

async function answers(database: Connection): Promise<boolean> {
  try {
    await database.db?.command({ ping: 1 }, { timeoutMS: 2_000 });
    return database.db !== undefined;
  } catch {
    return false;
  }
}

/** Compares digests, so that neither content nor length shows in the time it takes. */
function sameSecret(given: string, expected: string): boolean {
  const digest = (text: string) => createHash("sha256").update(text).digest();
  return timingSafeEqual(digest(given), digest(expected));
}
