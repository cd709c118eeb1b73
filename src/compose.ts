import mongoose, { type Connection } from "mongoose";
import type { Logger } from "pino";
import { collectDefaultMetrics, Gauge, Registry } from "prom-client";
import type { Config } from "./config.js";
import { hasTransactions, openDatabase } from "./db/connection.js";
import { createDb } from "./db/db.js";
import type { Deps } from "./deps.js";
import { createRateLimits } from "./http/limits/rate-limits.js";
import { version } from "./lib/version.js";
import { CommandError } from "./process.js";
import { createIdentity } from "./providers/clerk.js";
import { createStorage } from "./providers/cloudinary.js";
import { createMailer, isFailedMail } from "./providers/mail.js";
import { createCallMeasure } from "./providers/measure-calls.js";
import { createAi } from "./providers/openai/openai.js";
import { createPayments } from "./providers/razorpay.js";
import { createWebhookSender } from "./providers/webhook-sender.js";
import { createIssuer } from "./services/credentials/issuer.js";
import { createNoticeStreams } from "./services/notices/notice-streams.js";
import { createRenderTurns } from "./services/render-turns.js";

/** Creates the dependencies of the application from its configuration. `close` ends their connections. */
export async function compose(config: Config, log: Logger): Promise<{ deps: Deps; close(): Promise<void> }> {
  const metrics = new Registry();
  collectDefaultMetrics({ register: metrics });
  new Gauge({
    name: "lyceum_build_info",
    help: "Always 1; its labels say what runs",
    labelNames: ["version", "revision", "node"],
    registers: [metrics],
  }).set({ version, revision: config.revision, node: process.versions.node }, 1);
  const database = await reachDatabase(config.mongodbUri);
  const measured = createCallMeasure(metrics);
  const counters = config.redisUrl ? await openSharedCounters(config.redisUrl, log) : undefined;
  const db = createDb(database, metrics);
  const mailer = config.mail ? createMailer(config.mail, log) : undefined;
  const deps: Deps = {
    config,
    log,
    metrics,
    database,
    db,
    limits: createRateLimits(metrics, { storeFor: counters?.storeFor, factor: config.relaxedRateLimits ? 10 : 1 }),
    identity: measured("identity", createIdentity(config.identity)),
    payments: measured("payments", createPayments(config.payments)),
    storage: measured("media_storage", createStorage(config.cloudinaryUrl)),
    ai: createAi(config.ai, { log, metrics }),
    webhooks: createWebhookSender({ isDevelopment: !config.production }),
    noticeStreams: createNoticeStreams(db),
    renderInTurn: createRenderTurns(),
    issuer: createIssuer(config),
    mailer: mailer && measured("mail", mailer, isFailedMail),
  };
  return {
    deps,
    async close() {
      mailer?.close();
      await counters?.close();
      await db.close();
    },
  };
}

/** @throws CommandError with the reason, but without the URI, which may have a password. */
async function reachDatabase(uri: string): Promise<Connection> {
  const connection = await openDatabase(uri).catch((error: Error) => {
    // The driver quotes an unreadable URI.
    const unreadable = error instanceof mongoose.mongo.MongoRuntimeError;
    const reason = unreadable ? "its hosts cannot be read" : error.message;
    throw new CommandError(`MONGODB_URI names no database that can be used: ${reason}`);
  });
  if (await hasTransactions(connection)) return connection;
  await connection.close();
  throw new CommandError(
    "MONGODB_URI names a standalone MongoDB, which has no transactions: start it with `mongod --replSet rs0` and run `rs.initiate()` in mongosh once",
  );
}

/** Loads the Redis client only when it is used, because loading it takes a large part of the start. */
async function openSharedCounters(url: string, log: Logger) {
  const { createSharedCounters } = await import("./http/limits/shared-counters.js");
  return createSharedCounters(url, log);
}
