import type { Types } from "mongoose";
import type { Db } from "../../db/db.js";
import { orderedList } from "../../db/ordered-list.js";
import { readBatches } from "../../lib/read-batches.js";
import type { Assessment } from "../../models/assessments/assessment.js";
import { gradeAttempt } from "./grade-attempt.js";

/** Attempts that are read at once. */
const batchSize = 100;
/** Delay before a failed grading is repeated. */
const retryMs = 60_000;
/** Longest time after its removal in which a request that read the assessment before can start an attempt. */
const startsMs = 30_000;

/** Grades an open attempt whose time is over. An attempt that was erased meanwhile is no failure. */
export async function gradeExpiredAttempt(db: Db, _id: Types.ObjectId): Promise<void> {
  try {
    await gradeAttempt(db, { _id });
  } catch (error) {
    if (await db.AssessmentAttempt.exists({ _id, state: "open" })) throw error;
  }
}

/**
 * Grades the open attempts at a removed assessment. A request that read the assessment before its removal can start an
 * attempt afterwards, so the assessment is swept once more. @returns how many attempts were graded.
 */
export async function gradeRemovedAssessment(
  db: Db,
  { _id, removedAt = new Date() }: Pick<Assessment, "_id" | "removedAt">,
  signal: AbortSignal,
): Promise<number> {
  const lastStart = new Date(removedAt.getTime() + startsMs);
  const isFinal = lastStart <= new Date();
  const graded = await gradeOpen(db, _id, signal);
  if (signal.aborted) return graded;
  const next = isFinal ? { $unset: { sweepAt: 1 as const } } : { $set: { sweepAt: lastStart } };
  await db.Assessment.updateOne({ _id }, next, { timestamps: false });
  return graded;
}

/** Grades the open attempts at a removed assessment. */
async function gradeOpen(db: Db, assessmentId: Types.ObjectId, signal: AbortSignal): Promise<number> {
  let graded = 0;
  const filter = { assessmentId, state: "open" as const };
  const open = orderedList(db.AssessmentAttempt, { filter, fields: { _id: 1 }, sort: { _id: 1 } });
  for await (const batch of readBatches(open, batchSize)) {
    graded += await gradeAll(db, batch, signal);
    if (signal.aborted) break;
  }
  return graded;
}

/** Grades attempts, and postpones those that fail, so that they do not delay others. @throws the last failure. */
async function gradeAll(db: Db, due: readonly { _id: Types.ObjectId }[], signal: AbortSignal): Promise<number> {
  let graded = 0;
  let failure: unknown;
  for (const { _id } of due) {
    if (signal.aborted) break;
    try {
      await gradeAttempt(db, { _id });
      graded += 1;
    } catch (error) {
      const later = { $set: { gradeAt: new Date(Date.now() + retryMs) } };
      const { matchedCount } = await db.AssessmentAttempt.updateOne({ _id, state: "open" }, later);
      // An erased attempt is no failure.
      if (matchedCount > 0) failure = error;
    }
  }
  if (failure) throw failure;
  return graded;
}
