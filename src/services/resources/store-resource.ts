import { Types } from "mongoose";
import type { Db } from "../../db/db.js";
import { insertOnce } from "../../db/insert-once.js";
import type { Deps } from "../../deps.js";
import { failure } from "../../lib/errors.js";
import { touchResources } from "../../models/courses/course-queries.js";
import type { CourseResource } from "../../models/courses/course-resource.js";
import type { ManagedCourse } from "../courses/managed-course.js";
import { CourseNotFound } from "../failures.js";
import { recogniseFile } from "./recognise-file.js";
import { fileOf } from "./resources.js";

export const TooManyResources = failure("too_many_resources", 409, "Too many resources");

const maxResources = 200;

/** Time after which an upload has certainly ended. It takes 20 s at most. */
const uploadEndsAfterMs = 10 * 60_000;

/** Delay before the file of a failed upload is removed, because the storage may still be receiving it. */
const discardAfterMs = 60_000;

/** A temporary file, and its name as the educator sent it. */
export interface UploadedFile {
  readonly name: string;
  readonly path: string;
  /** Bytes. */
  readonly size: number;
}

/**
 * Stores a file for the learners of a course. The row exists before the file, so that a job removes the file when a crash
 * or the storage prevents the end.
 * @throws FileTypeNotAllowed, BodyTooLarge, TooManyResources, CourseNotFound, and errors of the storage.
 */
export async function storeResource(
  deps: Pick<Deps, "db" | "storage">,
  { _id: courseId, educatorId }: ManagedCourse,
  { name, path, size }: UploadedFile,
): Promise<CourseResource> {
  const { db, storage } = deps;
  const { extension, ...type } = await recogniseFile(path, name);
  const _id = new Types.ObjectId();
  const file = `resources/${courseId}/${_id}.${extension}`;
  await openResource(db, { _id, courseId, educatorId, file, name, size, ...type });
  try {
    await storage.put({ ...fileOf({ file }), content: path });
    return await db.CourseResource.findOneAndUpdate(
      { _id, state: "uploading" },
      { $set: { state: "stored" }, $unset: { discardAt: 1 } },
      { returnDocument: "after" },
    )
      .lean<CourseResource>()
      .orFail();
  } catch (error) {
    const due = new Date(Date.now() + discardAfterMs);
    // If this fails too, the row is due later on.
    await db.CourseResource.updateOne(
      { _id, state: "uploading" },
      { $set: { state: "removed", discardAt: due } },
    ).catch(() => undefined);
    db.jobWakeups.emit("CourseResource");
    throw error;
  }
}

type NewResource = Omit<CourseResource, "state" | "discardAt" | "attempts" | "createdAt">;

/** Stores the intent to upload a file. The course is written too, so that concurrent uploads count each other. */
async function openResource(db: Db, resource: NewResource): Promise<void> {
  const { _id, courseId } = resource;
  const due = new Date(Date.now() + uploadEndsAfterMs);
  await insertOnce(db, db.CourseResource, resource, { mutex: `course:${courseId}` }, async (session) => {
    const present = { courseId, state: { $in: ["stored", "uploading"] as const } };
    const count = await db.CourseResource.countDocuments(present).session(session);
    if (count >= maxResources) throw TooManyResources();
    const row = { ...resource, state: "uploading" as const, discardAt: due };
    await db.CourseResource.create([row], { session });
    if (!(await touchResources(db, courseId, session))) throw CourseNotFound();
  });
}
