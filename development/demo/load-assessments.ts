import type { Deps } from "../../src/deps.js";
import type { Question } from "../../src/models/learning/question.js";
import { gradeAttempt } from "../../src/services/assessments/grade-attempt.js";
import { putAssessment } from "../../src/services/assessments/manage-assessments.js";
import { startAttempt } from "../../src/services/assessments/start-attempt.js";
import type { QuestionContent } from "../../src/services/questions/kinds/question-kind.js";
import { addQuestions } from "../../src/services/questions/question-bank.js";
import { itemsOf, replaceIds } from "../../src/services/questions/question-kinds.js";
import { assessments, courses, type DemoAssessment } from "./content.js";
import { demoId } from "./demo-id.js";

/** Loads assessments with graded attempts. It leaves existing ones unchanged. */
export async function loadAssessments(deps: Pick<Deps, "db">): Promise<void> {
  for (const assessment of assessments) await loadAssessment(deps, assessment);
}

async function loadAssessment({ db }: Pick<Deps, "db">, demo: DemoAssessment): Promise<void> {
  const { course: key, chapterId, title, passPercent, attempts } = demo;
  const educatorId = courses.find((course) => course.key === key)?.educator ?? "";
  const path = { courseId: String(demoId("course", key)), chapterId };
  const questionIds = await loadQuestions(db, educatorId, demo);
  if (!(await db.Assessment.exists({ ...path, isCurrent: true }))) {
    await putAssessment(db, { userId: educatorId, role: "educator" }, path, {
      title,
      passPercent,
      questionIds,
      maxAttempts: 3,
      cooldownMinutes: 0,
      timeLimitMinutes: 20,
      shuffle: false,
      showAnswers: "after_pass",
      requiredForCompletion: false,
    });
  }
  for (const { learner, answers } of attempts) {
    if (await db.AssessmentAttempt.exists({ ...path, userId: learner, state: "graded" })) continue;
    const attempt = await startAttempt(db, learner, path);
    if ("retryAt" in attempt) continue;
    const sent = Object.fromEntries(
      attempt.questions.map(({ questionId, ids = [] }, i) => {
        const { items } = itemsOf(demo.questions[i] as QuestionContent);
        return [String(questionId), replaceIds(answers[i], items, ids)];
      }),
    );
    await gradeAttempt(db, { _id: attempt._id, userId: learner }, sent);
  }
}

/** Adds the questions to the educator's bank under the tag of their course. @returns their ids in order. */
async function loadQuestions(
  db: Deps["db"],
  educatorId: string,
  { course: tag, questions }: DemoAssessment,
): Promise<string[]> {
  const find = () =>
    db.Question.find({ educatorId, tags: tag, isCurrent: true }, { questionId: 1 })
      .sort({ questionId: 1 })
      .lean<Pick<Question, "questionId">[]>();
  const tagged = questions.map((question) => ({ ...question, tags: [tag] }));
  if ((await find()).length === 0) await addQuestions(db, educatorId, tagged);
  return (await find()).map(({ questionId }) => String(questionId));
}
