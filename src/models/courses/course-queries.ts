import { type ClientSession, mongo, type Types } from "mongoose";
import type { Models } from "../index.js";
import { nativeCollection } from "../native-collection.js";
import type { User } from "../users/user.js";
import { type Course, inCreationOrder } from "./course.js";

/** Whether a course exists; with `chapterId`, whether it has that chapter. */
export async function courseHas(
  db: Models,
  { courseId, chapterId }: { courseId: Types.ObjectId; chapterId?: string | undefined },
  session: ClientSession,
): Promise<boolean> {
  const named = chapterId === undefined ? {} : { "courseContent.chapterId": chapterId };
  const options = { session, projection: { _id: 1 } };
  return (await nativeCollection(db.Course).findOne({ _id: courseId, ...named }, options)) !== null;
}

/** Title and lecture ids of a course, without reading anything else of it. */
export async function findCourseLectures(
  db: Models,
  courseId: Types.ObjectId,
): Promise<{ courseTitle: string; lectureIds: string[] } | null> {
  const fields = { courseTitle: 1, "courseContent.chapterContent.lectureId": 1 };
  const course = await nativeCollection(db.Course).findOne({ _id: courseId }, { projection: fields });
  return course && { courseTitle: course.courseTitle, lectureIds: lectureIdsOf(course.courseContent ?? []) };
}

/** Ids of all lectures in chapters that were read with no more than these ids. */
export function lectureIdsOf(chapters: readonly { chapterContent?: readonly { lectureId: string }[] }[]): string[] {
  return chapters.flatMap(({ chapterContent = [] }) => chapterContent.map(({ lectureId }) => lectureId));
}

/** Titles and thumbnail of courses and their chapters, without reading anything else of them. */
export function findCourseTitles(
  db: Models,
  courseIds: readonly Types.ObjectId[],
): Promise<Pick<Course, "_id" | "courseTitle" | "courseThumbnail" | "courseContent">[]> {
  const named = { courseTitle: 1, courseThumbnail: 1, "courseContent.chapterId": 1, "courseContent.chapterTitle": 1 };
  return nativeCollection(db.Course)
    .find({ _id: { $in: [...courseIds] } }, { projection: named })
    .toArray();
}

/** Fields of a course that a sale needs. */
export const saleFields = {
  courseTitle: 1,
  coursePrice: 1,
  discount: 1,
  accessDays: 1,
  isPublished: 1,
  educatorId: 1,
} as const;
export type CourseForSale = Pick<Course, "_id" | keyof typeof saleFields>;

/** Reads the fields of a course that a sale needs, and nothing else of it. */
export function findCourseForSale(
  db: Models,
  courseId: Types.ObjectId,
  session?: ClientSession,
): Promise<CourseForSale | null> {
  const options = { projection: saleFields, ...(session && { session }) };
  return nativeCollection(db.Course).findOne({ _id: courseId }, options);
}

const listed = {
  courseTitle: 1,
  courseThumbnail: 1,
  coursePrice: 1,
  educatorId: 1,
  totalLectures: 1,
  totalDurationMinutes: 1,
} as const;

/** The course's educator; none when the account is gone. */
export interface WithEducator {
  educators: User[];
}

/** Some fields of courses, all of them unless given, each with its educator; some courses may not exist. */
function findTaughtCourses<T>(
  db: Models,
  courseIds: readonly Types.ObjectId[],
  fields?: Readonly<Partial<Record<keyof Course, 1>>>,
): Promise<(T & WithEducator)[]> {
  const educators = { from: db.User.collection.name, localField: "educatorId", foreignField: "_id", as: "educators" };
  return nativeCollection(db.Course)
    .aggregate<T & WithEducator>([
      { $match: { _id: { $in: [...courseIds] } } },
      ...(fields ? [{ $project: fields }] : []),
      { $lookup: educators },
    ])
    .toArray();
}

/** What a learner's list of courses shows of them. */
export type LearnerListed = Pick<Course, "_id" | keyof typeof listed> & WithEducator;

export const findListedCourses = (db: Models, courseIds: readonly Types.ObjectId[]): Promise<LearnerListed[]> =>
  findTaughtCourses(db, courseIds, listed);

/** Whole courses. */
export const findCourses = (db: Models, courseIds: readonly Types.ObjectId[]): Promise<(Course & WithEducator)[]> =>
  findTaughtCourses(db, courseIds);

const state = { version: 1, updatedAt: 1, totalEnrolledStudents: 1, totalRatings: 1, ratingSum: 1 } as const;

