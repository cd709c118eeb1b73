import { Histogram, type Metric, type Registry } from "prom-client";

/** Returns the registry's metric of a name, and creates it at its first use. */
export function metricOf<M extends Metric>(
  metrics: Registry,
  name: string,
  make: (as: { name: string; registers: Registry[] }) => M,
): M {
  const known = metrics.getSingleMetric(name) as M | undefined;
  return known ?? make({ name, registers: [metrics] });
}

/**
 * Measures how long an event of a provider took to take effect, since a payment event was stored or an identity event
 * was signed.
 */
export function observeEventAge(metrics: Registry, webhook: "payment" | "identity", since: Date): void {
  const help = "Age of an event of a provider when it took effect";
  const buckets = [0.05, 0.1, 0.5, 1, 5, 15, 60, 300, 900, 3600];
  const ages = metricOf(
    metrics,
    "lyceum_webhook_event_age_seconds",
    (as) => new Histogram({ ...as, help, labelNames: ["webhook"], buckets }),
  );
  ages.observe({ webhook }, Math.max(0, Date.now() - since.getTime()) / 1_000);
}
