import type { Types } from "mongoose";
import type { Db } from "../../../db/db.js";
import { readInOrder } from "../../../db/read-in-order.js";
import type { Cell } from "../../../http/replies/csv.js";
import { failure } from "../../../lib/errors.js";
import type { EnrollmentImport, EnrollmentImportRow } from "../../../models/enrollments/enrollment-import.js";
import { type GrantManager, grantableCourse } from "../grant-enrollment.js";

export const ImportNotFound = failure("import_not_found", 404, "Import not found");

/** An import as it stands. @param courseId of an educator's course. @throws CourseNotFound, NotTheOwner, ImportNotFound. */
export async function findImport(
  db: Db,
  { importId, courseId }: { importId: string; courseId?: string | undefined },
  manager: GrantManager,
): Promise<EnrollmentImport> {
  const course = courseId === undefined ? {} : { courseId: await grantableCourse(db, courseId, manager) };
  const found = await db.EnrollmentImport.findOne({ _id: importId, ...course, state: { $in: ["running", "done"] } });
  if (!found) throw ImportNotFound();
  return found.toObject();
}

export const resultColumns = ["row", "email", "courseId", "expiresAt", "outcome", "message"];

/** The rows of an import with their outcomes, in batches; an outcome that is not known yet is empty. */
export async function* resultRows(db: Db, { _id, courseId }: EnrollmentImport): AsyncGenerator<Cell[][]> {
  const course = courseId && String(courseId);
  const batches = readInOrder<EnrollmentImportRow, EnrollmentImportRow>(db.EnrollmentImportRow, {
    ...{ filter: { importId: _id as Types.ObjectId }, sort: { row: 1 } },
  });
  for await (const rows of batches) {
    yield rows.map(({ row, email, courseId: own, expiresAt, outcome, message }) => [
      ...[row, email, course ?? own, expiresAt, outcome, message],
    ]);
  }
}
