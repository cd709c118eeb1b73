import type { ClientSession } from "mongoose";
import type { Db } from "../../db/db.js";
import { distinct } from "../../lib/distinct.js";
import type { Certificate } from "../../models/learning/certificate.js";
import { pairKey } from "../learners/lecture-counts.js";

type Row = Pick<Certificate, "_id" | "userId" | "courseId">;

/** Finds out by one command which of some certificates are the newest of their learner and course. */
export async function findNewestOf(
  db: Db,
  rows: readonly Row[],
  session: ClientSession | null = null,
): Promise<(row: Row) => boolean> {
  const among = { userId: { $in: [...new Set(rows.map(({ userId }) => userId))] } };
  const found = await db.Certificate.find(
    { ...among, courseId: { $in: distinct(rows.map(({ courseId }) => courseId)) } },
    { userId: 1, courseId: 1, ordinal: 1 },
  )
    .sort({ ordinal: 1 })
    .session(session)
    .lean<Row[]>();
  const newest = new Map(found.map((row) => [pairKey(row), row._id]));
  return (row) => newest.get(pairKey(row))?.equals(row._id) ?? true;
}
