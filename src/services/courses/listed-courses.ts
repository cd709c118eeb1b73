import { LRUCache } from "lru-cache";
import type { Types } from "mongoose";
import type { Db } from "../../db/db.js";
import { sharedRead } from "../../http/shared-reads.js";
import { findListedCourses, type LearnerListed } from "../../models/courses/course-queries.js";
import { deletedUserCard, type UserCard } from "../users/user-cards.js";
import { readCatalogRevision } from "./catalog-revision.js";

/** A course as a learner's list shows it. */
export type LearnerCourse = Omit<LearnerListed, "educators"> & { readonly educator: UserCard };

/** What learners' lists show of courses, drafts too. Made once per server. */
export interface ListedCourses {
  /** Looks at the state of the catalog. @returns the courses as of that look or later. */
  look(): Promise<{
    /** Those that exist, by id. Courses that are not known cost one query, whatever their number. */
    find(courseIds: readonly Types.ObjectId[]): Promise<ReadonlyMap<string, LearnerCourse>>;
  }>;
}

const keptCourses = 10_000;
/** For how long: after a failover that undid a change, a number of the revision may come again. */
const keptMs = 60_000;

const cardOf = ({ _id, name, imageUrl }: UserCard): UserCard => ({ _id, name, imageUrl });

/**
 * Keeps courses and their educators until the catalog's revision rises: each change of what is shown of them, in whatever
 * process, raises it. So a request costs one small read, which the requests that come meanwhile share.
 */
export function createListedCourses(db: Db): ListedCourses {
  const revision = sharedRead(() => readCatalogRevision(db));
  const newKept = (asOf: number) => {
    return { asOf, courses: new LRUCache<string, LearnerCourse>({ max: keptCourses, ttl: keptMs }) };
  };
  let kept = newKept(-1);

  async function read(courseIds: readonly Types.ObjectId[]): Promise<LearnerCourse[]> {
    const courses = await findListedCourses(db, courseIds);
    return courses.map(({ educators: [educator], ...course }) => ({
      ...course,
      educator: educator ? cardOf(educator) : deletedUserCard(course.educatorId),
    }));
  }

  return {
    async look() {
      const asOf = await revision();
      if (asOf > kept.asOf) kept = newKept(asOf);
      // Those of a later revision, if another request was quicker. What is read from now on belongs to it or is newer.
      const { courses: known } = kept;
      return {
        async find(courseIds) {
          const courses = new Map<string, LearnerCourse>();
          const unknown: Types.ObjectId[] = [];
          for (const courseId of courseIds) {
            const course = known.get(String(courseId));
            if (course) courses.set(String(courseId), course);
            else unknown.push(courseId);
          }
          for (const course of unknown.length > 0 ? await read(unknown) : []) {
            courses.set(String(course._id), course);
            known.set(String(course._id), course);
          }
          return courses;
        },
      };
    },
  };
}
