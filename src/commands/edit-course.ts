import type { Db } from "../db/db.js";
import type { Deps } from "../deps.js";
import { failure } from "../http/errors.js";
import type { Course } from "../models/course.js";
import { changeCatalog } from "./catalog-revision.js";
import { arrangeCurriculum, keepLectureUrls, requirePayable } from "./course-terms.js";
import { CourseNotFound } from "./course-view.js";
import type { NewCourse } from "./create-course.js";
import { discardThumbnail, discardUnlessShown, storeThumbnail } from "./store-thumbnail.js";

export const NotTheOwner = failure(403, "Not authorized");
export const CourseChanged = failure(409, "Course was changed by someone else");
export const NoLecture = failure(400, "Add at least one lecture before publishing");

/** What an edit may change; `version` is the one that the educator saw. */
export type CourseEdit = { [K in keyof NewCourse]?: NewCourse[K] | undefined } & { version: number };

/** @throws CourseNotFound, NotTheOwner. */
export async function ownCourse(db: Db, courseId: string, educatorId: string): Promise<Course> {
  const course = await db.Course.findById(courseId).lean<Course>();
  if (!course) throw CourseNotFound();
  if (course.educatorId !== educatorId) throw NotTheOwner();
  return course;
}

/**
 * Changes a course of one's own, if nobody changed it since `version`. Learners' progress stays: it goes by lecture id.
 * @param thumbnail an image that was checked already, to replace the present one.
 * @throws CourseNotFound, NotTheOwner, CourseChanged, InvalidRequest (a new lecture without an address, a price that
 *   cannot be paid), NoLecture.
 */
export async function editCourse(
  deps: Pick<Deps, "db" | "storage" | "log">,
  educatorId: string,
  courseId: string,
  { version, courseContent, ...fields }: CourseEdit,
  thumbnail: Buffer | undefined,
): Promise<void> {
  const before = await ownCourse(deps.db, courseId, educatorId);
  if (before.version !== version) throw CourseChanged();
  requirePayable(fields.coursePrice ?? before.coursePrice, fields.discount ?? before.discount);
  const curriculum = courseContent && arrangeCurriculum(keepLectureUrls(courseContent, before.courseContent));
  const totalLectures = curriculum?.totalLectures ?? before.totalLectures;
  if (fields.isPublished && !before.isPublished && totalLectures === 0) throw NoLecture();

  const shown = thumbnail && (await storeThumbnail(deps, before._id, thumbnail));
  const changed = await replaceFields(deps.db, before, { ...given(fields), ...curriculum, ...shown }).catch(
    async (error: unknown) => {
      if (shown) await discardUnlessShown(deps, before._id, shown.thumbnailFile);
      throw error;
    },
  );
  if (shown) discardThumbnail(deps, changed ? before.thumbnailFile : shown.thumbnailFile);
  if (!changed) throw CourseChanged();
}

/** @returns whether the course was still as in `before`. */
async function replaceFields(db: Db, before: Course, fields: Partial<Course>): Promise<boolean> {
  const { _id, educatorId, version } = before;
  const { matchedCount } = await changeCatalog(db, () =>
    db.Course.updateOne({ _id, educatorId, version }, { $set: fields, $inc: { version: 1 } }),
  );
  return matchedCount === 1;
}

/**
 * Publishes or withdraws a course of one's own.
 * @returns the new version. @throws CourseNotFound, NotTheOwner, NoLecture when there is nothing to publish.
 */
export async function publishCourse(
  db: Db,
  educatorId: string,
  courseId: string,
  isPublished: boolean,
): Promise<number> {
  const course = await ownCourse(db, courseId, educatorId);
  const complete = isPublished ? { totalLectures: { $gt: 0 } } : {};
  const changed = await changeCatalog(db, () =>
    db.Course.findOneAndUpdate(
      { _id: course._id, educatorId, ...complete },
      { $set: { isPublished }, $inc: { version: 1 } },
      { returnDocument: "after", projection: { version: 1 } },
    ).lean(),
  );
  if (!changed) throw NoLecture();
  return changed.version;
}

type Given<T> = { [K in keyof T]?: Exclude<T[K], undefined> };

function given<T extends object>(fields: T): Given<T> {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined)) as Given<T>;
}
