import type { ClientSession } from "mongoose";
import type { Db } from "../../db/db.js";
import type { Assessment } from "../../models/assessments/assessment.js";
import { findStandings, isPassed } from "../../models/assessments/attempt-queries.js";
import type { Course } from "../../models/courses/course.js";
import type { CourseLectures } from "../../models/courses/course-queries.js";
import type { Question } from "../../models/learning/question.js";
import { writeAccount } from "../../models/users/user.js";
import { completionsDate } from "../courses/curriculum.js";
import { hasQuestions } from "./assessment-questions.js";

/**
 * Makes a job look for learners who are done, because a question has left the bank, or has lost tags, and an assessment
 * without any question is required no more.
 * @returns whether there is such an assessment.
 */
export async function releaseEmptied(
  db: Db,
  { educatorId, questionId, tags }: Pick<Question, "educatorId" | "questionId" | "tags">,
  session: ClientSession,
): Promise<boolean> {
  const requiring = { educatorId, "assessments.requiredPercent": { $gte: 0 } };
  const courses = await db.Course.find(requiring, { assessments: 1 })
    .session(session)
    .lean<Pick<Course, "_id" | "assessments">[]>();
  const required = courses.flatMap(({ assessments = [] }) => assessments.map(({ assessmentId }) => assessmentId));
  if (required.length === 0) return false;
  const asking = await db.Assessment.find({
    _id: { $in: required },
    requiredForCompletion: true,
    $or: [{ questionIds: questionId }, { "draw.tag": { $in: tags } }],
  })
    .session(session)
    .lean<Assessment[]>();
  if (asking.length === 0) return false;
  // Each such change writes the account, so that none counts on a question that another one takes away.
  await writeAccount(db, educatorId, { $inc: { questionsRemoved: 1 } }, session);
  let isAnyEmpty = false;
  for (const assessment of asking) {
    if (await hasQuestions(db, assessment, educatorId, session)) continue;
    isAnyEmpty = true;
    const due = { $set: { completionsDueAt: completionsDate() } };
    await db.Course.updateOne({ _id: assessment.courseId }, due, { session, timestamps: false });
  }
  return isAnyEmpty;
}

/**
 * Whether a learner has passed the assessments that a course requires. An assessment whose questions are all gone is not
 * required. It reads nothing when there are none.
 */
export async function hasPassedAll(
  db: Db,
  userId: string,
  { required, educatorId }: Pick<CourseLectures, "required" | "educatorId">,
  session: ClientSession | null = null,
): Promise<boolean> {
  if (required.length === 0) return true;
  const ids = required.map(({ assessmentId }) => assessmentId);
  const standings = await findStandings(db, userId, ids, session);
  for (const { assessmentId, passPercent } of required) {
    if (isPassed(standings.get(String(assessmentId)), passPercent)) continue;
    const assessment = await db.Assessment.findById(assessmentId).session(session).lean<Assessment>();
    if (assessment && (await hasQuestions(db, assessment, educatorId, session))) return false;
  }
  return true;
}
