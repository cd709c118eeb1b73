import type { z } from "zod";
import type { Deps } from "../../deps.js";
import type { RouteRequest } from "../../http/route.js";
import { rateCourse } from "../../services/ratings/rate-course.js";
import type { RatingBody } from "./ratings.schemas.js";

export function ratingsController({ db }: Pick<Deps, "db">) {
  return {
    async rate({ viewer, body }: RouteRequest<undefined, undefined, z.output<typeof RatingBody>, "user">) {
      await rateCourse(db, { userId: viewer.id, ...body });
      return { message: "Rating Added" as const };
    },
  };
}
