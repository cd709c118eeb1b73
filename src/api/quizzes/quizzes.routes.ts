import type { Deps } from "../../deps.js";
import { type RouteGroup, route } from "../../http/route.js";
import { NotTheOwner } from "../../services/courses/edit-course.js";
import { CourseNotFound, CourseNotPurchased } from "../../services/failures.js";
import { AnswerCountDiffers, QuizNotFound } from "../../services/quizzes/grade-quiz.js";
import { ChapterNotFound, quizController } from "./quizzes.controller.js";
import {
  ChapterParams,
  CourseParams,
  CourseResultsReply,
  GenerateBody,
  GeneratedQuizReply,
  InsightsReply,
  MyResultsReply,
  QuizReply,
  ResultsReply,
  SubmitBody,
  SubmitReply,
} from "./quizzes.schemas.js";

/** Quizzes that the AI writes from a chapter's content, graded on the server. */
export function quizGroup(deps: Deps): RouteGroup {
  const quiz = quizController(deps);
  return {
    name: "quiz",
    base: "/api/quiz",
    routes: [
      route({
        method: "post",
        path: "/generate",
        summary: "Write a chapter's quiz anew",
        description: "It replaces the current one; learners who were shown a former version are graded on that.",
        access: "educator",
        limit: "aiGeneration",
        body: GenerateBody,
        reply: GeneratedQuizReply,
        errors: [CourseNotFound, NotTheOwner, ChapterNotFound],
        handle: quiz.generate,
      }),
      route({
        method: "post",
        path: "/submit",
        summary: "Submit an attempt and have it graded",
        description: "Graded on the version that the caller was shown last, else on the current one.",
        access: "user",
        limit: "quizSubmission",
        body: SubmitBody,
        reply: SubmitReply,
        errors: [CourseNotFound, CourseNotPurchased, QuizNotFound, AnswerCountDiffers],
        handle: quiz.submit,
      }),
      route({
        method: "get",
        path: "/my-results",
        summary: "All of the caller's attempts, newest first",
        access: "user",
        reply: MyResultsReply,
        errors: [],
        handle: quiz.allResults,
      }),
      route({
        method: "get",
        path: "/educator-insights",
        summary: "How the caller's courses' quizzes are answered",
        description: "One entry per chapter with attempts, by attempts descending.",
        access: "educator",
        reply: InsightsReply,
        errors: [],
        handle: quiz.insights,
      }),
      route({
        method: "get",
        path: "/course-results/:courseId",
        summary: "The caller's attempts in one course, newest first",
        access: "user",
        params: CourseParams,
        reply: CourseResultsReply,
        errors: [],
        handle: quiz.courseResults,
      }),
      route({
        method: "get",
        path: "/results/:courseId/:chapterId",
        summary: "The caller's attempts at one chapter's quiz, newest first",
        access: "user",
        params: ChapterParams,
        reply: ResultsReply,
        errors: [],
        handle: quiz.chapterResults,
      }),
      route({
        method: "get",
        path: "/:courseId/:chapterId",
        summary: "A chapter's quiz, without its answers",
        description:
          "For learners of the course and its educator. The first to ask has it generated, at the cost of one unit " +
          "of the AI generation limit (429 when spent); a stored quiz costs nothing.",
        access: "user",
        params: ChapterParams,
        reply: QuizReply,
        errors: [CourseNotFound, ChapterNotFound, CourseNotPurchased],
        handle: quiz.show,
      }),
    ],
  };
}
