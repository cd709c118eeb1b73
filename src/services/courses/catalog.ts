import type { Db } from "../../db/db.js";
import { type Course, inCreationOrder } from "../../models/course.js";
import { deletedPerson, findPeople, type Person } from "../users/user-cards.js";
import { type CatalogChange, type CatalogParts, readCatalogChanges, readCatalogRevision } from "./catalog-revision.js";

export type Listed = Omit<Course, "courseContent">;
type ShownFigures = Pick<Course, "_id" | "totalEnrolledStudents" | "totalRatings" | "ratingSum" | "figuresChangedAt">;

interface Known {
  revision: number;
  parts: CatalogParts;
  /** In creation order. */
  courses: Map<string, Listed>;
  /** Their educators. */
  people: Map<string, Person>;
  newestFigures: number;
}

/** `refreshFigures` and `read` are called one at a time. */
export interface Catalog {
  /** Two equal answers mean that `read` would give the same, apart from figures. */
  revision(): Promise<number>;
  /** Looks for figures that have moved, for `read`. @returns how many looks have found some. */
  refreshFigures(): Promise<number>;
  /** All published courses without their content, in creation order. One that has not changed is the same object. */
  read(): Promise<readonly Listed[]>;
  /** The educator of one of them as of the last `read`; the same object until it changes. */
  educator(userId: string): Person;
}

/** Educators that one query asks for. */
const peopleAtATime = 1_000;
/** Longer than a transaction can take between naming its time and being visible, in milliseconds. */
const latestCommitMs = 10_000;

/**
 * The published courses as one process knows them. When the catalog's revision has risen, the courses and educators
 * that it names are read again; the whole list only when it does not name them all. Students and ratings move all the time and
 * raise none: the figures that have moved since the last look are asked for and put into the list.
 */
export function createCatalog(db: Db): Catalog {
  let known: Known | undefined;
  let figuresVersion = 0;

  async function refreshFigures(): Promise<number> {
    if (!known) return figuresVersion;
    const since = new Date(Math.max(0, known.newestFigures - latestCommitMs));
    const shown = { totalEnrolledStudents: 1, totalRatings: 1, ratingSum: 1, figuresChangedAt: 1 };
    const moved = await db.Course.find({ figuresChangedAt: { $gt: since } }, shown).lean<ShownFigures[]>();
    const { courses } = known;
    let changed = false;
    for (const figures of moved) {
      const course = courses.get(String(figures._id));
      if (!course || !differs(course, figures)) continue;
      courses.set(String(figures._id), { ...course, ...figures });
      changed = true;
    }
    known.newestFigures = newest(moved, known.newestFigures);
    if (changed) figuresVersion += 1;
    return figuresVersion;
  }

  /** Reads people again, or for the first time. */
  async function readPeople(people: Map<string, Person>, userIds: readonly string[]): Promise<void> {
    for (let from = 0; from < userIds.length; from += peopleAtATime) {
      const some = userIds.slice(from, from + peopleAtATime);
      const person = await findPeople(db, some);
      for (const userId of some) people.set(userId, person(userId));
    }
  }

  async function readEducators(people: Map<string, Person>, courses: readonly Listed[]): Promise<void> {
    const missing = new Set(courses.map(({ educatorId }) => educatorId).filter((userId) => !people.has(userId)));
    await readPeople(people, [...missing]);
  }

  async function readChanged({ courses, people }: Known, changes: readonly CatalogChange[]): Promise<void> {
    const courseIds = new Map(changes.flatMap(({ courseId }) => (courseId ? [[String(courseId), courseId]] : [])));
    const userIds = new Set(changes.flatMap(({ educatorId: id }) => (id && people.has(id) ? [id] : [])));
    await readPeople(people, [...userIds]);
    if (courseIds.size === 0) return;
    // By id alone: with more in the filter a planner may take the index of all published courses.
    const filter = { _id: { $in: [...courseIds.values()] } };
    const read = await db.Course.find(filter, { courseContent: 0 }).lean<Listed[]>();
    const found = read.filter(({ isPublished }) => isPublished);
    await readEducators(people, found);
    const readAgain = new Map(found.map((course) => [String(course._id), course]));
    let added = false;
    for (const courseId of courseIds.keys()) {
      const [before, now] = [courses.get(courseId), readAgain.get(courseId)];
      if (now) courses.set(courseId, now);
      else courses.delete(courseId);
      added ||= now !== undefined && before === undefined;
    }
    if (!added) return;
    const sorted = [...courses.values()].sort(inOrder);
    courses.clear();
    for (const course of sorted) courses.set(String(course._id), course);
  }

  return {
    revision: () => readCatalogRevision(db),
    refreshFigures,
    async read() {
      const { revision, parts, changes } = await readCatalogChanges(db, known?.parts);
      if (known && changes) {
        await readChanged(known, changes);
        Object.assign(known, { revision, parts });
      } else if (known?.revision !== revision) {
        const found = await db.Course.find({ isPublished: true }, { courseContent: 0 })
          .sort(inCreationOrder)
          .lean<Listed[]>();
        const courses = new Map(found.map((course) => [String(course._id), course]));
        const people = new Map<string, Person>();
        await readEducators(people, found);
        known = { revision, parts, courses, people, newestFigures: newest(found, 0) };
      }
      return [...known.courses.values()];
    },
    educator: (userId) => known?.people.get(userId) ?? deletedPerson(userId),
  };
}

const inOrder = (a: Listed, b: Listed): number =>
  a.createdAt.getTime() - b.createdAt.getTime() || (String(a._id) < String(b._id) ? -1 : 1);

const differs = (a: ShownFigures, b: ShownFigures): boolean =>
  a.totalEnrolledStudents !== b.totalEnrolledStudents ||
  a.totalRatings !== b.totalRatings ||
  a.ratingSum !== b.ratingSum;

const newest = (figures: readonly Pick<Course, "figuresChangedAt">[], least: number): number =>
  figures.reduce((latest, { figuresChangedAt }) => Math.max(latest, figuresChangedAt.getTime()), least);
