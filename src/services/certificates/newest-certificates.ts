import type { ClientSession } from "mongoose";
import type { Db } from "../../db/db.js";
import { distinct } from "../../lib/distinct.js";
import { type Certificate, certificateKey } from "../../models/learning/certificate.js";

type Row = Pick<Certificate, "_id" | "userId" | "courseId" | "pathId">;

const keyOf = (row: Row): string => Object.values(certificateKey(row)).join();

/** Finds out by one command which of some certificates are the newest of their learner and course, or path. */
export async function findNewestOf(
  db: Db,
  rows: readonly Row[],
  session: ClientSession | null = null,
): Promise<(row: Row) => boolean> {
  const among = { userId: { $in: [...new Set(rows.map(({ userId }) => userId))] } };
  const found = await db.Certificate.find(
    { ...among, courseId: { $in: distinct(rows.map(({ courseId }) => courseId)) } },
    { userId: 1, courseId: 1, pathId: 1, ordinal: 1 },
  )
    .sort({ ordinal: 1 })
    .session(session)
    .lean<Row[]>();
  const newest = new Map(found.map((row) => [keyOf(row), row._id]));
  return (row) => newest.get(keyOf(row))?.equals(row._id) ?? true;
}
