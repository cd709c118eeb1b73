import type { ClientSession, mongo, PipelineStage, Types } from "mongoose";
import type { Models } from "../index.js";
import type { Question } from "../learning/question.js";
import type { Assessment } from "./assessment.js";
import type { AssessmentAttempt } from "./assessment-attempt.js";

export interface FoundAttempt {
  readonly attempt: AssessmentAttempt;
  /** Also after its removal. */
  readonly assessment: Assessment;
  /** Versions of the questions, in any order. */
  readonly versions: readonly Question[];
}

/** Reads an attempt, its assessment and the versions of its questions by one command. */
export async function findAttempt(
  db: Models,
  filter: { _id: Types.ObjectId; userId?: string },
  session: ClientSession | null = null,
): Promise<FoundAttempt | undefined> {
  const [found] = await db.AssessmentAttempt.aggregate<FoundAttempt>([
    { $match: filter },
    { $project: { _id: 0, attempt: "$$ROOT" } },
    lookup(db.Assessment.collection, "attempt.assessmentId", "assessment"),
    { $unwind: "$assessment" },
    lookup(db.Question.collection, "attempt.questions.versionId", "versions"),
  ]).session(session);
  return found;
}

const lookup = ({ name: from }: { name: string }, localField: string, as: string) =>
  ({ $lookup: { from, localField, foreignField: "_id", as } }) as const;

/** A learner's graded attempts at one assessment, summed up. */
export interface Standing {
  readonly best: number;
  /** Whether an attempt passed when it was graded. */
  readonly hasPassed: boolean;
}

/** Sums up the graded attempts of a learner since the last renewal, by the ids of their assessments. */
export async function findStandings(
  db: Models,
  userId: string,
  assessmentIds: readonly Types.ObjectId[],
  session: ClientSession | null = null,
): Promise<Map<string, Standing>> {
  const found = await db.AssessmentAttempt.aggregate<Standing & { _id: Types.ObjectId }>([
    { $match: { userId, assessmentId: { $in: assessmentIds }, state: "graded", isFormer: { $ne: true } } },
    { $group: { _id: "$assessmentId", best: { $max: "$percent" }, hasPassed: { $max: "$passed" } } },
  ]).session(session);
  return new Map(found.map(({ _id, ...standing }) => [String(_id), standing]));
}

/** Whether an assessment is passed. An attempt also passes when its educator lowers the percentage afterwards. */
export const isPassed = (standing: Standing | undefined, passPercent: number): boolean =>
  standing !== undefined && (standing.hasPassed || standing.best >= passPercent);

/** A graded attempt at a quiz or at an assessment of a chapter. */
export interface ChapterAttempt {
  readonly userId: string;
  readonly courseId: Types.ObjectId;
  readonly chapterId: string;
  readonly percent: number;
  readonly at: Date;
}

/** Begins a pipeline on `QuizResult`: all graded attempts at quizzes and assessments, as `ChapterAttempt`. */
export function chapterAttempts(
  db: Models,
  match: { userId: string | { $in: string[] }; courseId: Types.ObjectId | { $in: Types.ObjectId[] } },
): PipelineStage[] {
  const fields = (percent: string, at: string) => ({
    $project: { _id: 0, userId: 1, courseId: 1, chapterId: 1, percent, at } as mongo.Document,
  });
  const ofAssessments = [{ $match: { ...match, state: "graded" } }, fields("$percent", "$endedAt")];
  return [
    { $match: match },
    fields("$percentage", "$createdAt"),
    { $unionWith: { coll: db.AssessmentAttempt.collection.name, pipeline: ofAssessments } },
  ];
}
