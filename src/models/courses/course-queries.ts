import type { ClientSession, PipelineStage, Types } from "mongoose";
import { cursorLimitMs } from "../command-limit.js";
import { type Enrollment, isInForce } from "../enrollments/enrollment.js";
import { type ActiveEnrollment, activeEnrollmentFields } from "../enrollments/enrollment-queries.js";
import type { Models } from "../index.js";
import type { CourseProgress } from "../learning/course-progress.js";
import type { User } from "../users/user.js";
import type { Chapter, ChapterAssessment, Course, Lecture } from "./course.js";

/** The fields that decide on the completion of a course. */
export const completionFields = {
  courseTitle: 1,
  educatorId: 1,
  "courseContent.chapterContent.lectureId": 1,
  assessments: 1,
} as const;

/** A course that was read with the fields of its completion. */
export type CompletionRow = Pick<Course, "courseTitle" | "educatorId" | "courseContent" | "assessments">;

/** The fields that the release rules read. */
export const releaseFields = {
  educatorId: 1,
  "courseContent.releaseAfterDays": 1,
  "courseContent.openIfEnrolledBy": 1,
  "courseContent.chapterContent.isPreviewFree": 1,
  "courseContent.chapterContent.openIfEnrolledBy": 1,
} as const;

/** A course that was read with no more of its lectures than their ids, files and release. */
export type ReleasePlan = Pick<Course, "educatorId" | "courseContent">;

/**
 * Reads a course, the enrollment of a learner in it, and what they have done in it, by one command.
 * @returns null without such a course; `done` is undefined before the first lecture.
 */
export function findLecturesAndRelease(
  db: Models,
  { lectureId, ...pair }: Pick<Enrollment, "userId" | "courseId"> & { lectureId: string },
) {
  const fields = { ...completionFields, ...releaseFields };
  return findWithEnrollment<CompletionRow & ReleasePlan>(db, pair, fields, lectureId);
}

/** The lectures of a course with the files that their blocks name. */
export function findFilesAndRelease(db: Models, courseId: Types.ObjectId): Promise<ReleasePlan | null> {
  const files = { "courseContent.chapterContent.blocks.kind": 1, "courseContent.chapterContent.blocks.resourceId": 1 };
  const fields = { ...releaseFields, ...files };
  return db.Course.findById(courseId, fields).lean<ReleasePlan>();
}

/**
 * Reads a learner's progress, their name, and the facts of the course by one command.
 * @returns a name that is null without a user record.
 */
export async function findProgressAndCourse(
  db: Models,
  { userId, courseId }: Pick<CourseProgress, "userId" | "courseId">,
  session: ClientSession,
): Promise<{ progress: CourseProgress | undefined; course: CompletionRow | undefined; studentName: string | null }> {
  const ofCourse = [{ $match: { _id: courseId } }, { $project: completionFields }];
  const ofUser = [{ $match: { _id: userId } }, { $project: { name: 1 } }];
  const rows = await db.CourseProgress.aggregate<CourseProgress | CompletionRow | Pick<User, "name">>([
    { $match: { userId, courseId } },
    { $unionWith: { coll: db.Course.collection.name, pipeline: ofCourse } },
    { $unionWith: { coll: db.User.collection.name, pipeline: ofUser } },
  ]).session(session);
  const progress = rows.find((row) => "lectureCompleted" in row);
  const course = rows.find((row) => "courseTitle" in row);
  const user = rows.find((row) => "name" in row);
  return { progress, course, studentName: user?.name ?? null };
}

/** What decides on access to the quizzes of a course. */
export interface QuizAccess extends Pick<Course, "_id" | "educatorId"> {
  readonly assessments: readonly ChapterAssessment[];
  readonly chapters: readonly Pick<Chapter, "chapterId" | "releaseAfterDays" | "openIfEnrolledBy">[];
  /** Undefined without an enrollment that is in force. */
  readonly enrollment: ActiveEnrollment | undefined;
}

