import { z } from "zod";
import { cursorId, nextCursor, orderedPage } from "../../http/pages.js";
import { text, timestamp } from "../../lib/fields.js";
import { learnerStates } from "../../services/learners/learner-views.js";
import { learnerSorts } from "../../services/learners/list-learners.js";

export const LearnersQuery = z.object({
  ...orderedPage(z.tuple([z.int().min(0).max(8.64e15), cursorId])),
  state: z.enum(learnerStates).optional(),
  q: text(0, 100).optional().meta({ description: "part of a name, or a whole e-mail address" }),
  sort: z.enum(learnerSorts).default("enrolled").meta({ description: "always descending" }),
});

const percent = z.int().min(0).max(100);

const learnerFields = {
  userId: z.string(),
  name: z.string(),
  imageUrl: z.string(),
  enrolledAt: timestamp,
  expiresAt: timestamp.nullable(),
  lecturesDone: z.int().meta({ description: "completed lectures that the course has now" }),
  lecturesTotal: z.int(),
  percent,
  lastActiveAt: timestamp.nullable().meta({ description: "the newest completed lecture or quiz attempt" }),
  completedAt: timestamp.nullable(),
  certificateId: z.string().nullable(),
  bestQuizPercent: percent.nullable(),
  state: z.enum(learnerStates).meta({ description: "`stalled`: begun, and nothing for 14 days" }),
};

export const ResetBody = z.object({ reason: text(1, 200) });

const lectureNames = { lectureId: z.string(), lectureTitle: z.string(), chapterTitle: z.string() };

export const FunnelReply = z.object({
  enrolled: z.int().meta({ description: "learners with an active enrollment" }),
  lectures: z.array(
    z.object({ ...lectureNames, completed: z.int().meta({ description: "learners who have completed the lecture" }) }),
  ),
});

export const LearnersReply = z.object({
  learners: z.array(z.object(learnerFields).meta({ id: "Learner" })),
  nextCursor,
});

export const LearnerReply = z.object({
  learner: z
    .object({
      ...learnerFields,
      lectures: z.array(z.object({ ...lectureNames, completedAt: timestamp.nullable() })),
      quizzes: z.array(
        z.object({
          chapterId: z.string(),
          chapterTitle: z.string(),
          attempts: z.int(),
          best: percent,
          last: percent,
          lastAt: timestamp,
        }),
      ),
      learningSeconds: z.number().meta({ description: "time in the player of the course" }),
    })
    .meta({ id: "LearnerDetail" }),
});
