import { Counter, type Registry } from "prom-client";

/** Counts what the cache of the catalog does. */
export function catalogMetrics(metrics: Registry): (what: "hit" | "miss" | "build") => void {
  const registers = [metrics];
  const reads = new Counter({
    name: "lyceum_catalog_reads_total",
    help: "Requests for the catalog: hit when the kept copy was good, miss when one had to be built first",
    labelNames: ["result"],
    registers,
  });
  const builds = new Counter({
    name: "lyceum_catalog_builds_total",
    help: "How often the catalog was built anew, for a request or behind it",
    registers,
  });
  return (what) => (what === "build" ? builds.inc() : reads.inc({ result: what }));
}
