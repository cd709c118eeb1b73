import type { Metric, Registry } from "prom-client";

/** The registry's metric of that name, made at its first use: functions of services have no start to make it at. */
export function metricOf<M extends Metric>(
  metrics: Registry,
  name: string,
  make: (as: { name: string; registers: Registry[] }) => M,
): M {
  const known = metrics.getSingleMetric(name) as M | undefined;
  return known ?? make({ name, registers: [metrics] });
}
