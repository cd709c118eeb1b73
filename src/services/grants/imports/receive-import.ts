import { createReadStream } from "node:fs";
import { type QueryFilter, Types } from "mongoose";
import type { Db } from "../../../db/db.js";
import { orderedList } from "../../../db/ordered-list.js";
import { failure } from "../../../lib/errors.js";
import type { EnrollmentImport, EnrollmentImportRow } from "../../../models/enrollments/enrollment-import.js";
import { inReach } from "../../../models/users/api-key.js";
import type { Manager } from "../../../models/users/user.js";
import { audited } from "../../audit/record-audit.js";
import { findManagedCourse } from "../../courses/managed-course.js";
import { readTable, type TableRow } from "./read-table.js";

const maxRows = 20_000;
const batchSize = 500;
/** Maximum length of a stored cell, in characters. */
const maxCellLength = 400;

/**
 * Stores the rows of a table and hands them to the job. Nothing is left of a file that is refused.
 * @param path of the file. @param courseId the course of an educator's table.
 * @returns the id of the import. @throws `Invalid file`.
 */
export async function startImport(
  db: Db,
  path: string,
  courseId: Types.ObjectId | null,
  manager: Manager,
): Promise<Types.ObjectId> {
  const _id = new Types.ObjectId();
  const { userId: requestedBy, requestId, key } = manager;
  const keyCourseIds = key?.courseIds ? [...key.courseIds] : null;
  const by = { requestedBy, requestId, keyId: key?.id ?? null, keyCourseIds };
  const startedAt = new Date();
  await db.EnrollmentImport.create({ _id, state: "receiving", courseId, ...by, startedAt });
  let total: number;
  try {
    const columns = courseId ? ["email", "expiresAt"] : ["email", "courseId", "expiresAt"];
    total = await storeRows(db, _id, readTable(createReadStream(path), { columns, maxRows }), columns);
  } catch (error) {
    // After a failure here the job removes the import.
    await discardImport(db, _id).catch(() => undefined);
    throw error;
  }
  await db.transaction(async (session) => {
    const begun = { $set: { state: "running" as const, total } };
    const { modifiedCount } = await db.EnrollmentImport.updateOne({ _id, state: "receiving" }, begun, { session });
    if (modifiedCount === 0) return;
    const after = { courseId: courseId && String(courseId), rows: total };
    await audited(db, session, manager, "enrollment.import", ["import", _id], { after });
  });
  db.jobWakeups.emit("EnrollmentImport");
  return _id;
}

/** Removes an import that was not stored as a whole. */
export async function discardImport(db: Db, _id: Types.ObjectId): Promise<void> {
  const receiving = { _id, state: "receiving" } as const;
  if (!(await db.EnrollmentImport.exists(receiving))) return;
  let rows: Pick<EnrollmentImportRow, "_id">[];
  do {
    rows = await db.EnrollmentImportRow.find({ importId: _id }, { _id: 1 }).limit(batchSize).lean();
    await db.EnrollmentImportRow.deleteMany({ _id: { $in: rows.map((row) => row._id) } });
  } while (rows.length === batchSize);
  await db.EnrollmentImport.deleteOne(receiving);
}

async function storeRows(
  db: Db,
  importId: Types.ObjectId,
  rows: AsyncIterable<TableRow>,
  columns: readonly string[],
): Promise<number> {
  let total = 0;
  let held: Partial<EnrollmentImportRow>[] = [];
  const flush = async (): Promise<void> => {
    if (held.length > 0) await db.EnrollmentImportRow.insertMany(held);
    held = [];
  };
  for await (const { row, cells } of rows) {
    const given = Object.fromEntries(columns.map((name, i) => [name, (cells[i] ?? "").slice(0, maxCellLength)]));
    const failure =
      cells.length <= columns.length ? {} : { outcome: "failed" as const, message: "Wrong number of cells" };
    held.push({ importId, row, ...given, ...failure });
    total += 1;
    if (held.length === batchSize) await flush();
  }
  await flush();
  return total;
}

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
