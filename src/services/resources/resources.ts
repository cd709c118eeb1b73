import { Types } from "mongoose";
import type { Db } from "../../db/db.js";
import type { Deps } from "../../deps.js";
import { failure } from "../../lib/errors.js";
import { isResourceInUse, touchResources } from "../../models/courses/course-queries.js";
import type { CourseResource } from "../../models/courses/course-resource.js";
import type { StoredFile } from "../../providers/cloudinary.js";
import type { ManagedCourse } from "../courses/managed-course.js";

export const ResourceNotFound = failure("resource_not_found", 404, "Resource not found");

export const ResourceInUse = failure("resource_in_use", 409, "Resource is in use");

/** The file of a resource in the media storage. */
export const fileOf = ({ file }: Pick<CourseResource, "file">): StoredFile => ({
  publicId: file,
  kind: "raw",
  isPrivate: true,
});

/** The resources of a course in the order of their upload. */
export function listResources(db: Db, { _id: courseId }: ManagedCourse): Promise<CourseResource[]> {
  return db.CourseResource.find({ courseId, state: "stored" })
    .sort({ createdAt: 1, _id: 1 })
    .lean<CourseResource[]>()
    .exec();
}

/** @throws ResourceNotFound. */
export async function findResource(
  db: Db,
  courseId: string | { readonly $in: readonly Types.ObjectId[] },
  resourceId: string,
): Promise<CourseResource> {
  const wanted = { _id: resourceId, courseId, state: "stored" as const };
  const resource = await db.CourseResource.findOne(wanted).lean<CourseResource>();
  if (!resource) throw ResourceNotFound();
  return resource;
}

/**
 * Removes a resource of a course. A job removes its file. The course is written too, because an edit that names the
 * resource writes the course.
 * @throws ResourceNotFound, ResourceInUse.
 */
export async function removeResource(
  db: Db,
  { _id: courseId, educatorId }: ManagedCourse,
  resourceId: string,
): Promise<void> {
  const due = new Date();
  await db.transaction(
    async (session) => {
      const { modifiedCount } = await db.CourseResource.updateOne(
        { _id: new Types.ObjectId(resourceId), courseId, state: "stored" },
        { $set: { state: "removed", discardAt: due } },
        { session },
      );
      if (modifiedCount === 0) throw ResourceNotFound();
      if (await isResourceInUse(db, { courseId, educatorId, resourceId }, session)) throw ResourceInUse();
      await touchResources(db, courseId, session);
    },
    { mutex: `course:${courseId}` },
  );
  db.jobWakeups.emit("CourseResource");
}

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
