import type { Deps } from "../../src/deps.js";
import type { Course } from "../../src/models/courses/course.js";
import type { Quiz } from "../../src/models/learning/quiz.js";
import { gradeScore, rememberServed, storeAttempt } from "../../src/services/quizzes/grade-quiz.js";
import { plainRecommendations } from "../../src/services/quizzes/quiz-recommendations.js";
import { chat, quizzes } from "./content.js";
import { daysAgo, demoId, demoUuid } from "./demo-id.js";

/** Loads quizzes, attempts and one chat without calling the AI. It leaves existing documents unchanged. */
export async function loadQuizzes({ db }: Pick<Deps, "db">): Promise<void> {
  for (const { course: key, chapterId, questions, attempts } of quizzes) {
    const courseId = demoId("course", key);
    const course = await db.Course.findById(courseId, { courseTitle: 1, courseContent: 1 }).lean<Course>();
    const chapter = course?.courseContent.find((candidate) => candidate.chapterId === chapterId);
    if (!course || !chapter) continue;
    const { courseTitle } = course;
    const { chapterTitle } = chapter;
    const existing = await db.Quiz.findOne({ courseId, chapterId }).sort({ version: -1 }).lean<Quiz>();
    const fields = { courseId, chapterId, chapterTitle, courseTitle, questions, version: 1 };
    const quiz = existing ?? (await db.Quiz.create(fields)).toObject<Quiz>();
    for (const { learner, right, days } of attempts) {
      const _id = demoId("attempt", learner, key, days);
      if (await db.QuizResult.exists({ _id })) continue;
      await rememberServed(db, learner, quiz);
      const total = quiz.questions.length;
      const score = Math.min(right, total);
      const answers = quiz.questions.map(({ correctIndex }, i) => (i < score ? correctIndex : (correctIndex + 1) % 4));
      const review = quiz.questions.map((question, i) => ({ ...question, chosenIndex: answers[i] ?? 0 }));
      const missed = review.filter(({ chosenIndex, correctIndex }) => chosenIndex !== correctIndex);
      const grade = gradeScore(score, total);
      const recommendations = plainRecommendations({ courseTitle, chapterTitle, score, total, ...grade, missed });
      const at = daysAgo(days, 17);
      await storeAttempt(db, {
        _id,
        userId: learner,
        courseId,
        chapterId,
        score,
        total,
        ...grade,
        answers,
        recommendations,
        version: quiz.version,
        createdAt: at,
        updatedAt: at,
      });
    }
  }
  await loadChat(db);
}

async function loadChat(db: Deps["db"]): Promise<void> {
  const sessionId = demoUuid("chat");
  if (await db.ChatSession.exists({ sessionId })) return;
  const { learner, question, answer } = chat;
  const at = daysAgo(4, 19);
  const message = { createdAt: at, updatedAt: at };
  await db.ChatSession.create({
    userId: learner,
    sessionId,
    opening: question,
    messages: [
      { role: "user", content: question, ...message },
      { role: "assistant", content: answer, ...message },
    ],
    bytes: Buffer.byteLength(question + answer),
    ...message,
  });
}
