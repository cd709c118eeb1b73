import type { ClientSession, Model } from "mongoose";
import { z } from "zod";
import { emailKey } from "../../lib/email-address.js";
import { timestamp } from "../../lib/fields.js";
import { defineCollection } from "../collection.js";
import { nativeCollection } from "../native-collection.js";
import { rowTimes, withDefault } from "../row.js";
import type { KeyUse } from "./api-key.js";

/** A user's profile, as the identity provider's webhook reported it. Nothing else creates one. */
export type User = z.input<typeof userRow>;
const userRow = z.object({
  /** The identity provider's user id. */
  _id: z.string(),
  name: withDefault(z.string(), ""),
  /** The first address of the account, whether or not it is verified. */
  email: withDefault(z.string(), ""),
  /** The primary address in the form of `emailKey`, while the identity provider calls it verified. Absent otherwise. */
  verifiedEmail: z.string().exactOptional(),
  imageUrl: withDefault(z.string(), ""),
  /** When the identity provider changed the profile, by its newest event. */
  providerUpdatedAt: timestamp.exactOptional(),
  ...rowTimes,
});

export const userCollection = defineCollection({
  row: userRow,
  indexes: [
    [{ verifiedEmail: 1 }, { sparse: true }], // whom a grant by e-mail is for
    [{ createdAt: -1, _id: -1 }], // the administrators' list, newest first
  ],
  holds: "profile from identity events, shown beside what the user does",
  kept: "account or erasure",
  userData: {
    owner: "_id",
    section: "profile",
    exported: ["_id", "name", "email", "verifiedEmail", "imageUrl", "createdAt", "updatedAt"],
    exportedAs: { verifiedEmail: z.string().nullable().optional() },
    erasure: "ownStep",
  },
});

/** Fields of a buyer that a purchase keeps. */
export type Buyer = Pick<User, "_id" | "name" | "email">;

interface Addresses {
  readonly email?: string;
  readonly verifiedEmail?: string;
}

/**
 * The address that a user's mail goes to: the verified primary one, as the profile spells it if it is the first one too.
 * Empty when the user has none.
 */
export const mailAddressOf = ({ email = "", verifiedEmail = "" }: Addresses): string =>
  emailKey(email) === verifiedEmail ? email : verifiedEmail;

/** The fields from which `buyerOf` reads. */
export const buyerFields = { name: 1, email: 1, verifiedEmail: 1 } as const;

/** How invoices name a user. */
export const buyerOf = (user: Buyer & Addresses): Buyer => ({
  _id: user._id,
  name: user.name,
  email: mailAddressOf(user) || user.email,
});

/** Public fields of a user. */
export type UserCard = Pick<User, "_id" | "name" | "imageUrl">;

/**
 * Facts of an account, even without a user record. Every identity event, every creation of a course, a path, an API
 * key, a webhook, an announcement and a question writes this document, so that such transactions conflict with one another.
 */
export type Account = z.input<typeof accountRow>;
const accountRow = z.object({
  /** The identity provider's user id. */
  _id: z.string(),
  /** Ordering key of the newest event that was applied to the user record, in milliseconds. */
  newestEvent: z.number().exactOptional(),
  /** Deleted at the identity provider: later events for the id have no effect, for ever. */
  deletedAt: timestamp.exactOptional(),
  /** The user has made a course, drafts too: the catalog may show the user. */
  hasCourses: z.boolean().exactOptional(),
  /** How often a change gave the user a live API key more. Each such change writes it, so that none misses another. */
  keysAdded: z.number().exactOptional(),
  /** How many webhooks the user has created. */
  webhooksAdded: z.number().exactOptional(),
  /** How many announcements the user has made. */
  announcementsMade: z.number().exactOptional(),
  /** How many paths the user has added. */
  pathsAdded: z.number().exactOptional(),
  /** How many questions the user has added to the bank. */
  questionsAdded: z.number().exactOptional(),
  /** How often a question that an assessment asks has left the bank, or has lost a tag. */
  questionsRemoved: z.number().exactOptional(),
});

export const accountCollection = defineCollection({
  row: accountRow,
  holds: "newest identity event and deletion of an account; every identity event writes it",
  kept: "for good",
  userData: { erasure: { keep: "orders identity events, and remembers that the account was deleted" } },
});

type Accounts = { readonly Account: Model<Account>; readonly RoleRecord: Model<RoleRecord> };

/** Writes an account, and creates it if there is none. @returns the account as it was before. */
export function writeAccount(
  db: Accounts,
  userId: string,
  update:
    | { $max: { newestEvent: number } }
    | { $set: { deletedAt: Date } }
    | {
        $inc:
          | { keysAdded: 1 }
          | { webhooksAdded: 1 }
          | { announcementsMade: 1 }
          | { pathsAdded: 1 }
          | { questionsAdded: number }
          | { questionsRemoved: 1 };
      },
  session: ClientSession,
): Promise<Account | null> {
  const options = { session, upsert: true, returnDocument: "before" } as const;
  return db.Account.findOneAndUpdate({ _id: userId }, update, options).lean<Account>().exec();
}

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
export type RoleRecord = z.input<typeof roleRecordRow>;
const roleRecordRow = z.object({
  /** User id. */
  _id: z.string(),
  /** Becomes `student` when the provider clears the role, because a token from before would still claim the old role. */
  role: z.enum(roles),
  /** When the identity provider or an administrator set the role. */
  writtenAt: timestamp,
  /** Set from an approval until the identity provider has confirmed the educator role. */
  awaitsProvider: z.boolean().exactOptional(),
  /** Time of the newest event whose role was ignored in the meantime. */
  ignoredAt: timestamp.exactOptional(),
});

export const roleRecordCollection = defineCollection({
  row: roleRecordRow,
  indexes: [[{ role: 1 }]],
  holds: "role in force, and when it was written",
  kept: "until the identity provider says otherwise",
  userData: {
    owner: "_id",
    section: "roles",
    exported: ["role", "writtenAt"],
    erasure: { keep: "what the account may do; the identity provider decides" },
  },
});

/**
 * The role in force: the server's own record if there is one, else what the token claims. Never cached. It is a native
 * query, because nearly every request sends it and Mongoose takes 1.5 × the CPU (decision 8).
 */
export async function effectiveRole(db: Accounts, viewer: Viewer): Promise<Role> {
  const record = await nativeCollection(db.RoleRecord).findOne({ _id: viewer.id }, { projection: { role: 1 } });
  return record?.role ?? viewer.claimedRole;
}
