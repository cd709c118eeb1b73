import { setImmediate as nextTurn } from "node:timers/promises";
import type { Db } from "../../db/db.js";
import { readBatches } from "../../lib/read-batches.js";
import { readGift, type SkippedQuestion } from "./gift/read-gift.js";
import { writeGift } from "./gift/write-gift.js";
import { addQuestions, contentOf, listQuestions, maxQuestions, TooManyQuestions } from "./question-bank.js";

/**
 * @returns `unreadable`, and nothing is imported, when no part of the file is GIFT.
 * @throws TooManyQuestions
 */
export async function importGift(
  db: Db,
  educatorId: string,
  text: string,
): Promise<{ imported: number; skipped: SkippedQuestion[] } | { unreadable: SkippedQuestion | undefined }> {
  const file = await readGift(text, maxQuestions);
  if (!file) throw TooManyQuestions();
  const { questions, skipped, isReadable } = file;
  if (!isReadable) return { unreadable: skipped[0] };
  if (questions.length > 0) await addQuestions(db, educatorId, questions);
  return { imported: questions.length, skipped };
}

const batchSize = 100;

/** Writes an educator's bank in the format GIFT, oldest question first. Serves other requests between two questions. */
export async function* exportGift(db: Db, educatorId: string): AsyncGenerator<string> {
  for await (const rows of readBatches(listQuestions(db, educatorId, {}, "oldest"), batchSize)) {
    let text = "";
    for (const row of rows) {
      text += writeGift(contentOf(row));
      await nextTurn();
    }
    yield text;
  }
}
