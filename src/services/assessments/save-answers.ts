import type { Db } from "../../db/db.js";
import { failure } from "../../lib/errors.js";
import { findAttempt } from "../../models/assessments/attempt-queries.js";
import { acceptAnswers, type SentAnswers } from "./attempt-questions.js";
import { isOver } from "./attempt-times.js";
import { type AttemptKey, AttemptNotFound } from "./grade-attempt.js";

export const AttemptOver = failure("attempt_over", 409, "The attempt is over");

/**
 * Saves answers beside those that were saved before. Saves at the same time keep each other's answers.
 * @returns when they were saved. @throws AttemptNotFound, AttemptOver
 */
export async function saveAnswers(db: Db, key: AttemptKey, sent: SentAnswers): Promise<Date> {
  const found = await findAttempt(db, key);
  if (!found) throw AttemptNotFound();
  const { attempt, assessment } = found;
  const savedAt = new Date();
  if (attempt.state !== "open" || isOver(attempt, assessment, savedAt)) throw AttemptOver();
  const changes = Object.entries(acceptAnswers(attempt, sent)).map(([name, answer]) => [`answers.${name}`, answer]);
  if (changes.length === 0) return savedAt;
  const open = { _id: attempt._id, state: "open" as const };
  const { matchedCount } = await db.AssessmentAttempt.updateOne(open, { $set: Object.fromEntries(changes) });
  if (matchedCount === 0) throw AttemptOver();
  return savedAt;
}