/** Whether a course is the same version: after a failover that undid an edit, another one gets its number. */
export function isSameVersion(
  one: Pick<Course, "version" | "updatedAt">,
  other: Pick<Course, "version" | "updatedAt">,
): boolean {
  return one.version === other.version && one.updatedAt.getTime() === other.updatedAt.getTime();
}

/** The version of a course, and what changes without a new one. */
export type CourseState = Pick<Course, "_id" | keyof typeof state>;

export function findCourseStates(db: Models, courseIds: readonly Types.ObjectId[]): Promise<CourseState[]> {
  return nativeCollection(db.Course)
    .find({ _id: { $in: [...courseIds] } }, { projection: state })
    .toArray();
}

/** The same with the educators. */
export const findTaughtStates = (
  db: Models,
  courseIds: readonly Types.ObjectId[],
): Promise<(CourseState & WithEducator)[]> => findTaughtCourses(db, courseIds, { ...state, educatorId: 1 });

export type ListedCourse = Omit<Course, "courseContent">;

/** All published courses without their content, in creation order. */
export function findPublishedCourses(db: Models): Promise<ListedCourse[]> {
  return nativeCollection(db.Course)
    .find({ isPublished: true }, { projection: { courseContent: 0 }, sort: inCreationOrder })
    .toArray();
}

/** Courses without their content, drafts too: by id alone, since a planner may take another index with more. */
export function findCoursesToList(db: Models, courseIds: readonly Types.ObjectId[]): Promise<ListedCourse[]> {
  return nativeCollection(db.Course)
    .find({ _id: { $in: [...courseIds] } }, { projection: { courseContent: 0 } })
    .toArray();
}

const movedFigures = { totalEnrolledStudents: 1, totalRatings: 1, ratingSum: 1, figuresChangedAt: 1 } as const;
export type ShownFigures = Pick<Course, "_id" | keyof typeof movedFigures>;

/** What the catalog shows of figures that have moved since a time, from the index alone. */
export function findMovedFigures(db: Models, since: Date): Promise<ShownFigures[]> {
  return nativeCollection(db.Course)
    .find({ figuresChangedAt: { $gt: since } }, { projection: movedFigures })
    .toArray();
}

/** What is counted on a course: its sales, its students and its ratings. */
export type Figures = Pick<
  Course,
  "totalEnrolledStudents" | "completedPurchases" | "revenueMinor" | "totalRatings" | "ratingSum"
>;

/**
 * Adds to figures of a course, and dates the change, by which catalogs find it. Many transactions write the same course: this
 * should be the last write of each, so that what comes before it is not repeated as often.
 */
export async function addCourseFigures(
  db: Models,
  courseId: Types.ObjectId,
  by: Partial<Figures>,
  session: ClientSession,
): Promise<void> {
  const update = { $inc: by, $currentDate: { figuresChangedAt: true } } as const;
  await nativeCollection(db.Course).updateOne({ _id: courseId }, update, { session });
}

/** The same for several courses, each of which has got one student more. */
export async function addStudentToCourses(
  db: Models,
  courseIds: readonly Types.ObjectId[],
  session: ClientSession,
): Promise<void> {
  const update = { $inc: { totalEnrolledStudents: 1 }, $currentDate: { figuresChangedAt: true } } as const;
  await nativeCollection(db.Course).updateMany({ _id: { $in: [...courseIds] } }, update, { session });
}

const [chapter, lecture] = ["courseContent", "courseContent.chapterContent"];
/** What outlines of courses are made of. */
const outlined = {
  ...{ courseTitle: 1, courseDescription: 1, version: 1, updatedAt: 1 },
  ...{ [`${chapter}.chapterId`]: 1, [`${chapter}.chapterTitle`]: 1, [`${chapter}.chapterOrder`]: 1 },
  ...{ [`${lecture}.lectureId`]: 1, [`${lecture}.lectureTitle`]: 1, [`${lecture}.lectureOrder`]: 1 },
};
export type CourseToOutline = Pick<
  Course,
  "_id" | "courseTitle" | "courseDescription" | "courseContent" | "version" | "updatedAt"
>;

/** @returns for each course what decodes it, so that the thousands of lectures of one hold up no other request for long. */
export async function findCoursesToOutline(
  db: Models,
  courseIds: readonly Types.ObjectId[],
): Promise<(() => CourseToOutline)[]> {
  const encoded: unknown[] = await nativeCollection(db.Course)
    .find({ _id: { $in: [...courseIds] } }, { projection: outlined, raw: true })
    .toArray();
  return encoded.map((bytes) => () => mongo.BSON.deserialize(bytes as Uint8Array) as CourseToOutline);
}
