import type { Deps } from "../../deps.js";
import { type RouteGroup, route } from "../../http/route.js";
import { failure } from "../../lib/errors.js";
import { readAnalytics } from "../../services/learning/read-analytics.js";
import { trackTime } from "../../services/learning/track-time.js";
import { AnalyticsReply, TrackingBody } from "./time-tracking.schemas.js";

const InvalidTracking = failure("invalid_tracking", 400, "Invalid tracking data");

/** Time that the caller spends on pages. */
export function timeTrackingGroup({ db }: Deps): RouteGroup {
  return {
    name: "user",
    base: "/api/user",
    access: "user",
    routes: [
      route({
        method: "post",
        path: "/track-time",
        operationId: "trackTime",
        summary: "Record time spent on a page",
        description: "With an `Idempotency-Key` header, a session that is sent again counts once.",
        access: "user",
        body: TrackingBody,
        invalid: InvalidTracking,
        async handle({ viewer, body, req }) {
          await trackTime(db, { userId: viewer.id, ...body, idempotencyKey: req.get("idempotency-key") });
          return {};
        },
      }),
      route({
        method: "get",
        path: "/analytics",
        operationId: "getAnalytics",
        summary: "Time spent, by page, day, course and quiz",
        access: "user",
        reply: AnalyticsReply,
        async handle({ viewer }) {
          return { analytics: await readAnalytics(db, viewer.id) };
        },
      }),
    ],
  };
}
