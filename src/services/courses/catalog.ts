import type { Db } from "../../db/db.js";
import { singleFlight } from "../../lib/single-flight.js";
import { type Course, inCreationOrder } from "../../models/courses/course.js";
import { type UserCard, userCards } from "../users/user-cards.js";
import { averageRating } from "./course-view.js";

type ListedCourse = Omit<Course, "courseContent">;

/** A published course without its content, and its educator. */
export type CatalogCourse = Omit<ListedCourse, "educatorId"> & { averageRating: number; educatorId: UserCard };

/** A longer list is built for each request, so that it does not stay in memory. */
const maxKeptCourses = 5_000;
/** Figures that were fresh this long ago are checked again. The contract lets students and ratings lag two seconds. */
const refreshAfterMs = 1_000;
/** A list of at most this age is served while its figures are checked, so that no reader waits for a rebuild. */
const maxServedAgeMs = 1_500;
/** Longer than a transaction can take from its write of `figuresChangedAt` to its commit. */
const maxCommitMs = 10_000;

interface Kept<T> {
  readonly token: string;
  readonly value: T;
  /** `figuresChangedAt` of each course, by its id. */
  readonly figureTimes: ReadonlyMap<string, number>;
  readonly newestFigures: number;
  /** The figures were up to date at this time of `performance.now()`. */
  freshAt: number;
}

/**
 * Keeps what `render` makes of the published courses, in creation order. Each call reads the catalog's token, so that an
 * edit is seen by the next request on every instance; concurrent calls share that read, and one rebuild runs at a time.
 */
export function createCatalog<T>(db: Db, render: (courses: readonly CatalogCourse[]) => Promise<T>): () => Promise<T> {
  let kept: Kept<T> | undefined;

  async function haveFiguresMoved(list: Kept<T>): Promise<boolean> {
    const since = new Date(Math.max(0, list.newestFigures - maxCommitMs));
    // From the index alone.
    const changed = await db.Course.find(
      { isPublished: true, figuresChangedAt: { $gt: since } },
      { figuresChangedAt: 1 },
    ).lean();
    return changed.some((course) => list.figureTimes.get(String(course._id)) !== course.figuresChangedAt.getTime());
  }

  async function build(token: string): Promise<T> {
    const freshAt = performance.now();
    const courses = await db.Course.find({ isPublished: true }, { courseContent: 0 })
      .sort(inCreationOrder)
      .lean<ListedCourse[]>();
    const cardOf = await userCards(
      db,
      courses.map(({ educatorId }) => educatorId),
    );
    const value = await render(
      courses.map((course) => ({
        ...course,
        averageRating: averageRating(course),
        educatorId: cardOf(course.educatorId),
      })),
    );
    const figureTimes = new Map(courses.map((course) => [String(course._id), course.figuresChangedAt.getTime()]));
    const newestFigures = [...figureTimes.values()].reduce((newest, time) => Math.max(newest, time), 0);
    kept = courses.length > maxKeptCourses ? undefined : { token, value, figureTimes, newestFigures, freshAt };
    return value;
  }

  /** The newest rebuild and its token. A rebuild waits for the one before it. */
  let building: { readonly token: string; readonly value: Promise<T> } | undefined;
  function buildOnce(token: string): Promise<T> {
    if (building?.token === token) return building.value;
    const before = building?.value.catch(() => undefined);
    const own = { token, value: Promise.resolve(before).then(() => build(token)) };
    building = own;
    const forget = (): void => {
      if (building === own) building = undefined;
    };
    own.value.then(forget, forget);
    return own.value;
  }

  async function refresh(list: Kept<T>): Promise<T> {
    const startedAt = performance.now();
    if (await haveFiguresMoved(list)) return buildOnce(list.token);
    list.freshAt = startedAt;
    return list.value;
  }

  let refreshing: { readonly list: Kept<T>; readonly value: Promise<T> } | undefined;
  function refreshOnce(list: Kept<T>): Promise<T> {
    if (refreshing?.list === list) return refreshing.value;
    const own = { list, value: refresh(list) };
    refreshing = own;
    const forget = (): void => {
      if (refreshing === own) refreshing = undefined;
    };
    own.value.then(forget, forget);
    return own.value;
  }

  /** There is no token before the first edit. */
  const readToken = singleFlight(
    async () => (await db.CatalogRevision.findById("catalog").lean())?.token.toHexString() ?? "",
  );
  return async () => {
    const token = await readToken();
    if (kept?.token !== token) return buildOnce(token);
    const list = kept;
    const ageMs = performance.now() - list.freshAt;
    if (ageMs <= refreshAfterMs) return list.value;
    const refreshed = refreshOnce(list);
    if (ageMs > maxServedAgeMs) return refreshed;
    refreshed.catch(() => undefined);
    return list.value;
  };
}
