import { setImmediate as nextTurn } from "node:timers/promises";
import { type ClientSession, type QueryFilter, Types } from "mongoose";
import type { Db } from "../../db/db.js";
import { insertOnce } from "../../db/insert-once.js";
import { orderedList } from "../../db/ordered-list.js";
import { chunk } from "../../lib/chunk.js";
import { failure, InvalidRequest } from "../../lib/errors.js";
import { presentFields } from "../../lib/fields.js";
import { readBatches } from "../../lib/read-batches.js";
import { textPattern } from "../../lib/text-pattern.js";
import type { Question } from "../../models/learning/question.js";
import { writeAccount } from "../../models/users/user.js";
import { releaseEmptied } from "../assessments/release-emptied.js";
import { readGift, type SkippedQuestion } from "./gift/read-gift.js";
import { writeGift } from "./gift/write-gift.js";
import type { QuestionContent } from "./kinds/question-kind.js";
import { type KindName, questionContent } from "./question-kinds.js";

export const QuestionNotFound = failure("question_not_found", 404, "Question not found");
export const TooManyQuestions = failure("too_many_questions", 409, "Too many questions");

/** Maximum number of questions in one bank. */
const maxQuestions = 10_000;

type StoredQuestion = QuestionContent & { readonly _id: Types.ObjectId };

/** Rows that one command inserts, so that no command takes long. */
const rowsPerCommand = 500;
/** Limit of a long transaction. A file of 10,000 questions takes two to six seconds. */
const longDeadlineMs = 20_000;

/**
 * Adds questions to an educator's bank, all or none. They are in the order of the list, the first one oldest.
 * @throws TooManyQuestions
 */
export async function addQuestions(
  db: Db,
  educatorId: string,
  contents: readonly QuestionContent[],
): Promise<StoredQuestion[]> {
  const createdAt = new Date();
  const facts = { educatorId, version: 1, createdAt, changedAt: createdAt };
  const rows = contents.map((content) => rowOf(content, { ...facts, questionId: new Types.ObjectId() }));
  const [first] = rows;
  if (!first) return [];
  const isLong = rows.length > rowsPerCommand;
  const options = { mutex: `account:${educatorId}` as const, ...(isLong && { deadlineMs: longDeadlineMs }) };
  await insertOnce(db, db.Question, first, options, async (session) => {
    // Each addition writes the account, so that none misses another.
    await writeAccount(db, educatorId, { $inc: { questionsAdded: rows.length } }, session);
    const stored = await db.Question.countDocuments({ educatorId, isCurrent: true }).session(session);
    if (stored + rows.length > maxQuestions) throw TooManyQuestions();
    // The rows are complete, so that Mongoose need not make documents of them.
    for (const some of chunk(rows, rowsPerCommand)) await db.Question.insertMany(some, { session, lean: true });
  });
  return rows.map(questionOf);
}

/** @throws TooManyQuestions */
export async function addQuestion(db: Db, educatorId: string, content: QuestionContent): Promise<StoredQuestion> {
  const [added] = await addQuestions(db, educatorId, [content]);
  return added as StoredQuestion;
}

type VersionFacts = Pick<Question, "questionId" | "educatorId" | "version" | "createdAt" | "changedAt">;

function rowOf(content: QuestionContent, facts: VersionFacts): Question {
  const { kind, prompt, points, explanation, tags, ...fields } = content;
  return {
    _id: new Types.ObjectId(),
    ...facts,
    isCurrent: true,
    kind,
    prompt,
    points,
    tags: [...tags],
    fields,
    ...(explanation ? { explanation } : {}),
  };
}

export function contentOf({ kind, prompt, points, explanation, tags, fields }: Question): QuestionContent {
  return { kind, prompt, points, ...(explanation ? { explanation } : {}), tags, ...fields };
}

const questionOf = (row: Question): StoredQuestion => ({ _id: row.questionId, ...contentOf(row) });

