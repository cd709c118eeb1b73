import { z } from "zod";
import { timestamp } from "../../lib/fields.js";
import { defineCollection } from "../collection.js";
import { objectIdField, rowTimes } from "../row.js";

/** One user's upvote of one post or reply. */
export type Vote = z.input<typeof voteRow>;
const voteRow = z.object({
  _id: objectIdField,
  userId: z.string(),
  /** The post or the reply. */
  targetId: objectIdField,
  /** The post itself, or the reply's post. */
  postId: objectIdField,
  /** Set until the author of the post has a notice. */
  noticeDueAt: timestamp.exactOptional(),
  createdAt: rowTimes.createdAt,
});

export const voteCollection = defineCollection({
  row: voteRow,
  indexes: [
    [{ userId: 1, targetId: 1 }, { unique: true }], // also a caller's votes on a page of posts
    [{ userId: 1, postId: 1, targetId: 1 }], // a caller's votes on a post and its replies, from the index alone
    // The votes that are removed with a post or with a reply, and those of an hour.
    [{ postId: 1, targetId: 1, createdAt: 1, userId: 1 }],
    [{ noticeDueAt: 1 }, { sparse: true }],
  ],
  holds: "one upvote of a post or reply",
  kept: "until taken back; erasure takes the user out",
  userData: {
    owner: "userId",
    section: "votes",
    exported: ["targetId", "postId", "createdAt"],
    exportedAs: { createdAt: timestamp },
    erasure: { anonymise: {} },
  },
});
