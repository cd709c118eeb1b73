import { Schema, type Types } from "mongoose";
import { z } from "zod";
import { id } from "../../lib/fields.js";
import { defineCollection, optional, rowTimes } from "../collection.js";

/** A reply to a post; removed with it. */
export interface CommunityReply {
  _id: Types.ObjectId;
  postId: Types.ObjectId;
  /** User id. */
  authorId: string;
  authorName: string;
  authorImage: string;
  content: string;
  /** Number of votes. */
  upvoteCount: number;
  editedAt: Date | null;
  createdAt: Date;
  updatedAt: Date;
}

const communityReplySchema = new Schema<CommunityReply>(
  {
    postId: { type: Schema.Types.ObjectId, required: true },
    authorId: { type: String, required: true },
    authorName: { type: String, default: "" },
    authorImage: { type: String, default: "" },
    content: { type: String, required: true },
    upvoteCount: { type: Number, default: 0 },
    editedAt: { type: Date, default: null },
  },
  { timestamps: true },
);
communityReplySchema.index({ authorId: 1 }); // what an author may see and erase
communityReplySchema.index({ postId: 1, createdAt: 1, _id: 1 }); // a post's replies, oldest first
export const communityReplyCollection = defineCollection<CommunityReply>({
  schema: communityReplySchema,
  holds: "public contribution with name and image of the time, number of votes",
  kept: "until removed; erasure takes name, image and user out",
  userData: {
    owner: "authorId",
    section: "replies",
    row: z.object({
      _id: id,
      postId: id,
      content: z.string(),
      authorName: optional.text,
      authorImage: optional.text,
      upvoteCount: optional.number,
      editedAt: optional.time,
      ...rowTimes,
    }),
    erasure: { anonymise: { authorName: "Deleted user", authorImage: "" } },
  },
});
