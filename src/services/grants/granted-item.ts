import type { Db } from "../../db/db.js";
import type { Grant, GrantedItem } from "../../models/enrollments/grant.js";
import { type CourseManager, findManagedCourse } from "../courses/managed-course.js";
import { findManagedPath } from "../paths/managed-path.js";

/** The course or the path that a request names. */
export type NamedItem = Readonly<{ courseId: string }> | Readonly<{ pathId: string }>;

/**
 * Finds the course or the path that a manager may grant.
 * @throws CourseNotFound or PathNotFound, NotTheOwner.
 */
export const findManagedItem = async (db: Db, item: NamedItem, manager: CourseManager): Promise<GrantedItem> =>
  "pathId" in item
    ? { pathId: (await findManagedPath(db, item.pathId, manager))._id }
    : { courseId: (await findManagedCourse(db, item.courseId, manager))._id };

/** What a grant gives, for an entry of the audit trail. */
export const auditedItem = ({ courseId, pathId }: Pick<Grant, "courseId" | "pathId">) =>
  pathId ? { pathId: String(pathId) } : { courseId: String(courseId) };
