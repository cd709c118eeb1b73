import { LRUCache } from "lru-cache";
import type { Types } from "mongoose";
import type { Db } from "../../db/db.js";
import { bare } from "../../models/bare.js";
import type { Course } from "../../models/course.js";
import { createLectureSearch, type LectureSearch } from "../tutor/lecture-search.js";
import { plainText } from "../tutor/prompt-data.js";

/** What the AI features need of a course; nothing in it is secret (no video URLs). */
export interface CourseOutline {
  readonly courseId: string;
  readonly title: string;
  /** Plain text, at most 250 characters. */
  readonly description: string;
  /** In order. */
  readonly chapters: readonly { readonly chapterId: string; readonly title: string }[];
  readonly lectureIds: readonly string[];
  readonly search: LectureSearch;
}

export interface CourseOutlines {
  /** Outlines of the courses that exist, in the order asked for. */
  find(courseIds: readonly Types.ObjectId[]): Promise<CourseOutline[]>;
}

/** Memory is bounded by the number of lectures that are kept, over all courses. */
const keptLectures = 50_000;

/**
 * Reads outlines and keeps them while the course's version stands: a course that is known costs one small read, however
 * long its curriculum is.
 */
export function createCourseOutlines(db: Db): CourseOutlines {
  const kept = new LRUCache<string, CourseOutline & { version: number }>({
    maxSize: keptLectures,
    sizeCalculation: ({ lectureIds }) => lectureIds.length + 10,
  });
  return {
    async find(courseIds) {
      const current = await bare(db.Course)
        .find({ _id: { $in: [...courseIds] } }, { projection: { version: 1 } })
        .toArray();
      const versions = new Map(current.map(({ _id, version }) => [String(_id), version]));
      const unknown = current.filter(({ _id, version }) => kept.peek(String(_id))?.version !== version);
      const read = new Map<string, CourseOutline & { version: number }>();
      if (unknown.length > 0) {
        const wanted = { courseTitle: 1, courseDescription: 1, courseContent: 1, version: 1 };
        const courses = await db.Course.find({ _id: { $in: unknown.map(({ _id }) => _id) } }, wanted).lean<Course[]>();
        for (const course of courses) {
          const outline = outlineOf(course);
          read.set(outline.courseId, outline);
          kept.set(outline.courseId, outline);
        }
      }
      return courseIds.flatMap((courseId) => {
        const id = String(courseId);
        if (!versions.has(id)) return [];
        return read.get(id) ?? kept.get(id) ?? [];
      });
    },
  };
}

function outlineOf(course: Course): CourseOutline & { version: number } {
  const chapters = [...course.courseContent].sort((a, b) => a.chapterOrder - b.chapterOrder);
  const lectures = chapters.flatMap(({ chapterTitle, chapterContent }) =>
    [...chapterContent]
      .sort((a, b) => a.lectureOrder - b.lectureOrder)
      .map(({ lectureId, lectureTitle }) => ({ lectureId, title: lectureTitle, chapter: chapterTitle })),
  );
  const courseId = String(course._id);
  return {
    courseId,
    version: course.version,
    title: course.courseTitle,
    description: plainText(course.courseDescription, 250),
    chapters: chapters.map(({ chapterId, chapterTitle }) => ({ chapterId, title: chapterTitle })),
    lectureIds: lectures.map(({ lectureId }) => lectureId),
    search: createLectureSearch({
      courseId,
      about: `${course.courseTitle} ${plainText(course.courseDescription, 2_000)}`,
      lectures,
    }),
  };
}
