import { Schema } from "mongoose";

/** A user's profile, as the identity provider's webhook reported it. Nothing else creates one. */
export interface User {
  /** The identity provider's user id. */
  _id: string;
  name: string;
  email: string;
  imageUrl: string;
  createdAt: Date;
  updatedAt: Date;
}

export const userSchema = new Schema<User>(
  {
    _id: { type: String, required: true },
    name: { type: String, default: "" },
    email: { type: String, default: "" },
    imageUrl: { type: String, default: "" },
  },
  { timestamps: true, versionKey: false },
);
userSchema.index({ createdAt: -1, _id: -1 }); // the administrators' list, newest first

/**
 * What the server knows of an account, also when there is no user record. Every identity event writes it, and so does
 * the creation of a course: transactions that must know of each other meet in this document.
 */
export interface Account {
  /** The identity provider's user id. */
  _id: string;
  /** Ordering key of the newest event that was applied to the user record, in milliseconds. */
  newestEvent?: number;
  /** Deleted at the identity provider: later events for the id have no effect, for ever. */
  deletedAt?: Date;
  /** The catalog shows the user. */
  hasCourses?: boolean;
}

export const accountSchema = new Schema<Account>(
  { _id: { type: String, required: true }, newestEvent: Number, deletedAt: Date, hasCourses: Boolean },
  { versionKey: false },
);

/** The role in force for a user; wins over the token's claim. */
export interface RoleRecord {
  /** User id. */
  _id: string;
  role: "student" | "educator" | "admin";
  /** When the identity provider or an administrator said so. */
  writtenAt: Date;
}

export const roleRecordSchema = new Schema<RoleRecord>(
  {
    _id: { type: String, required: true },
    role: { type: String, enum: ["student", "educator", "admin"], required: true },
    writtenAt: { type: Date, required: true },
  },
  { versionKey: false },
);
roleRecordSchema.index({ role: 1 });
