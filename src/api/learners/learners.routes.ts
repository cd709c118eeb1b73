import { isTimeLimit } from "../../db/database-errors.js";
import type { Deps } from "../../deps.js";
import { forManagers } from "../../http/for-managers.js";
import { readPage } from "../../http/list-reply.js";
import { sendCsv } from "../../http/replies/csv.js";
import { type RouteGroup, route } from "../../http/route.js";
import { CourseNotFound, NotTheOwner } from "../../services/failures.js";
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
import { FunnelReply, LearnerReply, LearnersQuery, LearnersReply, ResetBody } from "./learners.schemas.js";

/** The learners of a course. */
export function learnersGroups({ db }: Deps, runSearch: RunSearch): RouteGroup[] {
  return forManagers("learners", ["educator", "admin"], ({ role, isAdmin, suffix }) => {
    const refusals = isAdmin ? [CourseNotFound] : [CourseNotFound, NotTheOwner];
    return [
      route("get", "/courses/:id/learners", {
        operationId: `listLearners${suffix}`,
        summary: "The learners of a course and their progress",
        description: "Learners with an active enrollment, newest first by default.",
        access: role,
        scope: "learners:read",
        query: LearnersQuery,
        reply: LearnersReply,
        errors: [...refusals, SearchBusy],
        async handle({ params, query, manager, signal }) {
          const list = listLearners(db, await findTaughtCourse(db, params.id, manager), query);
          const read = () => readPage(list, query);
          try {
            const page = await (query.q ? runSearch(`user:${manager.userId}`, read, signal) : read());
            return { learners: page.items, nextCursor: page.nextCursor };
          } catch (error) {
            throw query.q && isTimeLimit(error) ? SearchBusy(error) : error;
          }
        },
      }),
      route("get", "/courses/:id/learners/:userId", {
        operationId: `getLearner${suffix}`,
        summary: "One learner of a course: completed lectures, quizzes and learning time",
        access: role,
        scope: "learners:read",
        reply: LearnerReply,
        errors: [...refusals, LearnerNotFound],
        async handle({ params, manager }) {
          const course = await findTaughtCourse(db, params.id, manager);
          return { learner: await describeLearner(db, course, params.userId) };
        },
      }),
      route("post", "/courses/:id/learners/:userId/reset", {
        operationId: `resetLearner${suffix}`,
        summary: "Take a learner's progress in a course back to nothing",
        description: "Certificates, quiz attempts and ratings stay. The reset and its reason are in the audit trail.",
        access: role,
        scope: "learners:write",
        body: ResetBody,
        errors: [...refusals, LearnerNotFound],
        async handle({ params, body, manager }) {
          const course = await findTaughtCourse(db, params.id, manager);
          await resetLearner(db, course, { ...params, ...body }, manager);
          return {};
        },
      }),
      route("get", "/courses/:id/funnel", {
        operationId: `getFunnel${suffix}`,
        summary: "How many learners of a course have completed each lecture",
        access: role,
        scope: "learners:read",
        reply: FunnelReply,
        errors: refusals,
        handle: async ({ params, manager }) => readFunnel(db, await findTaughtCourse(db, params.id, manager)),
      }),
      route("get", "/courses/:id/gradebook.csv", {
        operationId: `exportGradebook${suffix}`,
        summary: "All learners of a course with their best result in each chapter's quiz, as CSV",
        description:
          "Streamed. UTF-8 with a byte order mark; cells that a spreadsheet would take for a formula start with `'`. " +
          "A cell without an attempt is empty.",
        access: role,
        scope: "learners:read",
        file: "text/csv",
        errors: refusals,
        async handle({ params, manager, res, signal }) {
          const course = await findTaughtCourse(db, params.id, manager);
          return sendCsv(res, signal, {
            name: "gradebook",
            columns: gradebookColumns(course),
            batches: readGradebook(db, course),
            cells: (row) => [...row],
          });
        },
      }),
    ];
  });
}
