import type { Response } from "express";
import type { z } from "zod";
import { isTimeLimit } from "../../db/database-errors.js";
import type { Deps } from "../../deps.js";
import { readPage } from "../../http/reply-with-list.js";
import { type RouteGroup, route } from "../../http/route.js";
import { ApiError } from "../../lib/errors.js";
import type { Viewer } from "../../models/users/user.js";
import { NotTheOwner } from "../../services/courses/edit-course.js";
import { CourseNotFound } from "../../services/failures.js";
import { describeLearner, findTaughtCourse, LearnerNotFound } from "../../services/learners/learner-views.js";
import { listLearners } from "../../services/learners/list-learners.js";
import { type RunSearch, SearchBusy, searchRetrySeconds } from "../../services/search-limit.js";
import { CourseParams, LearnerParams, LearnerReply, LearnersQuery, LearnersReply } from "./learners.schemas.js";

interface CourseRequest {
  readonly params: { readonly id: string };
  readonly viewer: Viewer;
  readonly res: Response;
}

/** The same routes for the educator of a course and for administrators. */
const audiences = [
  { role: "educator", base: "/api/educator", suffix: "", refusals: [CourseNotFound, NotTheOwner] },
  { role: "admin", base: "/api/admin", suffix: "AsAdmin", refusals: [CourseNotFound] },
] as const;

/** The learners of a course. */
export function learnersGroups({ db }: Deps, runSearch: RunSearch): RouteGroup[] {
  return audiences.map(({ role, base, suffix, refusals }) => {
    const findCourse = ({ params, viewer }: CourseRequest) =>
      findTaughtCourse(db, params.id, { userId: viewer.id, role });

    async function list(request: CourseRequest & { query: z.output<typeof LearnersQuery> }) {
      const { query, res } = request;
      const learners = listLearners(db, await findCourse(request), query);
      const read = () => readPage(learners, query);
      try {
        return await (query.q ? runSearch(read) : read());
      } catch (error) {
        const failed = query.q && isTimeLimit(error) ? SearchBusy(error) : error;
        if (failed instanceof ApiError && failed.id === SearchBusy.id) res.setHeader("Retry-After", searchRetrySeconds);
        throw failed;
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
          params: LearnerParams,
          reply: LearnerReply,
          errors: [...refusals, LearnerNotFound],
          async handle(request) {
            return { learner: await describeLearner(db, await findCourse(request), request.params.userId) };
          },
        }),
      ],
    };
  });
}
