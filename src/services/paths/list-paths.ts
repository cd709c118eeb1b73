import type { QueryFilter } from "mongoose";
import type { Db } from "../../db/db.js";
import { newestFirst } from "../../db/ordered-list.js";
import { isObjectId } from "../../lib/fields.js";
import { textPattern } from "../../lib/text-pattern.js";
import type { Path } from "../../models/paths/path.js";
import type { CourseManager } from "../courses/managed-course.js";
import { PathNotFound } from "../failures.js";
import { describePaths, type PathWithCourses, withCourses } from "./describe-paths.js";
import { managedPaths } from "./managed-path.js";

interface PathFilter {
  /** Literal, in title or subtitle. */
  readonly q?: string | undefined;
  readonly educatorId?: string | undefined;
}

/** Further paths that are read together, because those with a course that was withdrawn are left out. */
const readTogether = 100;

/** The published paths all of whose courses are published, newest first. */
export function listPublishedPaths(db: Db, currency: string, { q, educatorId }: PathFilter) {
  const filter: QueryFilter<Path> = {
    isPublished: true,
    ...(educatorId && { educatorId }),
    ...(q && { $or: [{ title: textPattern(q) }, { subtitle: textPattern(q) }] }),
  };
  const published = newestFirst<Path>(db.Path, { filter });
  return {
    ...published,
    async find(after: ReturnType<typeof published.keyOf> | undefined, limit: number): Promise<PathWithCourses[]> {
      const shown: PathWithCourses[] = [];
      let place = after;
      for (let size = limit; shown.length < limit; size = Math.max(limit, readTogether)) {
        const rows = await published.find(place, size);
        const read = await withCourses(db, rows);
        shown.push(...read.filter(({ courses }) => courses.every(({ isPublished }) => isPublished)));
        const last = rows.at(-1);
        place = last && published.keyOf(last);
        if (rows.length < size) break;
      }
      return shown.slice(0, limit);
    },
    describe: (paths: readonly PathWithCourses[]) => describePaths(db, currency, paths),
  };
}

/** The paths that a manager sees, drafts too, newest first. */
export const listManagedPaths = (db: Db, currency: string, manager: CourseManager) =>
  newestFirst(db.Path, {
    filter: managedPaths(manager),
    describe: async (paths: readonly Path[]) => describePaths(db, currency, await withCourses(db, paths)),
  });

/** Finds a path by its id, or by a slug that it has or had. @throws PathNotFound, also for a draft unless it is the viewer's. */
export async function findPath(db: Db, idOrSlug: string, viewerId: string | undefined): Promise<Path> {
  const filter = isObjectId(idOrSlug) ? { _id: idOrSlug } : { slugs: idOrSlug.toLowerCase() };
  const path = await db.Path.findOne(filter).lean<Path>();
  if (!path || (!path.isPublished && path.educatorId !== viewerId)) throw PathNotFound();
  return path;
}
