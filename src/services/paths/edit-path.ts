import type { Deps } from "../../deps.js";
import { failure } from "../../lib/errors.js";
import { presentFields } from "../../lib/fields.js";
import type { Path } from "../../models/paths/path.js";
import type { CourseManager } from "../courses/managed-course.js";
import { type NewEvent, recordEvents } from "../events/record-event.js";
import { requireFreeSlug, slugsWith } from "../find-free-slug.js";
import { findPathCourses, type NewPath, payablePrice, requirePublished } from "./create-path.js";
import { findManagedPath } from "./managed-path.js";

export const PathChanged = failure("path_changed", 409, "Path was changed by someone else");

/** The fields of an edit; `version` is the one that the educator saw. */
export type PathEdit = { readonly [K in keyof NewPath]?: NewPath[K] | undefined } & {
  readonly version: number;
  readonly slug?: string | undefined;
};

/**
 * Changes a path if it was not changed since `version`. What was sold or given keeps its list of courses.
 * @returns the path as it is now.
 * @throws InvalidRequest (a price that cannot be paid, too many slugs), CourseNotFound, PathNotFound, NotTheOwner,
 *   PathChanged, UnpublishedCourses, SlugTaken.
 */
export function editPath(
  { db, config }: Pick<Deps, "db" | "config">,
  pathId: string,
  { version, slug, courseIds, price, ...fields }: PathEdit,
  manager: CourseManager,
): Promise<Path> {
  const { userId: educatorId } = manager;
  const payable = price === undefined ? {} : { price: payablePrice(price, config.currency) };
  return db.transaction(async (session) => {
    const courses = courseIds && (await findPathCourses(db, educatorId, courseIds, session));
    const before = await findManagedPath<Path>(db, pathId, manager, {}, session);
    if (before.version !== version) throw PathChanged();
    const isPublished = fields.isPublished ?? before.isPublished;
    if (isPublished && (courses || fields.isPublished)) {
      requirePublished(courses ?? (await findPathCourses(db, educatorId, before.courseIds, session)));
    }
    await requireFreeSlug(db.Path, before, slug, session);
    const changes = {
      ...presentFields(fields),
      ...payable,
      ...(courses && { courseIds: courses.map(({ _id }) => _id) }),
      ...(slug !== undefined && { slugs: slugsWith(slug, before) }),
    };
    const path = await db.Path.findOneAndUpdate(
      { _id: before._id, version },
      { $set: changes, $inc: { version: 1 } },
      { session, returnDocument: "after" },
    ).lean<Path>();
    if (!path) throw PathChanged();
    const told = { data: { pathId: path._id, version: path.version }, educatorId };
    const flip: NewEvent[] =
      before.isPublished === path.isPublished
        ? []
        : [{ type: path.isPublished ? "path.published" : "path.unpublished", ...told }];
    await recordEvents(db, session, [{ type: "path.changed", ...told }, ...flip]);
    return path;
  });
}
