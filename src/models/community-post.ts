import { Schema, type Types } from "mongoose";

/** A post of the community, in a group or in none. */
export interface CommunityPost {
  _id: Types.ObjectId;
  /** User id. */
  authorId: string;
  /** Name and image of the author when it was written. */
  authorName: string;
  authorImage: string;
  groupId: Types.ObjectId | null;
  title: string;
  content: string;
  tags: string[];
  /** The one accepted reply: being a single pointer, it cannot be two. */
  acceptedReplyId: Types.ObjectId | null;
  isResolved: boolean;
  /** Number of votes. */
  upvoteCount: number;
  /** Number of replies. */
  replyCount: number;
  editedAt: Date | null;
  createdAt: Date;
  updatedAt: Date;
}

export const communityPostSchema = new Schema<CommunityPost>(
  {
    authorId: { type: String, required: true },
    authorName: { type: String, default: "" },
    authorImage: { type: String, default: "" },
    groupId: { type: Schema.Types.ObjectId, default: null },
    title: { type: String, required: true },
    content: { type: String, required: true },
    tags: { type: [String], default: [] },
    acceptedReplyId: { type: Schema.Types.ObjectId, default: null },
    isResolved: { type: Boolean, default: false },
    upvoteCount: { type: Number, default: 0 },
    replyCount: { type: Number, default: 0 },
    editedAt: { type: Date, default: null },
  },
  { timestamps: true, versionKey: false },
);
communityPostSchema.index({ authorId: 1 }); // what an author may see and erase
communityPostSchema.index({ createdAt: -1, _id: -1 }); // newest and, read backwards, oldest
communityPostSchema.index({ upvoteCount: -1, createdAt: -1, _id: -1 }); // trending
communityPostSchema.index({ groupId: 1, createdAt: -1, _id: -1 }); // the same two, of one or some groups
communityPostSchema.index({ groupId: 1, upvoteCount: -1, createdAt: -1, _id: -1 });

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

/** The number of posts in no group. One document, `_id: "all"`, which exists from the first start. */
export interface UngroupedPosts {
  _id: string;
  postCount: number;
}

export const ungroupedPostsSchema = new Schema<UngroupedPosts>(
  { _id: { type: String, required: true }, postCount: { type: Number, required: true } },
  { versionKey: false },
);
