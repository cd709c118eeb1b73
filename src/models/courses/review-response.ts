import { z } from "zod";
import { defineCollection } from "../collection.js";
import { objectIdField, rowTimes } from "../row.js";

/** The answer of a course's educator to a review. It has the id of the review. */
export type ReviewResponse = z.input<typeof reviewResponseRow>;
const reviewResponseRow = z.object({
  _id: objectIdField,
  courseId: objectIdField,
  educatorId: z.string(),
  content: z.string(),
  ...rowTimes,
});

export const reviewResponseCollection = defineCollection({
  row: reviewResponseRow,
  indexes: [[{ educatorId: 1 }]], // what an educator may see and erase
  holds: "answer of an educator to a review",
  kept: "until removed; erasure takes the educator out",
  userData: {
    owner: "educatorId",
    section: "reviewResponses",
    exported: ["_id", "courseId", "content", "createdAt", "updatedAt"],
    erasure: { anonymise: {} },
  },
});
