import { Schema, type Types } from "mongoose";

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

export const communityReplySchema = new Schema<CommunityReply>(
  {
    postId: { type: Schema.Types.ObjectId, required: true },
    authorId: { type: String, required: true },
    authorName: { type: String, default: "" },
    authorImage: { type: String, default: "" },
    content: { type: String, required: true },
    upvoteCount: { type: Number, default: 0 },
    editedAt: { type: Date, default: null },
  },
  { timestamps: true, versionKey: false },
);
communityReplySchema.index({ authorId: 1 }); // what an author may see and erase
communityReplySchema.index({ postId: 1, createdAt: 1, _id: 1 }); // a post's replies, oldest first
