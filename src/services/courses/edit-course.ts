import { type QueryFilter, Types } from "mongoose";
import type { Db } from "../../db/db.js";
import type { Deps } from "../../deps.js";
import { failure } from "../../lib/errors.js";
import { presentFields } from "../../lib/fields.js";
import { touchCatalog } from "../../models/courses/catalog-revision.js";
import type { Course } from "../../models/courses/course.js";
import { blocksOf } from "../../models/courses/lecture-block.js";
import { uncounted } from "../../models/events/event.js";
import type { EventData } from "../../models/events/event-types.js";
import { removeAssessments } from "../assessments/chapter-assessments.js";
import { type NewEvent, recordEvents } from "../events/record-event.js";
import { requireFreeSlug, slugsWith } from "../find-free-slug.js";
import { completionsDate } from "../learning/completion.js";
import { requireEmbedHosts, requireFittingBlocks, requireResources } from "../lessons/lecture-blocks.js";
import { renderLessons } from "../lessons/render-lessons.js";
import { type NewCourse, requirePayable, storedPrice } from "./create-course.js";
import { addedLectures, arrangeCurriculum, completeLectures, removesLecture } from "./curriculum.js";
import { type CourseManager, findManagedCourse, type ManagedCourse, managedCourses } from "./managed-course.js";
import { keepOpen } from "./release.js";
import { discardThumbnail, discardUnlessShown, storeThumbnail } from "./store-thumbnail.js";

export const CourseChanged = failure("course_changed", 409, "Course was changed by someone else");
export const NoLecture = failure("no_lecture", 400, "Add at least one lecture before publishing");

/** The fields of an edit; `version` is the one that the educator saw. */
export type CourseEdit = { [K in keyof NewCourse]?: NewCourse[K] | undefined } & {
  version: number;
  slug?: string | undefined;
};

/**
 * Changes a course if it was not changed since `version`. Learners' progress stays, because it refers to
 * lecture ids. After the removal of a lecture a job completes the course for learners who have completed all others.
 * @param thumbnail path of an image that was checked already, to replace the present one.
 * @returns the course as it is now.
 * @throws CourseChanged, SlugTaken, InvalidRequest (a new lecture without an address and
 *   without blocks, unusable blocks, a price that cannot be paid, too many slugs), BodyTooLarge (too long texts), NoLecture.
 */
export async function editCourse(
  deps: Pick<Deps, "db" | "storage" | "log" | "config" | "renderInTurn">,
  before: ManagedCourse<Course>,
  { version, courseContent, slug, ...fields }: CourseEdit,
  thumbnail: string | undefined,
  signal?: AbortSignal,
): Promise<Course> {
  const { db, renderInTurn } = deps;
  if (before.version !== version) throw CourseChanged();
  const slugs = slug === undefined ? {} : { slugs: slugsWith(slug, before) };
  const { currency } = deps.config;
  const coursePrice = fields.coursePrice === undefined ? before.coursePrice : storedPrice(fields.coursePrice, currency);
  const { discount = before.discount } = fields;
  requirePayable({ coursePrice, discount }, currency);
  const chapters = courseContent && completeLectures(courseContent, before.courseContent);
  if (chapters) {
    requireFittingBlocks(chapters);
    requireEmbedHosts(blocksOf(courseContent), deps.config.embedHosts);
  }
  const { educatorId } = before;
  const lessons = chapters && (await renderLessons(chapters, { educatorId, before, signal, renderInTurn }));
  const curriculum = lessons && {
    ...lessons,
    ...arrangeCurriculum(keepOpen(lessons.courseContent, before.courseContent)),
  };
  const totalLectures = curriculum?.totalLectures ?? before.totalLectures;
  if (fields.isPublished && !before.isPublished && totalLectures === 0) throw NoLecture();

  const shown = thumbnail && (await storeThumbnail(deps, before._id, thumbnail));
  try {
    const hasOtherLectures = curriculum !== undefined && (await changesProgress(db, before, curriculum.courseContent));
    const due = hasOtherLectures ? { completionsDueAt: completionsDate() } : {};
    const changes = { ...presentFields(fields), coursePrice, ...slugs, ...curriculum, ...shown, ...due };
    const course = await changeCourse(db, before, changes);
    if (!course) throw CourseChanged();
    if (hasOtherLectures) db.jobWakeups.emit("Course");
    if (before.assessments) db.jobWakeups.emit("Assessment");
    if (shown) discardThumbnail(deps, before.thumbnailFile);
    return course;
  } catch (error) {
    if (shown) await discardUnlessShown(deps, before._id, shown.thumbnailFile, error);
    throw error;
  }
}