async function currentVersion(
  db: Db,
  educatorId: string,
  questionId: string,
  session: ClientSession | null = null,
): Promise<Question> {
  const row = await db.Question.findOne({ questionId, educatorId, isCurrent: true }).session(session).lean<Question>();
  if (!row) throw QuestionNotFound();
  return row;
}

/** @throws QuestionNotFound, also for another educator's question. */
export async function findQuestion(db: Db, educatorId: string, questionId: string): Promise<StoredQuestion> {
  return questionOf(await currentVersion(db, educatorId, questionId));
}

/** Fields to change. A change of the kind drops the fields of the former kind. */
type QuestionChanges = Readonly<Record<string, unknown>>;

/** Adds a version with changed fields. @throws QuestionNotFound, InvalidRequest (the fields do not fit together). */
export async function editQuestion(
  db: Db,
  educatorId: string,
  questionId: string,
  changes: QuestionChanges,
): Promise<StoredQuestion> {
  const { after, isAnyEmpty } = await db.transaction(async (session) => {
    const before = await currentVersion(db, educatorId, questionId, session);
    const content = withChanges(before, changes);
    const { version, createdAt } = before;
    const facts = { questionId: before.questionId, educatorId, createdAt, changedAt: new Date() };
    const after = rowOf(content, { ...facts, version: version + 1 });
    await db.Question.updateOne({ _id: before._id, isCurrent: true }, { $set: { isCurrent: false } }, { session });
    await db.Question.create([after], { session });
    const lostTags = before.tags.filter((tag) => !after.tags.includes(tag));
    const isAnyEmpty = lostTags.length > 0 && (await releaseEmptied(db, { ...before, tags: lostTags }, session));
    return { after, isAnyEmpty };
  });
  if (isAnyEmpty) db.jobWakeups.emit("Course");
  return questionOf(after);
}

function withChanges(before: Question, changes: QuestionChanges): QuestionContent {
  const stored = contentOf(before);
  const { kind, prompt, points, explanation, tags } = stored;
  const isOtherKind = changes.kind !== undefined && changes.kind !== kind;
  const kept = isOtherKind ? { prompt, points, explanation, tags } : stored;
  const sent = presentFields(changes);
  const { success, data, error } = questionContent.safeParse({ ...kept, ...sent });
  if (!success) throw InvalidRequest(error);
  return data;
}

/** Takes a question out of the bank. Its versions stay for attempts. @throws QuestionNotFound. */
export async function deleteQuestion(db: Db, educatorId: string, questionId: string): Promise<void> {
  // In a transaction, because an edit at the same time makes another version the current one.
  const isAnyEmpty = await db.transaction(async (session) => {
    const current = { questionId, educatorId, isCurrent: true };
    const gone = { $set: { isCurrent: false } };
    const deleted = await db.Question.findOneAndUpdate(current, gone, { session }).lean<Question>();
    if (!deleted) throw QuestionNotFound();
    return releaseEmptied(db, deleted, session);
  });
  if (isAnyEmpty) db.jobWakeups.emit("Course");
}

interface BankQuery {
  readonly tag?: string | undefined;
  readonly kind?: KindName | undefined;
  /** A text in the prompt, whatever its case. */
  readonly q?: string | undefined;
}

export function listQuestions(
  db: Db,
  educatorId: string,
  query: BankQuery = {},
  order: "newest" | "oldest" = "newest",
) {
  const direction = order === "newest" ? -1 : 1;
  return orderedList(db.Question, {
    filter: filterOf(educatorId, query),
    sort: { createdAt: direction, questionId: direction },
    describe: (rows) => rows.map(questionOf),
  });
}

const filterOf = (educatorId: string, { tag, kind, q }: BankQuery): QueryFilter<Question> => ({
  educatorId,
  isCurrent: true,
  ...(tag === undefined ? {} : { tags: tag }),
  ...(kind === undefined ? {} : { kind }),
  ...(q ? { prompt: textPattern(q) } : {}),
});

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
