import { z } from "zod";
import { defineCollection } from "../collection.js";
import { objectIdField, rowTimes } from "../row.js";

/** One learner's rating of one course; a new one replaces it. */
export type CourseRating = z.input<typeof courseRatingRow>;
const courseRatingRow = z.object({
  _id: objectIdField,
  userId: z.string(),
  courseId: objectIdField,
  /** 1 to 5. */
  rating: z.number(),
  ...rowTimes,
});

export const courseRatingCollection = defineCollection({
  row: courseRatingRow,
  indexes: [
    [{ courseId: 1, rating: 1 }], // covers a recount
    [{ userId: 1, courseId: 1 }, { unique: true }],
  ],
  holds: "rating of a course, 1 to 5",
  kept: "for good; erasure takes the user out",
  userData: {
    owner: "userId",
    section: "ratings",
    exported: ["courseId", "rating", "createdAt", "updatedAt"],
    erasure: "ownStep",
  },
});
