import type { ClientSession } from "mongoose";
import type { Db } from "../../db/db.js";
import type { Assessment } from "../../models/assessments/assessment.js";
import type { Course } from "../../models/courses/course.js";
import type { Question } from "../../models/learning/question.js";
import { writeAccount } from "../../models/users/user.js";
import { completionsDate } from "../learning/completion.js";
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
