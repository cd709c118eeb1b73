import { LRUCache } from "lru-cache";
import { Types } from "mongoose";
import type { Db } from "../../db/db.js";
import { sharedFind } from "../../http/shared-reads.js";
import { findListedCourses, type LearnerListed } from "../../models/courses/course-queries.js";
import { educatorOf, type UserCard } from "../users/user-cards.js";
import type { CatalogState } from "./catalog-revision.js";

/** A course as a learner's list shows it. */
export type LearnerCourse = Omit<LearnerListed, "educators"> & { readonly educator: UserCard };

/** What learners' lists show of courses, drafts too. Made once per server. */
export interface ListedCourses {
  /** Looks at the state of the catalog. @returns the courses as of that look or later. */
  look(): Promise<{
    /** Those that exist, by id. Courses that are not known cost one query, whatever their number. */
    find(courseIds: readonly string[]): Promise<ReadonlyMap<string, LearnerCourse>>;
  }>;
}

const keptCourses = 10_000;
/** For how long: after a failover that undid a change, a number of the revision may come again. */
const keptMs = 60_000;

/**
 * Keeps courses and their educators until the catalog's revision rises: each change of what is shown of them, in whatever
 * process, raises it. So a request costs one small read, which the requests that come meanwhile share.
 */
export function createListedCourses(db: Db, state: () => Promise<CatalogState>): ListedCourses {
  const newKept = (asOf: number) => {
    return { asOf, courses: new LRUCache<string, LearnerCourse>({ max: keptCourses, ttl: keptMs }) };
  };
  let kept = newKept(-1);

  const read = sharedFind(async (courseIds) => {
    const found = await findListedCourses(
      db,
      courseIds.map((id) => new Types.ObjectId(id)),
    );
    const courses = found.map((course): [string, LearnerCourse] => {
      const { educators, ...shown } = course;
      return [String(course._id), { ...shown, educator: educatorOf(course) }];
    });
    return new Map(courses);
  });

  return {
    async look() {
      const { revision: asOf } = await state();
      if (asOf > kept.asOf) kept = newKept(asOf);
      // Those of a later revision, if another request was quicker. What is read from now on belongs to it or is newer.
      const { courses: known } = kept;
      return {
        async find(courseIds) {
          const courses = new Map<string, LearnerCourse>();
          const add = (courseId: string, course: LearnerCourse | undefined) => course && courses.set(courseId, course);
          const unknown = courseIds.filter((courseId) => !add(courseId, known.get(courseId)));
          const found = await Promise.all(unknown.map(read));
          for (const [i, courseId] of unknown.entries()) {
            add(courseId, found[i]);
            if (found[i]) known.set(courseId, found[i]);
          }
          return courses;
        },
      };
    },
  };
}
