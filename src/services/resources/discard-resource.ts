import type { Deps } from "../../deps.js";
import type { CourseResource } from "../../models/courses/course-resource.js";
import { fileOf } from "./resources.js";

/** Removes a file that no resource has any more: the file first, then the row. */
export async function discardResource(
  { db, storage }: Pick<Deps, "db" | "storage">,
  { _id, file }: Pick<CourseResource, "_id" | "file">,
): Promise<void> {
  // From here on, an upload that is very late does not become a resource.
  await db.CourseResource.updateOne({ _id, state: "uploading" }, { $set: { state: "removed" } });
  await storage.remove(fileOf({ file }));
  await db.CourseResource.deleteOne({ _id, state: "removed" });
}
