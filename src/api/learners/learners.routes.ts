import type { Request, Response } from "express";
import type { z } from "zod";
import { isTimeLimit } from "../../db/database-errors.js";
import type { Deps } from "../../deps.js";
import { managerOf } from "../../http/auth/manager-of.js";
import { sendCsv } from "../../http/replies/csv.js";
import { readPage } from "../../http/reply-with-list.js";
import { type RouteGroup, route } from "../../http/route.js";
import type { Viewer } from "../../models/users/user.js";
import { NotTheOwner } from "../../services/courses/edit-course.js";
import { CourseNotFound } from "../../services/failures.js";
import { gradebookColumns, readGradebook } from "../../services/learners/gradebook.js";
import {
  describeLearner,
  findTaughtCourse,
  LearnerNotFound,
  readFunnel,
} from "../../services/learners/learner-views.js";
import { listLearners } from "../../services/learners/list-learners.js";
import { resetLearner } from "../../services/learners/reset-learner.js";
import { type RunSearch, SearchBusy } from "../../services/search-limit.js";
import {
  CourseParams,
  FunnelReply,
  LearnerParams,
  LearnerReply,
  LearnersQuery,
  LearnersReply,
  ResetBody,
} from "./learners.schemas.js";

interface CourseRequest {
  readonly params: { readonly id: string };
  readonly viewer: Viewer;
  readonly req: Request;
  readonly res: Response;
}

/** Each role has these routes under its own path. */
const audiences = [
  { role: "educator", base: "/api/educator", suffix: "", refusals: [CourseNotFound, NotTheOwner] },
  { role: "admin", base: "/api/admin", suffix: "AsAdmin", refusals: [CourseNotFound] },
] as const;

/** The learners of a course. */
export function learnersGroups({ db }: Deps, runSearch: RunSearch): RouteGroup[] {
  return audiences.map(({ role, base, suffix, refusals }) => {
    const findCourse = ({ params, viewer }: CourseRequest) =>
      findTaughtCourse(db, params.id, { userId: viewer.id, role, key: viewer.key });

    async function list(request: CourseRequest & { query: z.output<typeof LearnersQuery> }) {
      const { query, viewer } = request;
      const learners = listLearners(db, await findCourse(request), query);
      const read = () => readPage(learners, query);
      try {
        return await (query.q ? runSearch(`user:${viewer.id}`, read) : read());
      } catch (error) {
        throw query.q && isTimeLimit(error) ? SearchBusy(error) : error;
      }
    }

    return {
      name: "learners",
      base,
      ...(role === "admin" && { access: role, limit: role }),
      routes: [
        route({
          method: "get",
          path: "/courses/:id/learners",
          operationId: `listLearners${suffix}`,
          summary: "The learners of a course and their progress",
          description: "Learners with an active enrollment, newest first by default.",
          access: role,
          scope: "learners:read",
          params: CourseParams,
          query: LearnersQuery,
          reply: LearnersReply,
          errors: [...refusals, SearchBusy],
          async handle(request) {
            const { items: learners, nextCursor } = await list(request);
            return { learners, nextCursor };
          },
        }),
        route({
          method: "get",
          path: "/courses/:id/learners/:userId",
          operationId: `getLearner${suffix}`,
          summary: "One learner of a course: completed lectures, quizzes and learning time",
          access: role,
          scope: "learners:read",
          params: LearnerParams,
          reply: LearnerReply,
          errors: [...refusals, LearnerNotFound],
          async handle(request) {
            return { learner: await describeLearner(db, await findCourse(request), request.params.userId) };
          },
        }),
        route({
          method: "post",
          path: "/courses/:id/learners/:userId/reset",
          operationId: `resetLearner${suffix}`,
          summary: "Take a learner's progress in a course back to nothing",
          description: "Certificates, quiz attempts and ratings stay. The reset and its reason are in the audit trail.",
          access: role,
          scope: "learners:write",
          params: LearnerParams,
          body: ResetBody,
          errors: [...refusals, LearnerNotFound],
          async handle(request) {
            const { params, body } = request;
            await resetLearner(db, await findCourse(request), { ...params, ...body }, managerOf(request, role));
            return {};
          },
        }),
        route({
          method: "get",
          path: "/courses/:id/funnel",
          operationId: `getFunnel${suffix}`,
          summary: "How many learners of a course have completed each lecture",
          access: role,
          scope: "learners:read",
          params: CourseParams,
          reply: FunnelReply,
          errors: refusals,
          handle: async (request) => readFunnel(db, await findCourse(request)),
        }),
        route({
          method: "get",
          path: "/courses/:id/gradebook.csv",
          operationId: `exportGradebook${suffix}`,
          summary: "All learners of a course with their best result in each chapter's quiz, as CSV",
          description:
            "Streamed. UTF-8 with a byte order mark; cells that a spreadsheet would take for a formula start with `'`. " +
            "A cell without an attempt is empty.",
          access: role,
          scope: "learners:read",
          params: CourseParams,
          file: "text/csv",
          errors: refusals,
          async handle(request) {
            const course = await findCourse(request);
            return sendCsv(request.res, request.signal, {
              name: "gradebook",
              columns: gradebookColumns(course),
              batches: readGradebook(db, course),
              cells: (row) => [...row],
            });
          },
        }),
      ],
    };
  });
}
