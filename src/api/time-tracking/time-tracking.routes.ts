import { z } from "zod";
import type { Deps } from "../../deps.js";
import { type RouteGroup, route } from "../../http/route.js";
import { failure } from "../../lib/errors.js";
import { timeTrackingController } from "./time-tracking.controller.js";
import { AnalyticsReply, TrackingBody } from "./time-tracking.schemas.js";

const InvalidTracking = failure("invalid_tracking", 400, "Invalid tracking data");

/** Time that the caller spends on pages. */
export function timeTrackingGroup(deps: Deps): RouteGroup {
  const time = timeTrackingController(deps);
  return {
    name: "user",
    base: "/api/user",
    access: "user",
    routes: [
      route({
        method: "post",
        path: "/track-time",
        summary: "Record time spent on a page",
        description: "With an `Idempotency-Key` header, a session that is sent again counts once.",
        access: "user",
        body: TrackingBody,
        invalid: InvalidTracking,
        reply: z.object({}),
        errors: [],
        handle: time.track,
      }),
      route({
        method: "get",
        path: "/analytics",
        summary: "Time spent, by page, day, course and quiz",
        access: "user",
        reply: AnalyticsReply,
        errors: [],
        handle: time.analytics,
      }),
    ],
  };
}