/** Whether a lecture is removed, or one that learners had completed is put back. */
async function changesProgress(db: Db, before: Course, chapters: Course["courseContent"]): Promise<boolean> {
  if (removesLecture(before.courseContent, chapters)) return true;
  const lectureId = { $in: addedLectures(before.courseContent, chapters) };
  if (lectureId.$in.length === 0) return false;
  const courseId = before._id;
  if (await db.LectureCompletions.exists({ courseId, lectureId })) return true;
  return (await db.Event.exists({ ...uncounted, courseId, "data.lectureId": lectureId })) !== null;
}

/**
 * Publishes or withdraws a course.
 * @returns the new version. @throws CourseNotFound, NotTheOwner, NoLecture when there is nothing to publish.
 */
export async function publishCourse(
  db: Db,
  manager: CourseManager,
  courseId: string,
  isPublished: boolean,
): Promise<number> {
  const complete = isPublished ? { totalLectures: { $gt: 0 } } : {};
  const _id = new Types.ObjectId(courseId);
  const version = await setPublished(db, { $and: [{ _id, ...complete }, managedCourses(manager)] }, isPublished);
  if (version !== undefined) return version;
  await findManagedCourse(db, courseId, manager);
  throw NoLecture();
}

/** @returns the new version; undefined when no course fits the filter. */
function setPublished(db: Db, filter: QueryFilter<Course>, isPublished: boolean): Promise<number | undefined> {
  return db.transaction(
    async (session) => {
      const before = await db.Course.findOneAndUpdate(
        filter,
        { $set: { isPublished }, $inc: { version: 1 } },
        { session, returnDocument: "before", projection: { version: 1, isPublished: 1 } },
      ).lean<Pick<Course, "_id" | "version" | "isPublished">>();
      if (!before) return undefined;
      const data = { courseId: before._id, version: before.version + 1 };
      const flip = publishingEvent(before, { isPublished }, data);
      await recordEvents(db, session, [flip ?? { type: "course.changed", data }]);
      await touchCatalog(db, session);
      return data.version;
    },
    { mutex: "catalog" },
  );
}

/** Reports that a course was published or withdrawn; undefined when it was neither. */
function publishingEvent(
  before: Partial<Course>,
  after: Partial<Course>,
  data: EventData<"course.changed">,
): NewEvent | undefined {
  if (before.isPublished === after.isPublished) return undefined;
  return { type: after.isPublished ? "course.published" : "course.unpublished", data };
}

/** @returns the changed course; null when the course has another version by now. @throws SlugTaken */
function changeCourse(
  db: Db,
  before: Pick<Course, "_id" | "version" | "isPublished">,
  changes: Partial<Course>,
): Promise<Course | null> {
  const { _id, version } = before;
  return db.transaction(
    async (session) => {
      await requireFreeSlug(db.Course, before, changes.slugs?.[0], session);
      if (changes.courseContent) await requireResources(db, _id, changes.courseContent, session);
      const course = await db.Course.findOneAndUpdate(
        { _id, version },
        { $set: changes, $inc: { version: 1 } },
        { session, returnDocument: "after" },
      ).lean<Course>();
      if (!course) return null;
      const data = { courseId: _id, version: course.version };
      const flip = publishingEvent(before, course, data);
      await recordEvents(db, session, [{ type: "course.changed", data }, ...(flip ? [flip] : [])]);
      await touchCatalog(db, session);
      const orphans = chaptersGone(course);
      if (orphans.length > 0) await removeAssessments(db, course, orphans, session);
      return course;
    },
    { mutex: "catalog" },
  );
}

/** Chapters that have an assessment but are no longer in the course. */
function chaptersGone({ assessments = [], courseContent }: Course): string[] {
  const present = new Set(courseContent.map(({ chapterId }) => chapterId));
  return assessments.map(({ chapterId }) => chapterId).filter((chapterId) => !present.has(chapterId));
}