/** Reads by one command what decides on access to the quizzes of a course. @returns null without such a course. */
export async function findQuizAccess(db: Models, courseId: Types.ObjectId, userId: string): Promise<QuizAccess | null> {
  const fields = {
    educatorId: 1,
    assessments: 1,
    "courseContent.chapterId": 1,
    "courseContent.releaseAfterDays": 1,
    "courseContent.openIfEnrolledBy": 1,
  } as const;
  type Row = Pick<Course, "_id" | "educatorId" | "assessments" | "courseContent">;
  const found = await findWithEnrollment<Row>(db, { userId, courseId }, fields);
  if (!found) return null;
  const { _id, educatorId, assessments = [], courseContent: chapters } = found.course;
  return { _id, educatorId, assessments, chapters, enrollment: found.enrollment };
}

/** Reads by one command the owner of a course and the enrollment of a user that is in force. */
export const findOwnerAndEnrollment = (db: Models, pair: Pick<Enrollment, "userId" | "courseId">) =>
  findWithEnrollment<Pick<Course, "educatorId">>(db, pair, { educatorId: 1 });

/** How many lectures a learner has completed in a course, and whether one of them is the lecture that was asked about. */
export interface LecturesDone extends Pick<CourseProgress, "completed"> {
  readonly doneCount: number;
  readonly isDone: boolean;
}

/**
 * Reads a course together with the enrollment of a learner that is in force.
 * @param lectureId reads as well what the learner has done, with a look at this lecture.
 */
async function findWithEnrollment<T extends object>(
  db: Models,
  { userId, courseId }: Pick<Enrollment, "userId" | "courseId">,
  fields: PipelineStage.Project["$project"],
  lectureId?: string,
): Promise<{ course: T; enrollment: ActiveEnrollment | undefined; done: LecturesDone | undefined } | null> {
  const own = { $match: { userId, courseId } };
  const ofProgress = [own, { $project: lecturesDone(lectureId) }];
  const rows = await db.Course.aggregate<T | (ActiveEnrollment & Pick<Enrollment, "active">) | LecturesDone>([
    { $match: { _id: courseId } },
    { $project: fields },
    { $unionWith: { coll: db.Enrollment.collection.name, pipeline: [own, { $project: activeEnrollmentFields }] } },
    ...(lectureId === undefined
      ? []
      : [{ $unionWith: { coll: db.CourseProgress.collection.name, pipeline: ofProgress } }]),
  ]);
  const course = rows.find((row): row is T => !("active" in row) && !("isDone" in row));
  const enrollment = rows.find((row) => "active" in row);
  const done = rows.find((row) => "isDone" in row);
  return course ? { course, done, enrollment: enrollment && isInForce(enrollment) ? enrollment : undefined } : null;
}

const lectures = { $ifNull: ["$lectureCompleted", []] };
const lecturesDone = (lectureId = "") => ({
  completed: 1 as const,
  doneCount: { $size: lectures },
  isDone: { $in: [{ $literal: lectureId }, lectures] },
});

/** Ids of all lectures in chapters that were read with no more than these ids. */
export function lectureIdsOf(chapters: readonly { chapterContent?: readonly { lectureId: string }[] }[]): string[] {
  return chapters.flatMap(({ chapterContent = [] }) => chapterContent.map(({ lectureId }) => lectureId));
}

/** Fields of a course that a sale needs. */
export const courseSaleFields = {
  courseTitle: 1,
  coursePrice: 1,
  discount: 1,
  accessDays: 1,
  isPublished: 1,
  educatorId: 1,
} as const;
export type CourseForSale = Pick<Course, "_id" | keyof typeof courseSaleFields>;

/** Reads the fields of a course that a sale needs, and nothing else of it. */
export function findCourseForSale(
  db: Models,
  courseId: Types.ObjectId,
  session: ClientSession | null = null,
): Promise<CourseForSale | null> {
  return db.Course.findById(courseId, courseSaleFields).session(session).lean<CourseForSale>().exec();
}

