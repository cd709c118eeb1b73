import { z } from "zod";
import { timestamp } from "../../lib/fields.js";
import { defineCollection } from "../collection.js";
import { objectIdField, rowTimes } from "../row.js";

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
