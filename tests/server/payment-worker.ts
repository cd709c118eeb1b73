import { pino } from "pino";
import { Registry } from "prom-client";
import type { Config } from "../../src/config.js";
import { openDatabase } from "../../src/db/connection.js";
import { createDb } from "../../src/db/db.js";
import { processPaymentEvent, storePaymentEvent } from "../../src/services/payments/events/payment-events.js";

/** The worker's argument, as JSON. */
export interface WorkerSetup {
  readonly databaseUri: string;
  readonly config: Pick<Config, "payments" | "invoices">;
}

/** A webhook's verified message, or one run of the reconciler. */
export type Work = { readonly kind: "event"; readonly body: string } | { readonly kind: "reconcile" };

/**
 * Runs the part of the server that moves money in a process that a test can kill. It sends `ready`, accepts one piece
 * of work and sends `done`.
 */
const { databaseUri, config } = JSON.parse(process.argv[2] ?? "{}") as WorkerSetup;
const db = createDb(await openDatabase(databaseUri));
const deps = { db, config, log: pino({ level: "silent" }), metrics: new Registry() };

process.on("message", async (work: Work) => {
  if (work.kind === "reconcile") {
    const { reconcilePurchases } = await import("../../src/services/payments/reconcile/reconcile-purchases.js");
    const { createPayments } = await import("../../src/providers/razorpay.js");
    await reconcilePurchases({ ...deps, payments: createPayments(config.payments) }, { all: true });
  } else {
    await processPaymentEvent(deps, await storePaymentEvent(deps, Buffer.from(work.body), null));
  }
  process.send?.("done");
});
process.send?.("ready");
