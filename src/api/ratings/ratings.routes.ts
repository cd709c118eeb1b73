import { z } from "zod";
import type { Deps } from "../../deps.js";
import { type RouteGroup, route } from "../../http/route.js";
import { failure } from "../../lib/errors.js";
import { text } from "../../lib/fields.js";
import {
  RatedCourseNotFound,
  RatedCourseNotPurchased,
  RatedOwnCourse,
  rateCourse,
} from "../../services/ratings/rate-course.js";

const RatingBody = z.object({
  courseId: z.string().trim().min(1),
  rating: z.number().int().min(1).max(5),
  review: text(0, 2000).optional().meta({ description: "empty: removes the text; absent: leaves it" }),
});
const RatingReply = z.object({ message: z.literal("Rating Added") });
const InvalidRating = failure("invalid_rating", 400, "Invalid Details");

/** The caller's ratings of their courses. */
export function ratingsGroup({ db }: Deps): RouteGroup {
  return {
    name: "user",
    base: "/api/user",
    routes: [
      route("post", "/add-rating", {
        operationId: "rateCourse",
        summary: "Rate and review a course, or change the rating or the review",
        access: "user",
        body: RatingBody,
        invalid: InvalidRating,
        reply: RatingReply,
        errors: [RatedCourseNotFound, RatedOwnCourse, RatedCourseNotPurchased],
        async handle({ viewer, body }) {
          await rateCourse(db, { userId: viewer.id, ...body });
          return { message: "Rating Added" as const };
        },
      }),
    ],
  };
}
