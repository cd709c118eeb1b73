import { Counter, Gauge, type Registry } from "prom-client";
import type { Db } from "../../db/db.js";
import { pendingDeliveries } from "../../models/events/webhook-delivery.js";
import { metricOf } from "../metric-of.js";

/** Counts a delivery that was delivered or has failed for good. */
export function countDelivery(metrics: Registry, outcome: "delivered" | "failed"): void {
  const help = "Deliveries to webhooks that this process has delivered, or that have failed for good";
  const name = "lyceum_webhook_deliveries_total";
  metricOf(metrics, name, (as) => new Counter({ ...as, help, labelNames: ["outcome"] })).inc({ outcome });
}

/** Counting stops here so that a scrape stays cheap. */
const maxCounted = 1_000;

/** Reports the platform's pending deliveries at each scrape. */
export function watchDeliveries(db: Db, metrics: Registry): void {
  new Gauge({
    name: "lyceum_webhook_deliveries_pending",
    help: "Deliveries to webhooks that are not delivered yet, those between two attempts included, 1000 at most",
    registers: [metrics],
    async collect() {
      const counting = db.WebhookDelivery.countDocuments(pendingDeliveries).limit(maxCounted);
      this.set(await counting.catch(() => Number.NaN));
    },
  });
  new Gauge({
    name: "lyceum_webhook_oldest_pending_seconds",
    help: "Age of the oldest pending delivery to a webhook; 0 when none is pending",
    registers: [metrics],
    async collect() {
      const oldest = await db.WebhookDelivery.findOne(pendingDeliveries, { createdAt: 1, _id: 0 })
        .sort({ createdAt: 1 })
        .lean()
        .catch(() => undefined);
      if (oldest === undefined) return;
      this.set(oldest ? Math.max(0, Date.now() - oldest.createdAt.getTime()) / 1_000 : 0);
    },
  });
}
