import type { Db } from "../../db/db.js";
import type { CatalogChange } from "../../models/courses/catalog-revision.js";
import type { Course } from "../../models/courses/course.js";
import {
  findCoursesToList,
  findMovedFigures,
  findPublishedCourses,
  type ListedCourse,
  type ShownFigures,
} from "../../models/courses/course-queries.js";
import { deletedUserCard, type UserCard, userCards } from "../users/user-cards.js";
import { type CatalogParts, readCatalogChanges } from "./catalog-revision.js";

interface Known {
  parts: CatalogParts;
  /** In creation order. */
  courses: Map<string, ListedCourse>;
  /** Who teaches them, by user id. */
  educators: Map<string, UserCard>;
  newestFigures: number;
}

/** `refreshFigures` and `read` are called one at a time. */
export interface Catalog {
  /** Looks for figures that have moved, for `read`. @returns how many looks have found some. */
  refreshFigures(): Promise<number>;
  /** All published courses without their content, in creation order. One that has not changed is the same object. */
  read(): Promise<readonly ListedCourse[]>;
  /** The educator of one of them as of the last `read`; the same object until it changes. */
  educator(userId: string): UserCard;
}

/** Educators that one query asks for. */
const educatorsAtATime = 1_000;
/** Longer than a transaction can take between naming its time and being visible, in milliseconds. */
const latestCommitMs = 10_000;

/**
 * The published courses as one process knows them. When the catalog's revision has risen, the courses and educators
 * that it names are read again; the whole list only when it does not name them all. Students and ratings change all the
 * time and raise none: the figures that have changed since the last look are asked for and put into the list.
 */
export function createCatalog(db: Db): Catalog {
  let known: Known | undefined;
  let figuresVersion = 0;

  async function refreshFigures(): Promise<number> {
    if (!known) return figuresVersion;
    const since = new Date(Math.max(0, known.newestFigures - latestCommitMs));
    const moved = await findMovedFigures(db, since);
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

  /** Reads the cards of these users again, or for the first time. */
  async function readCards(educators: Map<string, UserCard>, userIds: readonly string[]): Promise<void> {
    for (let from = 0; from < userIds.length; from += educatorsAtATime) {
      const some = userIds.slice(from, from + educatorsAtATime);
      const cardOf = await userCards(db, some);
      for (const userId of some) educators.set(userId, cardOf(userId));
    }
  }

  async function readEducators(educators: Map<string, UserCard>, courses: readonly ListedCourse[]): Promise<void> {
    const missing = new Set(courses.map(({ educatorId }) => educatorId).filter((userId) => !educators.has(userId)));
    await readCards(educators, [...missing]);
  }

  async function readChanged({ courses, educators }: Known, changes: readonly CatalogChange[]): Promise<void> {
    const courseIds = new Map(changes.flatMap(({ courseId }) => (courseId ? [[String(courseId), courseId]] : [])));
    const userIds = new Set(changes.flatMap(({ educatorId: id }) => (id && educators.has(id) ? [id] : [])));
    await readCards(educators, [...userIds]);
    if (courseIds.size === 0) return;
    const read = await findCoursesToList(db, [...courseIds.values()]);
    const found = read.filter(({ isPublished }) => isPublished);
    await readEducators(educators, found);
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
    refreshFigures,
    async read() {
      const { parts, changes } = await readCatalogChanges(db, known?.parts);
      if (known && changes) {
        await readChanged(known, changes);
        known.parts = parts;
      } else {
        const found = await findPublishedCourses(db);
        const courses = new Map(found.map((course) => [String(course._id), course]));
        const educators = new Map<string, UserCard>();
        await readEducators(educators, found);
        known = { parts, courses, educators, newestFigures: newest(found, 0) };
      }
      return [...known.courses.values()];
    },
    educator: (userId) => known?.educators.get(userId) ?? deletedUserCard(userId),
  };
}

const inOrder = (a: ListedCourse, b: ListedCourse): number =>
  a.createdAt.getTime() - b.createdAt.getTime() || (String(a._id) < String(b._id) ? -1 : 1);

const differs = (a: ShownFigures, b: ShownFigures): boolean =>
  a.totalEnrolledStudents !== b.totalEnrolledStudents ||
  a.totalRatings !== b.totalRatings ||
  a.ratingSum !== b.ratingSum;

const newest = (figures: readonly Pick<Course, "figuresChangedAt">[], least: number): number =>
  figures.reduce((latest, { figuresChangedAt }) => Math.max(latest, figuresChangedAt.getTime()), least);
