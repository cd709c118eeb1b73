import { z } from "zod";
import { id, timestamp } from "../../lib/fields.js";

const givenId = z.string().trim().min(1);

export const ProgressBody = z.object({
  courseId: givenId,
  lectureId: givenId,
  positionSeconds: z
    .number()
    .min(0)
    .optional()
    .meta({ description: "seconds into the lecture, fractions allowed; absent: the learner continues at the start" }),
});

export const ProgressReply = z.object({
  message: z.literal("Progress Updated"),
  isCourseCompleted: z.boolean(),
  certificateAvailable: z.boolean().meta({ description: "false while the PDF is still being produced" }),
});

export const ProgressLookup = z.object({ courseId: givenId });

export const ProgressLookupReply = z.object({
  progressData: z
    .object({
      _id: id,
      userId: z.string(),
      courseId: id,
      lectureCompleted: z.array(z.string()),
      completed: z.boolean(),
      createdAt: timestamp,
      updatedAt: timestamp,
    })
    .meta({ id: "CourseProgress" })
    .nullable(),
});
