import { randomUUID } from "node:crypto";
import { Schema } from "mongoose";

/** A person, as the identity provider's webhook told of them. Nothing else creates one. */
export interface User {
  /** The identity provider's user id. */
  _id: string;
  name: string;
  email: string;
  imageUrl: string;
  /** Ordering key of the newest identity event that was applied, in milliseconds. */
  providerUpdatedAt: number;
  /** Names this record in the number of people: a person removed and created again is another one. */
  incarnation: string;
  /** Whether the number of people has it (see commands/people-total.ts). */
  counted: boolean;
  /** While it is being counted or removed: since when, and the token of whoever is at it. */
  claimedAt?: Date;
  createdAt: Date;
  updatedAt: Date;
}

export const userSchema = new Schema<User>(
  {
    _id: { type: String, required: true },
    name: { type: String, default: "" },
    email: { type: String, default: "" },
    imageUrl: { type: String, default: "" },
    providerUpdatedAt: { type: Number, required: true },
    incarnation: { type: String, default: () => randomUUID() },
    counted: { type: Boolean, default: false },
    claimedAt: Date,
  },
  { timestamps: true, versionKey: false },
);
userSchema.index({ createdAt: -1, _id: -1 }); // the administrators' list, newest first
userSchema.index({ counted: 1 }, { partialFilterExpression: { counted: false } }); // who is still to be counted

/** A person who was deleted at the identity provider: later events for the id have no effect, for ever. */
export interface UserTombstone {
  _id: string;
  deletedAt: Date;
}

export const userTombstoneSchema = new Schema<UserTombstone>(
  { _id: { type: String, required: true }, deletedAt: { type: Date, required: true } },
  { versionKey: false },
);

/** The role in force for a person; wins over the token's claim. */
export interface RoleRecord {
  /** User id. */
  _id: string;
  role: "student" | "educator" | "admin";
  writtenAt: Date;
  /** Id of the approved application whose role is in this record, or was until an identity event replaced it. */
  grantedFor: string | null;
}

export const roleRecordSchema = new Schema<RoleRecord>(
  {
    _id: { type: String, required: true },
    role: { type: String, enum: ["student", "educator", "admin"], required: true },
    writtenAt: { type: Date, required: true },
    grantedFor: { type: String, default: null },
  },
  { versionKey: false },
);
roleRecordSchema.index({ role: 1 });
