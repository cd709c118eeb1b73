import { type ClientSession, Schema } from "mongoose";
import { z } from "zod";
import { timestamp } from "../../lib/fields.js";
import { defineCollection, optional, rowTimes } from "../collection.js";
import type { Models } from "../index.js";
import { nativeCollection } from "../native-collection.js";
import type { KeyUse } from "./api-key.js";

/** A user's profile, as the identity provider's webhook reported it. Nothing else creates one. */
export interface User {
  /** The identity provider's user id. */
  _id: string;
  name: string;
  email: string;
  /** The primary address in the form of `emailKey`, while the identity provider calls it verified. Absent otherwise. */
  verifiedEmail?: string;
  imageUrl: string;
  /** When the identity provider changed the profile, by its newest event. */
  providerUpdatedAt?: Date;
  createdAt: Date;
  updatedAt: Date;
}

const userSchema = new Schema<User>(
  {
    _id: { type: String, required: true },
    name: { type: String, default: "" },
    email: { type: String, default: "" },
    verifiedEmail: String,
    imageUrl: { type: String, default: "" },
    providerUpdatedAt: Date,
  },
  { timestamps: true },
);
userSchema.index({ verifiedEmail: 1 }, { sparse: true }); // whom a grant by e-mail is for
userSchema.index({ createdAt: -1, _id: -1 }); // the administrators' list, newest first

export const userCollection = defineCollection<User>({
  schema: userSchema,
  holds: "profile from identity events, shown beside what the user does",
  kept: "account or erasure",
  userData: {
    owner: "_id",
    section: "profile",
    row: z.object({
      _id: z.string(),
      name: optional.text,
      email: optional.text,
      verifiedEmail: z.string().nullable().optional(),
      imageUrl: optional.text,
      ...rowTimes,
    }),
    erasure: "ownStep",
  },
});

/** Fields of a buyer that a purchase keeps. */
export type Buyer = Pick<User, "_id" | "name" | "email">;

/** Public fields of a user. */
export type UserCard = Pick<User, "_id" | "name" | "imageUrl">;

/**
 * Facts of an account, even without a user record. Every identity event, every creation of a course, an API key, a
 * webhook and a question writes this document, so that such transactions conflict with one another.
 */
export interface Account {
  /** The identity provider's user id. */
  _id: string;
  /** Ordering key of the newest event that was applied to the user record, in milliseconds. */
  newestEvent?: number;
  /** Deleted at the identity provider: later events for the id have no effect, for ever. */
  deletedAt?: Date;
  /** The user has made a course, drafts too: the catalog may show the user. */
  hasCourses?: boolean;
  /** How often a change gave the user a live API key more. Each such change writes it, so that none misses another. */
  keysAdded?: number;
  /** How many webhooks the user has created. */
  webhooksAdded?: number;
  /** How many questions the user has added to the bank. */
  questionsAdded?: number;
  /** How often a question that an assessment asks has left the bank, or has lost a tag. */
  questionsRemoved?: number;
}

const accountSchema = new Schema<Account>({
  _id: { type: String, required: true },
  newestEvent: Number,
  deletedAt: Date,
  hasCourses: Boolean,
  keysAdded: Number,
  webhooksAdded: Number,
  questionsAdded: Number,
  questionsRemoved: Number,
});

export const accountCollection = defineCollection<Account>({
  schema: accountSchema,
  holds: "newest identity event and deletion of an account; every identity event writes it",
  kept: "for good",
  userData: { erasure: { keep: "orders identity events, and remembers that the account was deleted" } },
});

/** Writes an account, and creates it if there is none. @returns the account as it was before. */
export function writeAccount(
  db: Models,
  userId: string,
  update:
    | { $max: { newestEvent: number } }
    | { $set: { deletedAt: Date } }
    | { $inc: { keysAdded: 1 } | { webhooksAdded: 1 } | { questionsAdded: number } | { questionsRemoved: 1 } },
  session: ClientSession,
): Promise<Account | null> {
  const options = { session, upsert: true, returnDocument: "before" } as const;
  return nativeCollection(db.Account).findOneAndUpdate({ _id: userId }, update, options);
}

/** The mutex of transactions that write an account. */
export const accountMutex = (userId: string): string => `account:${userId}`;

/** Roles as the identity provider's metadata names them. */
export const roles = ["student", "educator", "admin"] as const;
export type Role = (typeof roles)[number];

/** The caller of a route: whom the token speaks for, and the role that it claims (the role in force may differ). */
export interface Viewer {
  readonly id: string;
  readonly claimedRole: Role;
  /** Set when a program calls with an API key of the user. */
  readonly key?: KeyUse;
}

/** The owner of the API key of a request, with the role that the key was made for. */
export type KeyViewer = Viewer & { readonly key: KeyUse };

/** Who manages something: an administrator everything, an educator their own. */
export interface Manager {
  readonly userId: string;
  readonly role: "admin" | "educator";
  readonly requestId: string;
  /** Set when a program acts with an API key. */
  readonly key?: KeyUse | undefined;
}

/** The role in force for a user. It takes precedence over the token's claim. */
export interface RoleRecord {
  /** User id. */
  _id: string;
  /** Becomes `student` when the provider clears the role, because a token from before would still claim the old role. */
  role: Role;
  /** When the identity provider or an administrator set the role. */
  writtenAt: Date;
  /** Set from an approval until the identity provider has confirmed the educator role. */
  awaitsProvider?: boolean;
  /** Time of the newest event whose role was ignored in the meantime. */
  ignoredAt?: Date;
}

const roleRecordSchema = new Schema<RoleRecord>({
  _id: { type: String, required: true },
  role: { type: String, enum: roles, required: true },
  writtenAt: { type: Date, required: true },
  awaitsProvider: Boolean,
  ignoredAt: Date,
});
roleRecordSchema.index({ role: 1 });

export const roleRecordCollection = defineCollection<RoleRecord>({
  schema: roleRecordSchema,
  holds: "role in force, and when it was written",
  kept: "until the identity provider says otherwise",
  userData: {
    owner: "_id",
    section: "roles",
    row: z.object({ role: z.string(), writtenAt: timestamp }),
    erasure: { keep: "what the account may do; the identity provider decides" },
  },
});

/** The role in force: the server's own record if there is one, else what the token claims. Never cached. */
export async function effectiveRole(db: Models, viewer: Viewer): Promise<Role> {
  const record = await nativeCollection(db.RoleRecord).findOne({ _id: viewer.id }, { projection: { role: 1 } });
  return record?.role ?? viewer.claimedRole;
}
