import type { Metric, Registry } from "prom-client";

/** Returns the registry's metric of a name, and creates it at its first use. */
export function metricOf<M extends Metric>(
  metrics: Registry,
  name: string,
  make: (as: { name: string; registers: Registry[] }) => M,
): M {
  const known = metrics.getSingleMetric(name) as M | undefined;
  return known ?? make({ name, registers: [metrics] });
}
