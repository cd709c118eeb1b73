import type { ClientSession, QueryFilter } from "mongoose";
import type { Db } from "../../db/db.js";
import { isObjectId } from "../../lib/fields.js";
import type { Path } from "../../models/paths/path.js";
import { allCoursesInReach, reachesCourse } from "../../models/users/api-key.js";
import type { CourseManager } from "../courses/managed-course.js";
import { NotTheOwner, PathNotFound } from "../failures.js";

type OwnedPath = Pick<Path, "_id" | "educatorId" | "courseIds">;

declare const checked: unique symbol;

/** A path that the manager of a request may touch. Only `findManagedPath` returns one. */
export type ManagedPath<Fields extends OwnedPath = OwnedPath> = Fields & { readonly [checked]: true };

/** Filters the paths that a manager may touch: an educator's own, those whose courses an API key all sees, or all. */
export const managedPaths = ({ userId, role, key }: CourseManager): QueryFilter<Path> => ({
  ...(role === "educator" && { educatorId: userId }),
  ...allCoursesInReach(key),
});

/**
 * Reads a path that a manager may touch. A path that an API key does not see is answered like a path of somebody else to
 * an educator, and like no path to an administrator.
 * @param projection fields to read, with `educatorId` and `courseIds`; `{}` reads the whole path.
 * @throws PathNotFound, also for a malformed id; NotTheOwner for an educator.
 */
export async function findManagedPath<Fields extends OwnedPath = OwnedPath>(
  db: Db,
  pathId: string,
  { userId, role, key }: CourseManager,
  projection: Readonly<Record<string, 1>> = { educatorId: 1, courseIds: 1 },
  session: ClientSession | null = null,
): Promise<ManagedPath<Fields>> {
  const path = isObjectId(pathId)
    ? await db.Path.findById(pathId, projection).session(session).lean<ManagedPath<Fields>>()
    : null;
  const isInReach = path?.courseIds.every((courseId) => reachesCourse(key, courseId)) ?? false;
  if (!path || (role === "admin" && !isInReach)) throw PathNotFound();
  if (role === "educator" && (path.educatorId !== userId || !isInReach)) throw NotTheOwner();
  return path;
}
