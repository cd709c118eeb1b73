import type { QueryFilter } from "mongoose";
import type { Db } from "../../../db/db.js";
import { orderedList } from "../../../db/ordered-list.js";
import { failure } from "../../../lib/errors.js";
import type { EnrollmentImport } from "../../../models/enrollments/enrollment-import.js";
import { inReach } from "../../../models/users/api-key.js";
import type { Manager } from "../../../models/users/user.js";
import { findManagedCourse } from "../../courses/managed-course.js";

export const ImportNotFound = failure("import_not_found", 404, "Import not found");

/** Reads the present state of an import. @param courseId of an educator's course. @throws CourseNotFound, NotTheOwner, ImportNotFound. */
export async function findImport(
  db: Db,
  { importId, courseId }: { importId: string; courseId?: string | undefined },
  manager: Manager,
): Promise<EnrollmentImport> {
  const course =
    courseId === undefined ? sentOrSeenBy(manager) : { courseId: (await findManagedCourse(db, courseId, manager))._id };
  const found = await db.EnrollmentImport.findOne({ _id: importId, ...course, state: { $in: ["running", "done"] } });
  if (!found) throw ImportNotFound();
  return found.toObject();
}

/** A key with `courseIds` sees the tables of these courses and its own; a table without a course may name any. */
function sentOrSeenBy({ key }: Manager): { $or?: QueryFilter<EnrollmentImport>[] } {
  return key?.courseIds ? { $or: [inReach(key), { keyId: key.id }] } : {};
}

export const resultColumns = ["row", "email", "courseId", "expiresAt", "outcome", "message"] as const;

/** Lists the rows of an import with their outcomes, in their order. A pending row has no outcome. */
export function importRows(db: Db, { _id: importId, courseId: ofAll }: EnrollmentImport) {
  return orderedList(db.EnrollmentImportRow, {
    filter: { importId },
    sort: { row: 1 },
    describe: (rows) => rows.map((row) => ({ ...row, courseId: ofAll ? String(ofAll) : row.courseId })),
  });
}
