import { Schema, type Types } from "mongoose";
import { z } from "zod";
import { id, timestamp } from "../../lib/fields.js";
import { defineCollection } from "../collection.js";

/** One user's upvote of one post or reply. */
export interface Vote {
  _id: Types.ObjectId;
  userId: string;
  /** The post or the reply. */
  targetId: Types.ObjectId;
  /** The post itself, or the reply's post. */
  postId: Types.ObjectId;
  createdAt: Date;
}

const voteSchema = new Schema<Vote>(
  {
    userId: { type: String, required: true },
    targetId: { type: Schema.Types.ObjectId, required: true },
    postId: { type: Schema.Types.ObjectId, required: true },
  },
  { timestamps: { createdAt: true, updatedAt: false } },
);
voteSchema.index({ userId: 1, targetId: 1 }, { unique: true }); // also a caller's votes on a page of posts
voteSchema.index({ userId: 1, postId: 1, targetId: 1 }); // a caller's votes on a post and its replies, from the index alone
voteSchema.index({ postId: 1, targetId: 1 }); // the votes that are removed with a post, or with a reply
export const voteCollection = defineCollection<Vote>({
  schema: voteSchema,
  holds: "one upvote of a post or reply",
  kept: "until taken back; erasure takes the user out",
  userData: {
    owner: "userId",
    section: "votes",
    row: z.object({ targetId: id, postId: id, createdAt: timestamp }),
    erasure: { anonymise: {} },
  },
});
