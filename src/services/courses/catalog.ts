import { setImmediate as nextTurn } from "node:timers/promises";
import type { Db } from "../../db/db.js";
import { chunk } from "../../lib/chunk.js";
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
/** Courses that are rendered in one turn of the event loop: some milliseconds. */
const coursesPerTurn = 250;
/** Longer than a transaction can take from its write of `figuresChangedAt` to its commit. */
const maxCommitMs = 10_000;

interface Entry<E> {
  readonly figuresChangedAt: number;
  readonly rendered: E;
}

interface Kept<E, T> {
  readonly token: string;
  readonly value: T;
  /** By course id, in creation order. */
  readonly entries: ReadonlyMap<string, Entry<E>>;
  /** The figures were up to date at this time of `performance.now()`. */
  freshAt: number;
}

/** How the courses become the kept value. */
interface Rendering<E, T> {
  readonly renderCourse: (course: CatalogCourse) => E;
  readonly join: (rendered: readonly E[]) => T;
}

/**
 * Keeps what `join` makes of the published courses, in creation order. Each call reads the catalog's token, so that an
 * edit is seen by the next request on every instance; concurrent calls share that read, and one rebuild runs at a time.
 * When only figures moved, the courses that they belong to are read again.
 */
export function createCatalog<E, T>(db: Db, { renderCourse, join }: Rendering<E, T>): () => Promise<T> {
  let kept: Kept<E, T> | undefined;

  async function readEntries(filter: { _id?: { $in: string[] } }): Promise<Map<string, Entry<E>>> {
    const courses = await db.Course.find({ ...filter, isPublished: true }, { courseContent: 0 })
      .sort(inCreationOrder)
      .lean<ListedCourse[]>();
    const cardOf = await userCards(
      db,
      courses.map(({ educatorId }) => educatorId),
    );
    const entries = new Map<string, Entry<E>>();
    for (const some of chunk(courses, coursesPerTurn)) {
      for (const course of some) {
        const rendered = renderCourse({
          ...course,
          averageRating: averageRating(course),
          educatorId: cardOf(course.educatorId),
        });
        entries.set(String(course._id), { rendered, figuresChangedAt: course.figuresChangedAt.getTime() });
      }
      await nextTurn();
    }
    return entries;
  }

  function listOf(token: string, entries: ReadonlyMap<string, Entry<E>>, freshAt: number): Kept<E, T> {
    return { token, entries, freshAt, value: join([...entries.values()].map(({ rendered }) => rendered)) };
  }

  async function build(token: string): Promise<T> {
    const freshAt = performance.now();
    const built = listOf(token, await readEntries({}), freshAt);
    kept = built.entries.size > maxKeptCourses ? undefined : built;
    return built.value;
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

  async function coursesWithNewFigures({ entries }: Kept<E, T>): Promise<string[]> {
    const newestFigures = [...entries.values()].reduce((newest, entry) => Math.max(newest, entry.figuresChangedAt), 0);
    const since = new Date(Math.max(0, newestFigures - maxCommitMs));
    // From the index alone.
    const recent = await db.Course.find(
      { isPublished: true, figuresChangedAt: { $gt: since } },
      { figuresChangedAt: 1 },
    ).lean();
    return recent
      .filter(({ _id, figuresChangedAt }) => {
        const entry = entries.get(String(_id));
        return entry && entry.figuresChangedAt !== figuresChangedAt.getTime();
      })
      .map(({ _id }) => String(_id));
  }

  async function refresh(list: Kept<E, T>): Promise<T> {
    const freshAt = performance.now();
    const changed = await coursesWithNewFigures(list);
    if (changed.length === 0) {
      list.freshAt = freshAt;
      return list.value;
    }
    const entries = new Map([...list.entries, ...(await readEntries({ _id: { $in: changed } }))]);
    const refreshed = listOf(list.token, entries, freshAt);
    if (kept === list) kept = refreshed;
    return refreshed.value;
  }

  let refreshing: { readonly list: Kept<E, T>; readonly value: Promise<T> } | undefined;
  function refreshOnce(list: Kept<E, T>): Promise<T> {
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
