import { LRUCache } from "lru-cache";
import { Types } from "mongoose";
import type { Db } from "../../db/db.js";
import { sharedFind } from "../../http/shared-reads.js";
import type { Chapter, Course } from "../../models/courses/course.js";
import {
  findCourses,
  findTaughtStates,
  isSameVersion,
  lectureIdsOf,
  type WithEducator,
} from "../../models/courses/course-queries.js";
import { educatorOf } from "../users/user-cards.js";
import { type CatalogState, sharedCatalogState } from "./catalog-revision.js";
import { type CourseDetailView, curriculum, viewOf } from "./course-view.js";
import { createListedCourses, type ListedCourses } from "./listed-courses.js";

/** Courses as they are now, by ids in either letter case. */
export interface CourseCache {
  /** One course as the player (`hidePaid` false) or the public (`hidePaid` true) sees it; null when there is none. */
  detail(courseId: string, options: { hidePaid: boolean }): Promise<CourseDetailView | null>;
  /** Title and lectures of a course; null when there is none. */
  lectures(courseId: string): Promise<{ courseTitle: string; lectureIds: readonly string[] } | null>;
  /** Whether the course, and the chapter, is known to have existed, without a look; courses are never removed. */
  knows(courseId: string, chapterId?: string): boolean;
}

/** What one process keeps of courses. Made once per server, so that requests of all kinds share their looks. */
export interface CourseCaches {
  readonly catalogState: () => Promise<CatalogState>;
  readonly listed: ListedCourses;
  readonly courses: CourseCache;
}

export function createCourseCaches(db: Db): CourseCaches {
  const catalogState = sharedCatalogState(db);
  const listed = createListedCourses(db, catalogState);
  return { catalogState, listed, courses: createCourseCache(db) };
}

/** What is made of a course once per version. */
interface Known {
  readonly course: Course & WithEducator;
  readonly lectureIds: readonly string[];
  readonly chapters: Record<"all" | "public", Chapter[]>;
}

/** Memory is bounded by the number of lectures that are kept, over all courses. */
const keptLectures = 50_000;

/**
 * Keeps courses per version. Each request reads the version and the figures of its course with the card of its educator:
 * one small read, which requests that come meanwhile share. The course itself is read when its version is another one,
 * so that an edit is seen with the next request on every instance.
 */
function createCourseCache(db: Db): CourseCache {
  const kept = new LRUCache<string, Known>({
    maxSize: keptLectures,
    sizeCalculation: ({ lectureIds }) => lectureIds.length + 10,
  });
  const states = byId((ids) => findTaughtStates(db, ids));
  const courses = byId((ids) => findCourses(db, ids));

  /** @returns the course with its figures as they are now. */
  async function find(courseId: string): Promise<(Pick<Known, "course"> & { known: Known }) | null> {
    const known = kept.get(courseId);
    const state = known && (await states(courseId));
    if (state && isSameVersion(known.course, state)) return { known, course: { ...known.course, ...state } };
    const course = await courses(courseId);
    if (!course) {
      kept.delete(courseId);
      return null;
    }
    const fresh = knownOf(course);
    kept.set(courseId, fresh);
    return { known: fresh, course };
  }

  return {
    async detail(id, { hidePaid }) {
      const found = await find(id.toLowerCase());
      if (!found) return null;
      const { known, course: withEducator } = found;
      const { educators, ...course } = withEducator;
      return viewOf(course, known.chapters[hidePaid ? "public" : "all"], educatorOf(withEducator));
    },
    async lectures(courseId) {
      const found = await find(courseId.toLowerCase());
      return found && { courseTitle: found.course.courseTitle, lectureIds: found.known.lectureIds };
    },
    knows(courseId, chapterId) {
      const known = kept.get(courseId.toLowerCase());
      if (!known || chapterId === undefined) return known !== undefined;
      return known.chapters.all.some((chapter) => chapter.chapterId === chapterId);
    },
  };
}

function knownOf(course: Course & WithEducator): Known {
  const all = curriculum(course.courseContent, { hidePaid: false });
  const chapters = { all, public: curriculum(all, { hidePaid: true }) };
  return { course, lectureIds: lectureIdsOf(all), chapters };
}

/** Reads documents by id. */
function byId<T extends { _id: Types.ObjectId }>(read: (ids: Types.ObjectId[]) => Promise<T[]>) {
  return sharedFind(async (ids) => {
    const found = await read(ids.map((id) => new Types.ObjectId(id)));
    return new Map(found.map((document) => [String(document._id), document]));
  });
}
