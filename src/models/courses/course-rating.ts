import { z } from "zod";
import { timestamp } from "../../lib/fields.js";
import { defineCollection } from "../collection.js";
import { objectIdField, rowTimes, withDefault } from "../row.js";

/** One learner's rating of one course; a new one replaces it. With a text it is a review. */
export type CourseRating = z.input<typeof courseRatingRow>;
const courseRatingRow = z.object({
  _id: objectIdField,
  userId: z.string(),
  courseId: objectIdField,
  /** 1 to 5. */
  rating: z.number(),
  /** Absent without a text, and never empty. */
  review: z.string().exactOptional(),
  /** Number of users who find the review helpful. */
  helpfulCount: withDefault(z.number(), 0),
  /** When an administrator hid the review, which then does not count. A new text stays hidden. */
  hiddenAt: timestamp.nullable(),
  /** When the rating last caused a notice, which it does once an hour. Ratings of version 1.0 lack it. */
  noticeCausedAt: timestamp.exactOptional(),
  ...rowTimes,
});

const withText = { review: { $exists: true } };
/** Filters the ratings that count in the figures of their course. */
export const counted = { hiddenAt: null };
/** Filters the reviews that are listed. */
export const listed = { ...withText, ...counted };

export const reviewOrders = {
  helpful: { helpfulCount: -1, createdAt: -1, _id: -1 },
  newest: { createdAt: -1, _id: -1 },
} as const;

export const courseRatingCollection = defineCollection({
  row: courseRatingRow,
  indexes: [
    [{ courseId: 1, rating: 1 }], // a recount
    [{ userId: 1, courseId: 1 }, { unique: true }],
    // The lists of reviews, with and without a filter by rating.
    ...Object.values(reviewOrders).flatMap(
      (order) =>
        [
          [{ courseId: 1, hiddenAt: 1, ...order }, { partialFilterExpression: withText }],
          [{ courseId: 1, rating: 1, hiddenAt: 1, ...order }, { partialFilterExpression: withText }],
        ] as const,
    ),
  ],
  holds: "rating of a course, 1 to 5, and the text of a review",
  kept: "for good; erasure takes the user out",
  userData: {
    owner: "userId",
    section: "ratings",
    exported: ["courseId", "rating", "review", "helpfulCount", "hiddenAt", "createdAt", "updatedAt"],
    erasure: "ownStep",
  },
});

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

/** One user's mark that one review is helpful. */
const helpfulVoteRow = z.object({
  _id: objectIdField,
  userId: z.string(),
  reviewId: objectIdField,
  createdAt: rowTimes.createdAt,
});

export const helpfulVoteCollection = defineCollection({
  row: helpfulVoteRow,
  indexes: [
    [{ userId: 1, reviewId: 1 }, { unique: true }], // also a caller's votes on a page of reviews
    [{ reviewId: 1 }], // covers a recount
  ],
  holds: "one user's mark that a review is helpful",
  kept: "until taken back; erasure takes the user out",
  userData: {
    owner: "userId",
    section: "helpfulVotes",
    exported: ["reviewId", "createdAt"],
    exportedAs: { createdAt: timestamp },
    erasure: { anonymise: {} },
  },
});
