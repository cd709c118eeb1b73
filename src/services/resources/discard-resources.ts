import type { Deps } from "../../deps.js";
import { backoffMs } from "../../lib/backoff.js";
import type { CourseResource } from "../../models/courses/course-resource.js";
import { fileOf } from "./resources.js";

const maxPerRun = 100;
const attemptPauses = { firstMs: 5_000, maxMs: 10 * 60_000 };

/** Removes files that no resource has any more: the file first, then the row. @returns how many were removed. */
export async function discardResources(
  { db, storage, log }: Pick<Deps, "db" | "storage" | "log">,
  signal: AbortSignal,
): Promise<number> {
  const due = await db.CourseResource.find({ discardAt: { $lte: new Date() } })
    .sort({ discardAt: 1 })
    .limit(maxPerRun)
    .lean<CourseResource[]>();
  let removed = 0;
  for (const { _id, file, attempts } of due) {
    if (signal.aborted) break;
    // From here on, an upload that is very late does not become a resource.
    await db.CourseResource.updateOne({ _id, state: "uploading" }, { $set: { state: "removed" } });
    try {
      await storage.remove(fileOf({ file }));
      await db.CourseResource.deleteOne({ _id, state: "removed" });
      removed += 1;
    } catch (error) {
      const discardAt = new Date(Date.now() + backoffMs(attempts, attemptPauses));
      await db.CourseResource.updateOne({ _id, state: "removed" }, { $set: { discardAt }, $inc: { attempts: 1 } });
      log.warn(
        { eventId: "resource_not_removed", file, cause: String(error) },
        "a removed resource still has its file",
      );
      // The storage is probably unavailable, so the other files wait for the next run.
      break;
    }
  }
  return removed;
}
