import type { ClientSession, Types } from "mongoose";
import type { Course } from "./course.js";
import type { Models } from "./index.js";
import { nativeCollection } from "./native-collection.js";

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

const listed = {
  courseTitle: 1,
  courseThumbnail: 1,
  coursePrice: 1,
  educatorId: 1,
  totalLectures: 1,
  totalDurationMinutes: 1,
} as const;

/** What a learner's list of courses shows of them. */
export function findListedCourses(
  db: Models,
  courseIds: readonly Types.ObjectId[],
): Promise<Pick<Course, "_id" | keyof typeof listed>[]> {
  return nativeCollection(db.Course)
    .find({ _id: { $in: [...courseIds] } }, { projection: listed })
    .toArray();
}
