import type { ClientSession, Types } from "mongoose";
import type { Db } from "../../../db/db.js";
import {
  type EnrollmentImport,
  type EnrollmentImportRow,
  type ImportOutcome,
  importOutcomes,
} from "../../../models/enrollments/enrollment-import.js";
import { lockEmails } from "../../../models/enrollments/grant.js";
import { recordAudit } from "../../audit/record-audit.js";
import { enrollByGrants } from "../../enrollments/enrollment.js";
import { recordEvent } from "../../events/record-event.js";
import { partsOf } from "../give-access.js";
import { grantAction } from "../grant-enrollment.js";
import { decideRows, type ImportedRow } from "./import-rows.js";
import { discardImport } from "./receive-import.js";

/** Rows that one transaction imports. */
const batchSize = 100;
const deadlineMs = 20_000;
/** Age of an unfinished upload that is removed. No upload takes as long. */
const abandonedAfterMs = 60 * 60_000;

/**
 * Imports the next rows of a table in one transaction: their grants, enrollments, figures and outcomes. It moves `lastRow`,
 * so that two instances never import the same row.
 * @returns how many rows there were; 0 when the import is done.
 */
export function importBatch(db: Db, { _id, courseId }: Pick<EnrollmentImport, "_id" | "courseId">): Promise<number> {
  const options = { deadlineMs, ...(courseId && { mutex: `course:${courseId}` as const }) };
  return db.transaction((session) => importNext(db, session, _id), options);
}

async function importNext(db: Db, session: ClientSession, importId: Types.ObjectId): Promise<number> {
  const running = { _id: importId, state: "running" } as const;
  const found = await db.EnrollmentImport.findOne(running).session(session).lean<EnrollmentImport>();
  if (!found) return 0;
  const rows = await db.EnrollmentImportRow.find({ importId, row: { $gt: found.lastRow } })
    .sort({ row: 1 })
    .limit(batchSize)
    .session(session)
    .lean<EnrollmentImportRow[]>();
  if (rows.length === 0) {
    await db.EnrollmentImport.updateOne(running, { $set: { state: "done", finishedAt: new Date() } }, { session });
    const { courseId, granted, waiting, skipped, failed } = found;
    const counts = { granted, waiting, skipped, failed };
    await recordEvent(db, session, "import.finished", { importId, courseId, ...counts });
    return 0;
  }
  const results = await decideRows(db, session, found, rows);
  await storeResults(db, session, importId, results);
  await storeGrants(db, session, found, results);
  return rows.length;
}

async function storeResults(
  db: Db,
  session: ClientSession,
  _id: Types.ObjectId,
  results: readonly ImportedRow[],
): Promise<void> {
  const updates = results.map(({ row, outcome, message }) => ({
    updateOne: { filter: { _id: row._id }, update: { $set: { outcome, message } } },
  }));
  await db.EnrollmentImportRow.bulkWrite(updates, { session });
  const numberOf = (wanted: ImportOutcome) => results.filter(({ outcome }) => outcome === wanted).length;
  const counted = Object.fromEntries(importOutcomes.map((outcome) => [outcome, numberOf(outcome)]));
  const lastRow = results.at(-1)?.row.row ?? 0;
  await db.EnrollmentImport.updateOne({ _id }, { $inc: counted, $set: { lastRow } }, { session });
}

async function storeGrants(
  db: Db,
  session: ClientSession,
  { requestedBy, requestId, keyId, _id: importId }: EnrollmentImport,
  results: readonly ImportedRow[],
): Promise<void> {
  const grants = results.flatMap(({ grant }) => (grant ? [grant] : []));
  if (grants.length === 0) return;
  await db.Grant.insertMany(grants, { session, timestamps: false });
  const waiting = grants.flatMap(({ state, email }) => (state === "waiting" && email ? [email] : []));
  await lockEmails(db, [...new Set(waiting)], session);
  const by = { userId: requestedBy, requestId, key: keyId ? { id: keyId } : undefined };
  const origin = { importId: String(importId) };
  await recordAudit(db, session, ...grants.map((grant) => grantAction(by, grant, origin)));
  const active = grants.flatMap((grant) => (grant.userId ? partsOf({ ...grant, userId: grant.userId }) : []));
  const counted = results.flatMap(({ counted }) => counted ?? []);
  await enrollByGrants(db, session, active, counted);
}

/** Removes imports whose instance died during the upload. */
export async function removeAbandonedImports(db: Db): Promise<void> {
  const before = new Date(Date.now() - abandonedAfterMs);
  const found = await db.EnrollmentImport.find({ state: "receiving", startedAt: { $lte: before } }, { _id: 1 })
    .limit(20)
    .lean();
  for (const { _id } of found) await discardImport(db, _id);
}