/** Counters of a course: sales, students and ratings. */
export type Figures = Pick<
  Course,
  "totalEnrolledStudents" | "completedPurchases" | "revenueMinor" | "totalRatings" | "ratingSum" | StarCount
>;
export type StarCount = `ratings${1 | 2 | 3 | 4 | 5}`;

/**
 * Adds to the figures of a course. Call it last in a transaction, because many transactions write the same course and each
 * conflict repeats everything before it.
 */
export async function addCourseFigures(
  db: Models,
  courseId: Types.ObjectId,
  by: Partial<Figures>,
  session: ClientSession,
): Promise<void> {
  await db.Course.updateOne({ _id: courseId }, { $inc: by }, { session, timestamps: false });
}

/**
 * Sets `resourcesChangedAt`, so that two transactions about resources conflict.
 * @returns false when there is no such course.
 */
export async function touchResources(db: Models, courseId: Types.ObjectId, session: ClientSession): Promise<boolean> {
  const update = { $currentDate: { resourcesChangedAt: true } } as const;
  const { matchedCount } = await db.Course.updateOne({ _id: courseId }, update, { session, timestamps: false });
  return matchedCount > 0;
}

/** Whether a block of a course, or a certificate template of its educator, names a resource. */
export async function isResourceInUse(
  db: Models,
  { courseId, educatorId, resourceId }: { courseId: Types.ObjectId; educatorId: string; resourceId: string },
  session: ClientSession,
): Promise<boolean> {
  const used = { _id: courseId, "courseContent.chapterContent.blocks.resourceId": resourceId };
  if (await db.Course.exists(used).session(session)) return true;
  const pictured = { educatorId, $or: [{ logo: resourceId }, { "signatories.signature": resourceId }] };
  return (await db.CertificateTemplate.exists(pictured).session(session)) !== null;
}

/** A lecture of a course, and the chapter that holds it. */
export interface FoundLecture {
  readonly chapter: Chapter;
  readonly lecture: Lecture;
}

/**
 * Reads one lecture of a course, and no other lecture.
 * @returns null when there is no such course, and no `found` when the course has no such lecture.
 */
export async function findCourseLecture(
  db: Models,
  courseId: Types.ObjectId,
  lectureId: string,
): Promise<(Pick<Course, "educatorId"> & { found?: FoundLecture }) | null> {
  const chapters = {
    $filter: { input: "$courseContent", cond: { $in: [{ $literal: lectureId }, "$$this.chapterContent.lectureId"] } },
  };
  const lectures = {
    $filter: { input: "$$chapter.chapterContent", cond: { $eq: ["$$this.lectureId", { $literal: lectureId }] } },
  };
  const found = { $mergeObjects: ["$$chapter", { chapterContent: lectures }] };
  const [course] = await db.Course.aggregate<Pick<Course, "educatorId" | "courseContent">>([
    { $match: { _id: courseId } },
    { $project: { educatorId: 1, courseContent: { $map: { input: chapters, as: "chapter", in: found } } } },
  ]);
  if (!course) return null;
  const { educatorId, courseContent } = course;
  const [chapter] = courseContent;
  const [lecture] = chapter?.chapterContent ?? [];
  return { educatorId, ...(chapter && lecture && { found: { chapter, lecture } }) };
}

/** Makes courses due for the job that renders lessons, when a version without stored HTML has saved a text. */
export async function makeUnrenderedDue({ Course }: Models): Promise<void> {
  const unrendered = { kind: "text", html: { $exists: false } };
  const courses = { "courseContent.chapterContent.blocks": { $elemMatch: unrendered } };
  const due = { $set: { rendererVersion: 0 } };
  await Course.updateMany(courses, due, { timestamps: false }).maxTimeMS(cursorLimitMs);
}
