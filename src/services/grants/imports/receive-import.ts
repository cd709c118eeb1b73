import { createReadStream } from "node:fs";
import { Types } from "mongoose";
import type { Db } from "../../../db/db.js";
import type { EnrollmentImportRow } from "../../../models/enrollments/enrollment-import.js";
import { actorOf, type Manager } from "../../../models/users/manager.js";
import { recordAudit } from "../../audit/record-audit.js";
import { readTable, type TableRow } from "./read-table.js";

const maxRows = 20_000;
const batchSize = 500;
/** Maximum length of a stored cell, in characters. */
const maxCellLength = 400;

interface NewImport {
  /** The course of an educator's table. */
  readonly courseId: Types.ObjectId | null;
  readonly manager: Manager;
}

/**
 * Stores the rows of a table, and hands it to the job. Nothing is left of a file that is refused.
 * @returns the id of the import. @throws `Invalid file`.
 */
export async function startImport(db: Db, path: string, { courseId, manager }: NewImport): Promise<Types.ObjectId> {
  const importId = new Types.ObjectId();
  const { userId: requestedBy, requestId, key } = manager;
  const by = {
    requestedBy,
    requestId,
    keyId: key?.id ?? null,
    keyCourseIds: key?.courseIds ? [...key.courseIds] : null,
  };
  await db.EnrollmentImport.create({ _id: importId, state: "receiving", courseId, ...by, startedAt: new Date() });
  let total: number;
  try {
    const columns = courseId ? ["email", "expiresAt"] : ["email", "courseId", "expiresAt"];
    total = await storeRows(db, importId, readTable(createReadStream(path), { columns, maxRows }), columns);
  } catch (error) {
    // After a failure here the job removes the import.
    await discardImport(db, importId).catch(() => undefined);
    throw error;
  }
  await beginImport(db, { importId, courseId, total }, manager);
  return importId;
}

/** A table whose rows are stored and have no effect yet. */
interface StoredImport {
  readonly importId: Types.ObjectId;
  readonly courseId: Types.ObjectId | null;
  readonly total: number;
}

/** Hands a stored table to the job. */
async function beginImport(db: Db, { importId: _id, courseId, total }: StoredImport, manager: Manager): Promise<void> {
  await db.transaction(async (session) => {
    const begun = { $set: { state: "running" as const, total } };
    const { modifiedCount } = await db.EnrollmentImport.updateOne({ _id, state: "receiving" }, begun, { session });
    if (modifiedCount === 0) return;
    await recordAudit(db, session, {
      ...actorOf(manager),
      action: "enrollment.import",
      targetKind: "import",
      targetId: String(_id),
      after: { courseId: courseId && String(courseId), rows: total },
    });
  });
  db.jobWakeups.emit("EnrollmentImport");
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
      cells.length === columns.length ? {} : { outcome: "failed" as const, message: "Wrong number of cells" };
    held.push({ importId, row, ...given, ...failure });
    total += 1;
    if (held.length === batchSize) await flush();
  }
  await flush();
  return total;
}
