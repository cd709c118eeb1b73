import type { Db } from "../../db/db.js";
import { singleFlight } from "../../lib/single-flight.js";
import { type Course, inCreationOrder } from "../../models/courses/course.js";
import { averageRating } from "../courses/course-view.js";
import { type UserCard, userCards } from "../users/user-cards.js";

type CardOf = Awaited<ReturnType<typeof userCards>>;
type ListedCourse = Omit<Course, "courseContent">;

/** A published course without its content, and its educator. */
export type CatalogCourse = Omit<ListedCourse, "educatorId"> & { averageRating: number; educatorId: UserCard };

interface Sortable
  extends Pick<CatalogCourse, "coursePrice" | "totalRatings" | "totalEnrolledStudents" | "averageRating"> {
  readonly createdAt: string;
}

/** How callers may sort the catalog. Equal courses stay in creation order. */
export const catalogOrders = {
  newest: (a: Sortable, b: Sortable) => (a.createdAt < b.createdAt ? 1 : a.createdAt > b.createdAt ? -1 : 0),
  "price-asc": (a: Sortable, b: Sortable) => a.coursePrice - b.coursePrice,
  "price-desc": (a: Sortable, b: Sortable) => b.coursePrice - a.coursePrice,
  rating: (a: Sortable, b: Sortable) => b.averageRating - a.averageRating || b.totalRatings - a.totalRatings,
  popular: (a: Sortable, b: Sortable) => b.totalEnrolledStudents - a.totalEnrolledStudents,
};

/** A list of this age is built again, because the contract lets students and ratings lag two seconds. */
const rebuildAfterMs = 1_000;
/** Maximum age of a list that is served during its rebuild, so that readers rarely wait. */
const maxServedAgeMs = 1_500;
/** Courses in one reply of the database, unless they have more than 16 MiB. */
const batchCourses = 5_000;

/**
 * Keeps the published courses, in creation order, as `render` returns them. Each call reads the catalog's token, so that
 * an edit is seen by the next request on every instance. Concurrent calls share that read, and one rebuild runs at a time.
 */
export function createCatalog<T>(db: Db, render: (courses: readonly CatalogCourse[]) => Promise<T>): () => Promise<T> {
  let kept: { readonly token: string; readonly readAt: number; readonly list: T; readonly cardOf: CardOf } | undefined;
  let building: { readonly token: string; readonly list: Promise<T> } | undefined;

  async function build(token: string): Promise<T> {
    const readAt = performance.now();
    const courses = await db.Course.find({ isPublished: true }, { courseContent: 0 })
      .sort(inCreationOrder)
      .batchSize(batchCourses)
      .lean<ListedCourse[]>();
    const educatorIds = courses.map(({ educatorId }) => educatorId);
    // The token changes with the courses of the list, and with the names and images of their educators.
    const cardOf = kept?.token === token ? kept.cardOf : await userCards(db, educatorIds);
    const list = await render(
      courses.map((course) => ({
        ...course,
        averageRating: averageRating(course),
        educatorId: cardOf(course.educatorId),
      })),
    );
    kept = { token, readAt, list, cardOf };
    return list;
  }

  /** Shares a rebuild among callers with the same token. Another token waits for the rebuild before it. */
  function buildOnce(token: string): Promise<T> {
    if (building?.token === token) return building.list;
    const before = building?.list.catch(() => undefined);
    const list = Promise.resolve(before)
      .then(() => build(token))
      .finally(() => {
        if (building?.list === list) building = undefined;
      });
    building = { token, list };
    return list;
  }

  /** There is no token before the first edit. */
  const readToken = singleFlight(
    async () => (await db.CatalogRevision.findById("catalog").lean())?.token.toHexString() ?? "",
  );
  return async () => {
    const token = await readToken();
    const known = kept?.token === token ? kept : undefined;
    const ageMs = performance.now() - (known?.readAt ?? Number.NEGATIVE_INFINITY);
    if (known && ageMs <= rebuildAfterMs) return known.list;
    const rebuilt = buildOnce(token);
    if (!known || ageMs > maxServedAgeMs) return rebuilt;
    rebuilt.catch(() => undefined);
    return known.list;
  };
}
