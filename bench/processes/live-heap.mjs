// Loaded into a server before its own code (node --import): after each collection of the whole heap it notes what was
// left, in a file named by the process in LIVE_HEAP_DIR. A line is the time and the bytes outside the young generation.
import { appendFileSync } from "node:fs";
import { join } from "node:path";
import { constants, PerformanceObserver } from "node:perf_hooks";
import { getHeapSpaceStatistics } from "node:v8";

const file = join(process.env.LIVE_HEAP_DIR, String(process.pid));
const collected = new PerformanceObserver((list) => {
  if (!list.getEntries().some(({ detail }) => detail.kind === constants.NODE_PERFORMANCE_GC_MAJOR)) return;
  const old = getHeapSpaceStatistics().filter(({ space_name }) => !space_name.startsWith("new_"));
  const bytes = old.reduce((sum, space) => sum + space.space_used_size, 0);
  appendFileSync(file, `${Date.now()} ${bytes}\n`);
});
collected.observe({ entryTypes: ["gc"] });
