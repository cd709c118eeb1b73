import type { Deps } from "../../deps.js";
import { type RouteGroup, route } from "../../http/route.js";
import { failure } from "../../lib/errors.js";
import { RatedCourseNotFound, RatedCourseNotPurchased } from "../../services/ratings/rate-course.js";
import { ratingsController } from "./ratings.controller.js";
import { RatingBody, RatingReply } from "./ratings.schemas.js";

const InvalidRating = failure("invalid_rating", 400, "Invalid Details");

/** The caller's ratings of their courses. */
export function ratingsGroup(deps: Deps): RouteGroup {
  const ratings = ratingsController(deps);
  return {
    name: "user",
    base: "/api/user",
    access: "user",
    routes: [
      route({
        method: "post",
        path: "/add-rating",
        summary: "Rate a course, or replace one's rating",
        access: "user",
        body: RatingBody,
        invalid: InvalidRating,
        reply: RatingReply,
        errors: [RatedCourseNotFound, RatedCourseNotPurchased],
        handle: ratings.rate,
      }),
    ],
  };
}
