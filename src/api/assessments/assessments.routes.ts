import type { Response } from "express";
import { Types } from "mongoose";
import type { Deps } from "../../deps.js";
import { type RouteGroup, route } from "../../http/route.js";
import { InvalidRequest } from "../../lib/errors.js";
import { describeAssessment } from "../../services/assessments/find-assessment.js";
import { AttemptNotFound, AttemptOver, saveAnswers } from "../../services/assessments/grade-attempt.js";
import {
  AssessmentNotFound,
  ChapterNotFound,
  deleteAssessment,
  putAssessment,
} from "../../services/assessments/manage-assessments.js";
import { showAttempt, showSubmitted } from "../../services/assessments/show-attempt.js";
import {
  AttemptTooSoon,
  NoAttemptsLeft,
  NoQuestions,
  startAttempt,
  type TooSoon,
} from "../../services/assessments/start-attempt.js";
import { LectureNotOpen } from "../../services/courses/release.js";
import { CourseNotFound, CourseNotPurchased, NotTheOwner } from "../../services/failures.js";
import { CourseLocked } from "../../services/paths/course-lock.js";
import { QuestionNotFound } from "../../services/questions/question-bank.js";
import {
  AnswersBody,
  AssessmentBody,
  AssessmentReply,
  AssessmentViewReply,
  AttemptReply,
  GradedAttemptReply,
  presentAssessment,
  ResultReply,
  SavedReply,
  SubmitAttemptBody,
} from "./assessments.schemas.js";

const accepts = { maxBytes: 512 * 1_024 };

/** Assessments that replace the AI quizzes of chapters: for their educators, and for learners. */
export const assessmentGroups = (deps: Deps): RouteGroup[] => [educatorGroup(deps), learnerGroup(deps)];

function educatorGroup({ db }: Deps): RouteGroup {
  const path = "/courses/:courseId/chapters/:chapterId/assessment";
  return {
    name: "assessments",
    base: "/api/educator",
    routes: [
      route("put", path, {
        operationId: "putAssessment",
        summary: "Give a chapter an assessment, or change it",
        description:
          "The assessment replaces the AI quiz of the chapter. It has either `questionIds` or `draw`. Attempts that have " +
          "begun keep their questions.",
        access: "educator",
        accepts,
        body: AssessmentBody,
        reply: AssessmentReply,
        errors: [InvalidRequest, CourseNotFound, NotTheOwner, ChapterNotFound, QuestionNotFound],
        handle: async ({ params, body, manager }) => ({
          assessment: presentAssessment(await putAssessment(db, manager, params, body)),
        }),
      }),
      route("delete", path, {
        operationId: "deleteAssessment",
        summary: "Give a chapter its AI quiz back",
        description: "Open attempts are graded with the saved answers. Graded attempts stay.",
        access: "educator",
        errors: [CourseNotFound, NotTheOwner, AssessmentNotFound],
        handle: ({ params, manager }) => deleteAssessment(db, manager, params),
      }),
    ],
  };
}

function learnerGroup({ db }: Deps): RouteGroup {
  const ownAttempt = (attemptId: string, userId: string) => ({ _id: new Types.ObjectId(attemptId), userId });
  return {
    name: "assessments",
    base: "/api/quiz",
    routes: [
      route("get", "/assessments/:courseId/:chapterId", {
        operationId: "getAssessment",
        summary: "The assessment of a chapter, and how the caller has done in it",
        description: "For the course's learners, once the chapter is open for them, and its educator.",
        access: "user",
        reply: AssessmentViewReply,
        errors: [CourseNotFound, CourseNotPurchased, CourseLocked, LectureNotOpen, AssessmentNotFound],
        handle: async ({ params, viewer }) => ({ assessment: await describeAssessment(db, viewer.id, params) }),
      }),
      route("post", "/assessments/:courseId/:chapterId/attempts", {
        operationId: "startAttempt",
        summary: "Start an attempt, or return the open one",
        description: "An open attempt counts as used. The server's clock decides on the end.",
        access: "user",
        accepts,
        reply: AttemptReply,
        errors: [
          CourseNotFound,
          CourseNotPurchased,
          CourseLocked,
          LectureNotOpen,
          AssessmentNotFound,
          NoAttemptsLeft,
          AttemptTooSoon,
          NoQuestions,
        ],
        async handle({ params, viewer, res }) {
          const started = await startAttempt(db, viewer.id, params);
          if ("retryAt" in started) throw tooSoon(res, started);
          const { attempt } = await showAttempt(db, { _id: started._id, userId: viewer.id });
          return { attempt };
        },
      }),
      route("put", "/attempts/:attemptId/answers", {
        operationId: "saveAnswers",
        summary: "Save answers of an open attempt",
        description:
          "Answers to other questions stay. Answers are accepted until 30 seconds after the end of the attempt. An " +
          "answer of a wrong type earns no points.",
        access: "user",
        accepts,
        body: AnswersBody,
        reply: SavedReply,
        errors: [AttemptNotFound, CourseLocked, AttemptOver],
        handle: async ({ params, body, viewer }) => ({
          savedAt: await saveAnswers(db, ownAttempt(params.attemptId, viewer.id), body.answers),
        }),
      }),
      route("post", "/attempts/:attemptId/submit", {
        operationId: "submitAttempt",
        summary: "Submit an attempt for grading",
        description:
          "A repeated call has the same result. After the end, only saved answers count. `review` follows the present " +
          "`showAnswers` of the assessment.",
        access: "user",
        accepts,
        body: SubmitAttemptBody,
        reply: ResultReply,
        errors: [AttemptNotFound, CourseLocked],
        handle: async ({ params, body, viewer }) => ({
          result: await showSubmitted(db, ownAttempt(params.attemptId, viewer.id), body.answers ?? {}),
        }),
      }),
      route("get", "/attempts/:attemptId", {
        operationId: "getAttempt",
        summary: "One of the caller's attempts, with its result once it is graded",
        access: "user",
        reply: GradedAttemptReply,
        errors: [AttemptNotFound, CourseLocked],
        handle: ({ params, viewer }) => showAttempt(db, ownAttempt(params.attemptId, viewer.id)),
      }),
    ],
  };
}

function tooSoon(res: Response, { retryAt }: TooSoon): Error {
  res.setHeader("Retry-After", Math.max(1, Math.ceil((retryAt.getTime() - Date.now()) / 1_000)));
  return AttemptTooSoon();
}
