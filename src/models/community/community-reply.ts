import { z } from "zod";
import { timestamp } from "../../lib/fields.js";
import { defineCollection } from "../collection.js";
import { objectIdField, rowTimes, withDefault } from "../row.js";

/** A reply to a post; removed with it. */
export type CommunityReply = z.input<typeof communityReplyRow>;
const communityReplyRow = z.object({
  _id: objectIdField,
  postId: objectIdField,
  /** User id. */
  authorId: z.string(),
  authorName: withDefault(z.string(), ""),
  authorImage: withDefault(z.string(), ""),
  content: z.string(),
  /** Number of votes. */
  upvoteCount: withDefault(z.number(), 0),
  editedAt: timestamp.nullable(),
  /** Set until the notices of `dueNotices` are made. */
  noticeDueAt: timestamp.exactOptional(),
  dueNotices: z.array(z.enum(["reply_to_post", "reply_accepted"])).exactOptional(),
  ...rowTimes,
});

export const communityReplyCollection = defineCollection({
  row: communityReplyRow,
  indexes: [
    [{ authorId: 1 }], // what an author may see and erase
    [{ noticeDueAt: 1 }, { sparse: true }],
    [{ postId: 1, createdAt: 1, _id: 1 }], // a post's replies, oldest first
  ],
  holds: "public contribution with name and image of the time, number of votes",
  kept: "until removed; erasure takes name, image and user out",
  userData: {
    owner: "authorId",
    section: "replies",
    exported: [
      "_id",
      "postId",
      "content",
      "authorName",
      "authorImage",
      "upvoteCount",
      "editedAt",
      "createdAt",
      "updatedAt",
    ],
    erasure: { anonymise: { authorName: "Deleted user", authorImage: "" } },
  },
});
