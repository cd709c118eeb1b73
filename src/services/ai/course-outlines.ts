import type { Types } from "mongoose";
import type { Db } from "../../db/db.js";
import type { Course } from "../../models/courses/course.js";
import { type ReleasePlan, releaseFields } from "../../models/courses/course-queries.js";
import { blockKinds, hasText } from "../../models/courses/lesson-texts.js";
import type { SearchedCourse } from "./lecture-search.js";
import { plainText } from "./plain-text.js";

/** The facts about a course that prompts use. No address of a video is among them. */
export interface CourseOutline extends SearchedCourse {
  readonly title: string;
  /** Plain text, at most 250 characters. */
  readonly description: string;
  /** In order. */
  readonly chapters: readonly { readonly chapterId: string; readonly title: string }[];
  readonly release: ReleasePlan;
}

type CourseToOutline = Pick<Course, "_id" | "courseTitle" | "courseDescription"> & ReleasePlan;

/** The titles of a course and its lectures, and the kinds of their blocks. */
export const titleFields = {
  courseTitle: 1,
  courseDescription: 1,
  "courseContent.chapterId": 1,
  "courseContent.chapterTitle": 1,
  "courseContent.chapterContent.lectureId": 1,
  "courseContent.chapterContent.lectureTitle": 1,
  ...blockKinds,
} as const;

/** Reads the outlines of the courses that exist, in the order of the ids. */
export async function findCourseOutlines(db: Db, courseIds: readonly Types.ObjectId[]): Promise<CourseOutline[]> {
  const courses = await db.Course.find({ _id: { $in: courseIds } }, { ...titleFields, ...releaseFields }).lean<
    CourseToOutline[]
  >();
  const courseOf = new Map(courses.map((course) => [String(course._id), course]));
  return courseIds.flatMap((courseId) => {
    const course = courseOf.get(String(courseId));
    return course ? [outlineOf(course)] : [];
  });
}

function outlineOf(course: CourseToOutline): CourseOutline {
  const courseId = String(course._id);
  const lectures = course.courseContent.flatMap(({ chapterTitle, chapterContent }) =>
    chapterContent.map((lecture) => ({
      lectureId: lecture.lectureId,
      title: lecture.lectureTitle,
      chapter: chapterTitle,
      hasText: hasText(lecture),
    })),
  );
  return {
    courseId,
    title: course.courseTitle,
    description: plainText(course.courseDescription, 250),
    chapters: course.courseContent.map(({ chapterId, chapterTitle }) => ({ chapterId, title: chapterTitle })),
    about: `${course.courseTitle} ${plainText(course.courseDescription, 500)}`,
    lectures,
    release: course,
  };
}
