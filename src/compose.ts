import type { Logger } from "pino";
import { collectDefaultMetrics, Registry } from "prom-client";
import type { Config } from "./config.js";
import type { Deps } from "./deps.js";
import { createRateLimits } from "./http/rate-limits.js";
import { createModels } from "./models/index.js";
import { createAi } from "./services/ai.js";
import { openDatabase } from "./services/database.js";
import { createIdentity } from "./services/identity.js";
import { createPayments } from "./services/payments.js";
import { createStorage } from "./services/storage.js";

/** Builds what the application needs from its configuration. `close` ends the connections it opened. */
export async function compose(config: Config, log: Logger): Promise<{ deps: Deps; close(): Promise<void> }> {
  const metrics = new Registry();
  collectDefaultMetrics({ register: metrics });
  const database = await openDatabase(config.mongodbUri);
  const counters = config.redisUrl ? await openSharedCounters(config.redisUrl, log) : undefined;
  const deps: Deps = {
    config,
    log,
    metrics,
    database,
    models: createModels(database),
    limits: createRateLimits(counters?.storeFor),
    identity: createIdentity(config.identity),
    payments: createPayments(config.payments),
    storage: await createStorage(config.cloudinaryUrl),
    ai: createAi(config.ai, { log, metrics }),
  };
  return {
    deps,
    async close() {
      await counters?.close();
      await database.close();
    },
  };
}

/** Loaded where it is used only: the client takes a good part of the start. */
async function openSharedCounters(url: string, log: Logger) {
  const { createSharedCounters } = await import("./http/shared-counters.js");
  return createSharedCounters(url, log);
}
