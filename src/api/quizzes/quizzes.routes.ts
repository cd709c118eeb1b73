import { Types } from "mongoose";
import type { Deps } from "../../deps.js";
import { sendWholeList } from "../../http/list-reply.js";
import { alreadySent, type RouteGroup, route } from "../../http/route.js";
import { isObjectId } from "../../lib/fields.js";
import type { Course } from "../../models/courses/course.js";
import type { QuizAccess } from "../../models/courses/course-queries.js";
import type { Quiz } from "../../models/learning/quiz.js";
import type { Viewer } from "../../models/users/user.js";
import { requireQuizAccess } from "../../services/assessments/find-assessment.js";
import { ChapterHasAssessment, ChapterNotFound } from "../../services/assessments/manage-assessments.js";
import { findManagedCourse } from "../../services/courses/managed-course.js";
import { LectureNotOpen } from "../../services/courses/release.js";
import { CourseNotFound, CourseNotPurchased, NotTheOwner } from "../../services/failures.js";
import { CourseLocked } from "../../services/paths/course-lock.js";
import {
  createQuizGenerator,
  currentQuiz,
  quizCourseFields,
  requireCourseOfQuiz,
} from "../../services/quizzes/generate-quiz.js";
import { AnswerCountDiffers, gradeQuiz, QuizNotFound, rememberServed } from "../../services/quizzes/grade-quiz.js";
import { readInsights } from "../../services/quizzes/quiz-insights.js";
import { allResults, chapterResults, courseResults } from "../../services/quizzes/quiz-results.js";
import {
  CourseResultsReply,
  GenerateBody,
  GeneratedQuizReply,
  InsightsReply,
  MyResultsReply,
  QuizReply,
  ResultsReply,
  SubmitQuizBody,
  SubmitReply,
} from "./quizzes.schemas.js";

/** Quizzes that the AI writes from a chapter's content, graded on the server. */
export function quizGroup(deps: Deps): RouteGroup {
  const { db, limits } = deps;
  const generate = createQuizGenerator(deps);
  const chapterOf = (course: Course, chapterId: string) => {
    const chapter = course.courseContent.find((known) => known.chapterId === chapterId);
    if (!chapter) throw ChapterNotFound();
    return chapter;
  };
  const requireNoAssessment = ({ assessments = [] }: Partial<Pick<QuizAccess, "assessments">>, chapterId: string) => {
    if (assessments.some((marked) => marked.chapterId === chapterId)) throw ChapterHasAssessment();
  };
  /** Replies with a quiz, and remembers that the viewer was shown it. A quiz is generated even if the viewer leaves. */
  async function serve({ id }: Viewer, signal: AbortSignal, find: () => Promise<Quiz>) {
    const quiz = await find().catch((error: unknown) => {
      if (signal.aborted) return undefined;
      throw error;
    });
    if (!quiz) return alreadySent;
    await rememberServed(db, id, quiz);
    return { quiz };
  }
  return {
    name: "quiz",
    base: "/api/quiz",
    routes: [
      route("post", "/generate", {
        operationId: "generateQuiz",
        summary: "Generate a new quiz for a chapter",
        description:
          "Replaces the current quiz. Learners who were shown an earlier version are graded on that version.",
        access: "educator",
        limit: "aiGeneration",
        body: GenerateBody,
        reply: GeneratedQuizReply,
        errors: [CourseNotFound, NotTheOwner, ChapterNotFound, ChapterHasAssessment],
        async handle({ viewer, manager, body, signal }) {
          const course = await findManagedCourse<Course>(db, body.courseId, manager, quizCourseFields);
          const chapter = chapterOf(course, body.chapterId);
          requireNoAssessment(course, body.chapterId);
          const above = (await currentQuiz(db, course._id, chapter.chapterId))?.version ?? 0;
          return serve(viewer, signal, () => generate({ course, chapter, above, signal }));
        },
      }),
      route("post", "/submit", {
        operationId: "submitQuiz",
        summary: "Submit an attempt for grading",
        description: "Graded on the version that the caller was shown last, otherwise on the current version.",
        access: "user",
        limit: "quizSubmission",
        body: SubmitQuizBody,
        reply: SubmitReply,
        errors: [
          CourseNotFound,
          CourseNotPurchased,
          CourseLocked,
          LectureNotOpen,
          ChapterHasAssessment,
          QuizNotFound,
          AnswerCountDiffers,
        ],
        async handle({ viewer, body }) {
          const { courseId, chapterId, answers } = body;
          if (!isObjectId(courseId)) throw CourseNotFound();
          requireNoAssessment(await requireQuizAccess(db, viewer.id, body), chapterId);
          const attempt = { userId: viewer.id, courseId: new Types.ObjectId(courseId), chapterId, answers };
          return { result: await gradeQuiz(deps, attempt) };
        },
      }),
      route("get", "/my-results", {
        operationId: "listQuizResults",
        summary: "All of the caller's attempts, newest first",
        access: "user",
        reply: MyResultsReply.schema,
        handle: (request) => MyResultsReply.answer(request, allResults(db, request.viewer.id)),
      }),
      route("get", "/educator-insights", {
        operationId: "getQuizInsights",
        summary: "Results of the quizzes in the educator's courses",
        description: "One entry per chapter with attempts, by attempts descending.",
        access: "educator",
        reply: InsightsReply,
        handle(request) {
          return sendWholeList(request, readInsights(db, request.manager), (insights) => ({ insights }));
        },
      }),
      route("get", "/course-results/:courseId", {
        operationId: "listCourseQuizResults",
        summary: "The caller's attempts in one course, newest first",
        access: "user",
        reply: CourseResultsReply.schema,
        handle: (request) =>
          CourseResultsReply.answer(request, courseResults(db, request.viewer.id, request.params.courseId)),
      }),
      route("get", "/results/:courseId/:chapterId", {
        operationId: "listChapterQuizResults",
        summary: "The caller's attempts at one chapter's quiz, newest first",
        access: "user",
        reply: ResultsReply.schema,
        handle: (request) => ResultsReply.answer(request, chapterResults(db, request.viewer.id, request.params)),
      }),
      route("get", "/:courseId/:chapterId", {
        operationId: "getQuiz",
        summary: "A chapter's quiz, without its answers",
        description:
          "For the course's learners, once the chapter is open for them, and its educator. The first request generates the quiz and takes one unit of the AI " +
          "generation limit (429 when none is left). A stored quiz takes no unit.",
        access: "user",
        reply: QuizReply,
        errors: [
          CourseNotFound,
          ChapterNotFound,
          CourseNotPurchased,
          CourseLocked,
          LectureNotOpen,
          ChapterHasAssessment,
        ],
        async handle({ viewer, params, req, res, signal }) {
          const { courseId, chapterId } = params;
          const access = await requireQuizAccess(db, viewer.id, params, { unknownChapter: ChapterNotFound });
          requireNoAssessment(access, chapterId);
          return serve(viewer, signal, async () => {
            const existing = await currentQuiz(db, access._id, chapterId);
            if (existing) return existing;
            const course = await requireCourseOfQuiz(db, courseId);
            const beforeStart = () => limits.consume("aiGeneration", req, res);
            return generate({ course, chapter: chapterOf(course, chapterId), above: 0, beforeStart, signal });
          });
        },
      }),
    ],
  };
}
