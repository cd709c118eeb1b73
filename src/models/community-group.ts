import { Schema, type Types } from "mongoose";

/** A place for posts about one thing. Never deleted. */
export interface CommunityGroup {
  _id: Types.ObjectId;
  name: string;
  /** The name without case and spacing: two groups cannot share it. */
  nameKey: string;
  slug: string;
  description: string;
  icon: string;
  /** User id, or `system`. */
  createdBy: string;
  isOfficial: boolean;
  /** Number of memberships. */
  memberCount: number;
  /** Number of posts in the group. */
  postCount: number;
  createdAt: Date;
  updatedAt: Date;
}

export const communityGroupSchema = new Schema<CommunityGroup>(
  {
    name: { type: String, required: true },
    nameKey: { type: String, required: true },
    slug: { type: String, required: true },
    description: { type: String, default: "" },
    icon: { type: String, required: true },
    createdBy: { type: String, required: true },
    isOfficial: { type: Boolean, default: false },
    memberCount: { type: Number, default: 0 },
    postCount: { type: Number, default: 0 },
  },
  { timestamps: true, versionKey: false },
);
communityGroupSchema.index({ nameKey: 1 }, { unique: true });
communityGroupSchema.index({ createdBy: 1 }); // what their creator may see and erase
communityGroupSchema.index({ slug: 1 }, { unique: true });
communityGroupSchema.index({ isOfficial: -1, memberCount: -1, name: 1 }); // the list of groups
communityGroupSchema.index({ postCount: 1 }); // the sum over all groups, from the index alone

/** One user's membership in one group. */
export interface GroupMembership {
  _id: Types.ObjectId;
  userId: string;
  groupId: Types.ObjectId;
  createdAt: Date;
}

export const groupMembershipSchema = new Schema<GroupMembership>(
  {
    userId: { type: String, required: true },
    groupId: { type: Schema.Types.ObjectId, required: true },
  },
  { timestamps: { createdAt: true, updatedAt: false }, versionKey: false },
);
groupMembershipSchema.index({ groupId: 1 }); // covers a recount
groupMembershipSchema.index({ userId: 1, groupId: 1 }, { unique: true }); // also a user's groups
