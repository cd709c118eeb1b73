import mongoose, { type Connection } from "mongoose";
import type { Logger } from "pino";
import { collectDefaultMetrics, Registry } from "prom-client";
import type { Config } from "./config.js";
import type { Deps } from "./deps.js";
import { createRateLimits } from "./http/rate-limits.js";
import { createModels } from "./models/index.js";
import { CommandError } from "./process.js";
import { createAi } from "./services/ai.js";
import { openDatabase } from "./services/database.js";
import { createIdentity } from "./services/identity.js";
import { createPayments } from "./services/payments.js";
import { createStorage } from "./services/storage.js";

/** Builds what the application needs from its configuration. `close` ends the connections it opened. */
export async function compose(config: Config, log: Logger): Promise<{ deps: Deps; close(): Promise<void> }> {
  const metrics = new Registry();
  collectDefaultMetrics({ register: metrics });
  const database = await reachDatabase(config.mongodbUri);
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

/** @throws CommandError that says why, without anything of the URI, which may hold a password. */
async function reachDatabase(uri: string): Promise<Connection> {
  try {
    return await openDatabase(uri);
  } catch (error) {
    // The driver quotes what it cannot read.
    const unreadable = error instanceof mongoose.mongo.MongoRuntimeError;
    const reason = unreadable ? "its hosts cannot be read" : (error as Error).message;
    throw new CommandError(`MONGODB_URI names no database that can be used: ${reason}`);
  }
}

/** Loaded where it is used only: the client takes a good part of the start. */
async function openSharedCounters(url: string, log: Logger) {
  const { createSharedCounters } = await import("./http/shared-counters.js");
  return createSharedCounters(url, log);
}
