import { Types } from "mongoose";
import type { Deps } from "../../deps.js";
import { readPage } from "../../http/list-reply.js";
import { type PathParams, type RouteGroup, route } from "../../http/route.js";
import { findManagedCourse } from "../../services/courses/managed-course.js";
import { CourseNotFound, NotTheOwner } from "../../services/failures.js";
import { listReviews, readDistribution } from "../../services/ratings/list-reviews.js";
import {
  hideReview,
  OwnReview,
  type ReviewKey,
  ReviewNotFound,
  removeResponse,
  reportReview,
  respondToReview,
  toggleHelpful,
} from "../../services/ratings/reviews.js";
import { ReportBody } from "../report-body.js";
import { HelpfulReply, HideBody, ResponseBody, ResponseReply, ReviewsQuery, ReviewsReply } from "./reviews.schemas.js";

type ReviewParams = PathParams<"/:id/:reviewId">;
const idOf = ({ reviewId }: ReviewParams) => new Types.ObjectId(reviewId);
const keyOf = (params: ReviewParams): ReviewKey => ({
  courseId: new Types.ObjectId(params.id),
  _id: idOf(params),
});

/** Reviews of courses: their list, marks, reports, responses and moderation. */
export function reviewsGroups({ db }: Deps): RouteGroup[] {
  return [
    {
      name: "reviews",
      base: "/api/course",
      routes: [
        route("get", "/:id/reviews", {
          operationId: "listReviews",
          summary: "Reviews of a course, the most helpful first by default",
          description: "`distribution` counts all ratings, also without a text, but none of hidden reviews.",
          access: "public",
          query: ReviewsQuery,
          reply: ReviewsReply,
          errors: [CourseNotFound],
          async handle({ viewer, params, query }) {
            const [distribution, { items: reviews, nextCursor }] = await Promise.all([
              readDistribution(db, params.id),
              readPage(listReviews(db, params.id, query, viewer?.id), query),
            ]);
            return { reviews, distribution, nextCursor };
          },
        }),
        route("post", "/:id/reviews/:reviewId/helpful", {
          operationId: "toggleHelpfulReview",
          summary: "Mark a review of another user as helpful, or remove the mark",
          access: "user",
          reply: HelpfulReply,
          errors: [ReviewNotFound, OwnReview],
          handle: ({ viewer, params }) => toggleHelpful(db, viewer.id, keyOf(params)),
        }),
        route("post", "/:id/reviews/:reviewId/report", {
          operationId: "reportReview",
          summary: "Report a review to the administrators",
          description: "A further report by the same user changes nothing while the first is open.",
          access: "user",
          body: ReportBody,
          errors: [ReviewNotFound],
          handle: ({ viewer, params, body }) => reportReview(db, viewer.id, keyOf(params), body.reason),
        }),
      ],
    },
    {
      name: "reviews",
      base: "/api/educator",
      routes: [
        route("put", "/courses/:id/reviews/:reviewId/response", {
          operationId: "respondToReview",
          summary: "Respond to a review of one of the educator's courses, or change the response",
          access: "educator",
          body: ResponseBody,
          reply: ResponseReply,
          errors: [CourseNotFound, NotTheOwner, ReviewNotFound],
          async handle({ params, body, manager }) {
            const course = await findManagedCourse(db, params.id, manager);
            return { response: await respondToReview(db, course, idOf(params), manager, body.content) };
          },
        }),
        route("delete", "/courses/:id/reviews/:reviewId/response", {
          operationId: "removeReviewResponse",
          summary: "Remove the response to a review",
          access: "educator",
          errors: [CourseNotFound, NotTheOwner, ReviewNotFound],
          handle: async ({ params, manager }) =>
            removeResponse(db, await findManagedCourse(db, params.id, manager), idOf(params)),
        }),
      ],
    },
    {
      name: "reviews",
      base: "/api/admin",
      routes: [
        route("post", "/reviews/:id/hide", {
          operationId: "hideReview",
          summary: "Hide a review, or show it again",
          description: "Audited. A hidden rating does not count. Hiding resolves the open reports of the review.",
          access: "admin",
          body: HideBody,
          errors: [ReviewNotFound],
          handle: ({ params, body, manager }) => hideReview(db, new Types.ObjectId(params.id), body, manager),
        }),
      ],
    },
  ];
}
