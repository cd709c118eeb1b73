import { setImmediate as nextTurn } from "node:timers/promises";
import { LRUCache } from "lru-cache";
import type { Types } from "mongoose";
import PQueue from "p-queue";
import type { Db } from "../../db/db.js";
import {
  type CourseState,
  type CourseToOutline,
  findCourseStates,
  findCoursesToOutline,
  isSameVersion,
} from "../../models/courses/course-queries.js";
import type { SearchedCourse } from "../ai/lecture-search.js";
import { plainText } from "../ai/plain-text.js";

/** What the AI features need of a course; nothing in it is secret (no video URLs). */
export interface CourseOutline extends SearchedCourse {
  readonly title: string;
  /** Plain text, at most 250 characters. */
  readonly description: string;
  /** In order. */
  readonly chapters: readonly { readonly chapterId: string; readonly title: string }[];
}

export interface CourseOutlines {
  /** Outlines of the courses that exist, in the order asked for. */
  find(courseIds: readonly Types.ObjectId[]): Promise<CourseOutline[]>;
}

type Versioned = CourseOutline & Pick<CourseToOutline, "version" | "updatedAt">;

/** Memory is bounded by the number of lectures that are kept, over all courses. */
const keptLectures = 50_000;
/** Courses that are read at once to make outlines of them. A course may have a megabyte. */
const readAtOnce = 5;

/**
 * Reads outlines and keeps one for each course and version. Made once per server: a course that is known costs one
 * small read, however long its curriculum is, and requests that need the same unknown course share the making.
 */
export function createCourseOutlines(db: Db): CourseOutlines {
  const kept = new LRUCache<string, Versioned>({
    maxSize: keptLectures,
    sizeCalculation: ({ lectures }) => lectures.length + 10,
  });
  /** What is being made, by course and version. */
  const making = new Map<string, Promise<Versioned | undefined>>();
  /** One after another: a turn of the event loop works on one course, whatever is asked for at once. */
  const queue = new PQueue({ concurrency: 1 });

  /**
   * Reads some courses and makes their outlines. A curriculum may have thousands of lectures, so each is decoded in a turn
   * of the event loop, and its outline made in the next one.
   */
  async function make(ids: readonly Types.ObjectId[]): Promise<Map<string, Versioned>> {
    const courses = await findCoursesToOutline(db, ids);
    const made = new Map<string, Versioned>();
    for (const decode of courses) {
      const course = decode();
      await nextTurn();
      const outline = outlineOf(course);
      made.set(outline.courseId, outline);
      kept.set(outline.courseId, outline);
      await nextTurn();
    }
    return made;
  }

  /** Starts what is not in the making yet. @returns the outlines in the making. */
  function makeMissing(missing: readonly CourseState[]) {
    const keyOf = ({ _id, version, updatedAt }: CourseState) => `${_id}:${version}:${updatedAt.getTime()}`;
    const fresh = missing.filter((course) => !making.has(keyOf(course)));
    for (let n = 0; n < fresh.length; n += readAtOnce) {
      const batch = fresh.slice(n, n + readAtOnce);
      const made = queue.add(() => make(batch.map(({ _id }) => _id)));
      for (const course of batch) {
        const one = made.then((outlines) => outlines.get(String(course._id)));
        making.set(keyOf(course), one);
        one.catch(() => undefined).finally(() => making.delete(keyOf(course)));
      }
    }
    return Promise.all(missing.map((course) => making.get(keyOf(course))));
  }

  return {
    async find(courseIds) {
      const current = await findCourseStates(db, courseIds);
      const known = new Map<string, Versioned>();
      const missing: typeof current = [];
      for (const course of current) {
        const outline = kept.get(String(course._id));
        if (outline && isSameVersion(outline, course)) known.set(outline.courseId, outline);
        else missing.push(course);
      }
      for (const outline of await makeMissing(missing)) if (outline) known.set(outline.courseId, outline);
      return courseIds.flatMap((courseId) => known.get(String(courseId)) ?? []);
    },
  };
}

function outlineOf(course: CourseToOutline): Versioned {
  const chapters = [...(course.courseContent ?? [])].sort((a, b) => a.chapterOrder - b.chapterOrder);
  const lectures = chapters.flatMap(({ chapterTitle, chapterContent }) =>
    [...chapterContent]
      .sort((a, b) => a.lectureOrder - b.lectureOrder)
      .map(({ lectureId, lectureTitle }) => ({ lectureId, title: lectureTitle, chapter: chapterTitle })),
  );
  const courseId = String(course._id);
  return {
    courseId,
    version: course.version,
    updatedAt: course.updatedAt,
    title: course.courseTitle,
    description: plainText(course.courseDescription, 250),
    chapters: chapters.map(({ chapterId, chapterTitle }) => ({ chapterId, title: chapterTitle })),
    about: `${course.courseTitle} ${plainText(course.courseDescription, 500)}`,
    lectures,
  };
}
