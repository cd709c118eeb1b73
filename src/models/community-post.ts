import { Schema, type Types } from "mongoose";
import { type CountedFact, countedFact } from "./counted-fact.js";
import { countedKeys } from "./counted-keys.js";

/** Who took a post or reply away, when that was an administrator and not its author. */
export interface Removal {
  /** The administrator's user id. */
  by: string;
  requestId: string | null;
}

export const removalSchema = new Schema<Removal>(
  { by: { type: String, required: true }, requestId: { type: String, default: null } },
  { _id: false },
);

/** A post of the community, in a group or in none. Only those `in` are visible. */
export interface CommunityPost extends CountedFact {
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
  /**
   * How many replies have been removed: whoever accepts one names the number seen, so that a reply cannot vanish
   * meanwhile.
   */
  repliesRemoved: number;
  editedAt: Date | null;
  removal?: Removal;
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
    repliesRemoved: { type: Number, default: 0 },
    editedAt: { type: Date, default: null },
    removal: { type: removalSchema },
    ...countedFact,
    ...countedKeys,
  },
  { timestamps: true, versionKey: false },
);
communityPostSchema.index({ state: 1, createdAt: -1, _id: -1 }); // newest and, read backwards, oldest
communityPostSchema.index({ state: 1, upvoteCount: -1, createdAt: -1, _id: -1 }); // trending
communityPostSchema.index({ state: 1, groupId: 1, createdAt: -1, _id: -1 }); // the same two, of one or some groups
communityPostSchema.index({ state: 1, groupId: 1, upvoteCount: -1, createdAt: -1, _id: -1 });
communityPostSchema.index({ unsettledSince: 1 }, { sparse: true }); // what a crash left half-done

/** A reply to a post. Only those `in` are visible, and only while their post is. */
export interface CommunityReply extends CountedFact {
  postId: Types.ObjectId;
  /** User id. */
  authorId: string;
  authorName: string;
  authorImage: string;
  content: string;
  /** Number of votes. */
  upvoteCount: number;
  editedAt: Date | null;
  removal?: Removal;
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
    removal: { type: removalSchema },
    ...countedFact,
    ...countedKeys,
  },
  { timestamps: true, versionKey: false },
);
communityReplySchema.index({ postId: 1, state: 1, createdAt: 1, _id: 1 }); // a post's replies, oldest first
communityReplySchema.index({ unsettledSince: 1 }, { sparse: true }); // what a crash left half-done
