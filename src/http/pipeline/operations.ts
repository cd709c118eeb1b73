import { createHash, timingSafeEqual } from "node:crypto";
import { Router } from "express";
import type { Connection } from "mongoose";
import type { Registry } from "prom-client";
import { RouteNotFound, Unauthenticated } from "../../lib/errors.js";
import { sendJson, sendText } from "../replies/send-text.js";
import { setRouteLabel } from "./request-metrics.js";

interface OperationsDeps {
  readonly database: Connection;
  readonly metrics: Registry;
  readonly config: { readonly metricsToken: string | undefined; readonly metricsOpen: boolean };
}

/**
 * Serves health, readiness and metrics to operators. The routes match their exact paths only, because a proxy hides them
 * by path.
 */
export function operations({ database, metrics, config }: OperationsDeps): Router {
  const router = Router({ caseSensitive: true, strict: true });
  const isReady = createReadiness(database);
  for (const path of ["/", "/healthz", "/readyz", "/metrics"]) router.get(path, setRouteLabel(path));
  router.get("/", (_req, res) => {
    sendText(res, "API Working", "text/plain; charset=utf-8");
  });
  router.get("/healthz", (_req, res) => {
    sendJson(res, { status: "ok" });
  });
  router.get("/readyz", async (_req, res) => {
    const ready = await isReady();
    res.statusCode = ready ? 200 : 503;
    sendJson(res, { status: ready ? "ready" : "unavailable" });
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

/** Time between two pings. */
const pingPauseMs = 500;

/** Shares one ping of the database among all callers, because anyone may call and a ping takes a pooled connection. */
function createReadiness(database: Connection): () => Promise<boolean> {
  let latest: Promise<boolean> | undefined;
  return () => {
    latest ??= answersPing(database).finally(() => {
      setTimeout(() => {
        latest = undefined;
      }, pingPauseMs).unref();
    });
    return latest;
  };
}

async function answersPing(database: Connection): Promise<boolean> {
  try {
    await database.db?.command({ ping: 1, maxTimeMS: 2_000 });
    return database.db !== undefined;
  } catch {
    return false;
  }
}

/** Compares digests, so that the duration shows neither content nor length. */
function sameSecret(given: string, expected: string): boolean {
  const digest = (text: string) => createHash("sha256").update(text).digest();
  return timingSafeEqual(digest(given), digest(expected));
}
