import type { Db } from "../../db/db.js";
import { type Course, inCreationOrder } from "../../models/course.js";
import { readCatalogRevision } from "./catalog-revision.js";

type Listed = Omit<Course, "courseContent">;
type ShownFigures = Pick<Course, "_id" | "totalEnrolledStudents" | "totalRatings" | "ratingSum" | "figuresChangedAt">;

export interface Catalog {
  /** Two equal answers mean that `read` would give the same, apart from figures of the last second. */
  revision(): Promise<string>;
  /** All published courses without their content, in creation order. */
  read(): Promise<readonly Listed[]>;
}

/** The figures in the list may be this old, in milliseconds; the API promises a second. */
const figuresLastMs = 800;
/** Longer than a transaction can take between naming its time and being visible, in milliseconds. */
const latestCommitMs = 10_000;

/**
 * The published courses as one process knows them. The whole list is read again when an edit has raised the catalog's
 * revision. Students and ratings move all the time and raise none: once in a while the figures that moved since are
 * asked for and put into the list.
 */
export function createCatalog(db: Db): Catalog {
  let known: { revision: number; courses: Map<string, Listed>; newestFigures: number } | undefined;
  let figuresVersion = 0;
  /** No figure in the list is older, by this process's clock. */
  let figuresAsOf = Number.NEGATIVE_INFINITY;
  let looking = Promise.resolve();

  async function lookForFigures(): Promise<void> {
    if (!known) return;
    const since = new Date(Math.max(0, known.newestFigures - latestCommitMs));
    const shown = { totalEnrolledStudents: 1, totalRatings: 1, ratingSum: 1, figuresChangedAt: 1 };
    const moved = await db.Course.find({ figuresChangedAt: { $gt: since } }, shown).lean<ShownFigures[]>();
    // The list may have been read again meanwhile, and a later look may have come back before this one.
    const { courses } = known;
    let changed = false;
    for (const figures of moved) {
      const course = courses.get(String(figures._id));
      if (!course || course.figuresChangedAt > figures.figuresChangedAt || !differs(course, figures)) continue;
      Object.assign(course, figures);
      changed = true;
    }
    known.newestFigures = newest(moved, known.newestFigures);
    if (changed) figuresVersion += 1;
  }

  function refreshFigures(): Promise<void> {
    const now = performance.now();
    if (now - figuresAsOf >= figuresLastMs) {
      figuresAsOf = now;
      looking = lookForFigures().catch((error: unknown) => {
        figuresAsOf = Number.NEGATIVE_INFINITY;
        throw error;
      });
    }
    return looking;
  }

  return {
    async revision() {
      const [revision] = await Promise.all([readCatalogRevision(db), refreshFigures()]);
      return `${revision}.${figuresVersion}`;
    },
    async read() {
      const startedAt = performance.now();
      const revision = await readCatalogRevision(db);
      if (known?.revision !== revision) {
        const found = await db.Course.find({ isPublished: true }, { courseContent: 0 })
          .sort(inCreationOrder)
          .lean<Listed[]>();
        const courses = new Map(found.map((course) => [String(course._id), course]));
        known = { revision, courses, newestFigures: newest(found, 0) };
        // A look that ended meanwhile may have known more.
        figuresAsOf = Math.min(figuresAsOf, startedAt);
      }
      return [...known.courses.values()];
    },
  };
}

const differs = (a: ShownFigures, b: ShownFigures): boolean =>
  a.totalEnrolledStudents !== b.totalEnrolledStudents ||
  a.totalRatings !== b.totalRatings ||
  a.ratingSum !== b.ratingSum;

const newest = (figures: readonly Pick<Course, "figuresChangedAt">[], least: number): number =>
  figures.reduce((latest, { figuresChangedAt }) => Math.max(latest, figuresChangedAt.getTime()), least);
