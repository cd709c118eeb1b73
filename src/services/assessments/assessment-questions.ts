import type { ClientSession, Types } from "mongoose";
import type { Db } from "../../db/db.js";
import type { Assessment } from "../../models/assessments/assessment.js";
import type { Question } from "../../models/learning/question.js";
import { drawQuestions, type Random } from "./draw-questions.js";
import { sumPoints } from "./grade-answers.js";

/** Which questions an assessment asks. */
export type Choice = Pick<Assessment, "questionIds" | "draw">;

/** Finds the present questions that an attempt may have. */
const questionFilter = ({ questionIds, draw }: Choice, educatorId: string) => ({
  educatorId,
  isCurrent: true,
  ...(draw.length > 0 ? { tags: { $in: draw.map(({ tag }) => tag) } } : { questionId: { $in: questionIds } }),
});

/** Whether the bank holds a question of an assessment still. */
export const hasQuestions = async (
  db: Db,
  choice: Choice,
  educatorId: string,
  session: ClientSession | null = null,
): Promise<boolean> => (await db.Question.exists(questionFilter(choice, educatorId)).session(session)) !== null;

/**
 * Draws questions by their tags from a bank of any size, of which it reads ids only.
 * @returns versions with the tags that a draw names. Their points are the mean of the questions with these tags.
 */
export async function drawFromBank(
  db: Db,
  { draw }: Pick<Choice, "draw">,
  educatorId: string,
  random: Random,
  session: ClientSession | null = null,
) {
  const drawnTags = {
    $filter: { input: "$tags", cond: { $in: ["$$this", { $literal: draw.map(({ tag }) => tag) }] } },
  };
  type Group = { _id: string[]; points: number; versionIds: Types.ObjectId[] };
  const groups = await db.Question.aggregate<Group>([
    { $match: questionFilter({ questionIds: [], draw }, educatorId) },
    { $group: { _id: drawnTags, points: { $avg: "$points" }, versionIds: { $push: "$_id" } } },
    { $sort: { _id: 1 } },
  ]).session(session);
  const bank = groups.flatMap(({ _id: tags, points, versionIds }) => versionIds.map((_id) => ({ _id, tags, points })));
  return drawQuestions(bank, draw, random);
}

/** Reads the present versions of the questions of an attempt that starts now, in order. */
export async function chooseVersions(
  db: Db,
  choice: Choice,
  educatorId: string,
  random: Random,
  session: ClientSession,
): Promise<Question[]> {
  const isDrawn = choice.draw.length > 0;
  const drawn = isDrawn ? await drawFromBank(db, choice, educatorId, random, session) : [];
  const ids = isDrawn ? drawn.map(({ _id }) => _id) : choice.questionIds;
  if (ids.length === 0) return [];
  const which = isDrawn ? { _id: { $in: ids } } : questionFilter(choice, educatorId);
  const found = await db.Question.find(which)
    .batchSize(ids.length + 1)
    .session(session)
    .lean<Question[]>();
  const byId = new Map(found.map((version) => [String(isDrawn ? version._id : version.questionId), version]));
  return ids.flatMap((id) => byId.get(String(id)) ?? []);
}

/** Number of questions and points of an attempt that would start now. Points of drawn questions are means. */
export async function measureAttempt(
  db: Db,
  choice: Choice,
  educatorId: string,
): Promise<{ questionCount: number; totalPoints: number }> {
  const found =
    choice.draw.length > 0
      ? await drawFromBank(db, choice, educatorId, () => 0)
      : await db.Question.find(questionFilter(choice, educatorId), { points: 1 })
          .batchSize(choice.questionIds.length + 1)
          .lean();
  return { questionCount: found.length, totalPoints: sumPoints(found.map(({ points }) => points)) };
}
