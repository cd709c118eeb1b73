import { z } from "zod";
import { text } from "../../lib/fields.js";

export const TrackingBody = z.object({
  page: text(1, 100).meta({ description: "the client's label of the page" }),
  path: text(1, 500),
  duration: z.number().int().min(1).max(86_400).meta({ description: "seconds" }),
});

const seconds = z.number().meta({ description: "seconds" });

export const AnalyticsReply = z.object({
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
