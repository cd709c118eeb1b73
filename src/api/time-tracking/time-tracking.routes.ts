import { z } from "zod";
import type { Deps } from "../../deps.js";
import { type RouteGroup, route } from "../../http/route.js";
import { failure } from "../../lib/errors.js";
import { text } from "../../lib/fields.js";
import { readAnalytics } from "../../services/learning/read-analytics.js";
import { trackTime } from "../../services/learning/track-time.js";

const TrackingBody = z.object({
  page: text(1, 100).meta({ description: "the client's label of the page" }),
  path: text(1, 500),
  duration: z.number().int().min(1).max(86_400).meta({ description: "seconds" }),
});

const seconds = z.number().meta({ description: "seconds" });

const AnalyticsReply = z.object({
  analytics: z
    .object({
      totalDuration: seconds,
      totalSessions: z.number(),
      pageStats: z.array(z.object({ page: z.string(), path: z.string(), totalDuration: seconds, visits: z.number() })),
      dailyStats: z.array(z.object({ date: z.string().meta({ format: "date" }), duration: seconds })),
      courseBreakdown: z.array(
        z.object({
          courseId: z.string(),
          courseTitle: z.string(),
          courseThumbnail: z.string().nullable(),
          learningDuration: seconds,
          learningSessions: z.number(),
          totalQuizDuration: seconds,
          chapters: z.array(
            z.object({
              chapterId: z.string(),
              chapterTitle: z.string(),
              quizDuration: seconds,
              quizSessions: z.number(),
            }),
          ),
        }),
      ),
    })
    .meta({ id: "Analytics" }),
});

const InvalidTracking = failure("invalid_tracking", 400, "Invalid tracking data");

/** Time that the caller spends on pages. */
export function timeTrackingGroup({ db }: Deps): RouteGroup {
  return {
    name: "user",
    base: "/api/user",
    routes: [
      route("post", "/track-time", {
        operationId: "trackTime",
        summary: "Record time spent on a page",
        description: "With an `Idempotency-Key` header, a session that is sent again counts once.",
        access: "user",
        body: TrackingBody,
        invalid: InvalidTracking,
        handle: ({ viewer, body, req }) =>
          trackTime(db, { userId: viewer.id, ...body, idempotencyKey: req.get("idempotency-key") }),
      }),
      route("get", "/analytics", {
        operationId: "getAnalytics",
        summary: "Time spent, by page, day, course and quiz",
        access: "user",
        reply: AnalyticsReply,
        handle: async ({ viewer }) => ({ analytics: await readAnalytics(db, viewer.id) }),
      }),
    ],
  };
}
