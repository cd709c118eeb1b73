import { createHash } from "node:crypto";
import type { ClientSession, Model, Types } from "mongoose";
import { z } from "zod";
import { timestamp } from "../../lib/fields.js";
import { defineCollection } from "../collection.js";
import { objectIdField, rowTimes, withDefault } from "../row.js";

/** `waiting`: no user has verified the e-mail address yet. `ended`: taken back, or over. */
export const grantStates = ["waiting", "active", "ended"] as const;

/**
 * Access to a course, or to a path, that was given, not sold. The enrollment of its learner counts it while it is active. An
 * active grant of a path has a grant of each course beside it, which ends with it.
 */
export type Grant = z.input<typeof grantRow>;
const grantRow = z.object({
  _id: objectIdField,
  /** Null in the grant of a path. */
  courseId: objectIdField.nullable(),
  /** Set in the grant of a path. Its courses, in order, are those of the moment when it became active. */
  pathId: objectIdField.exactOptional(),
  courses: z.array(objectIdField).exactOptional(),
  inOrder: z.boolean().exactOptional(),
  /** The grant of a path that this grant of a course came with. */
  pathGrantId: objectIdField.exactOptional(),
  /** Null while it waits. */
  userId: z.string().nullable(),
  /** In lower case; null when it was given to a user id. `digestOf` the address when a user who listed it was erased. */
  email: z.string().nullable(),
  state: z.enum(grantStates),
  reason: z.string(),
  /** When it became active, if it waited. */
  activeSince: timestamp.exactOptional(),
  /** Null: for good. */
  expiresAt: timestamp.nullable(),
  /** User id. */
  grantedBy: z.string(),
  ...rowTimes,
});

/** A grant of a course to a learner, alone or as part of the grant of a path. */
export type CourseGrant = Grant & { courseId: Types.ObjectId; userId: string };

/** What a grant gives: a course, or a path. It is also the filter of its grants. */
export type GrantedItem = Readonly<{ courseId: Types.ObjectId }> | Readonly<{ pathId: Types.ObjectId }>;

/** Filters the grants of courses, alone or as part of the grant of a path. */
export const grantsOfCourses = { pathId: { $exists: false } } as const;

export const grantCollection = defineCollection({
  row: grantRow,
  indexes: [
    [
      { email: 1, courseId: 1, pathId: 1 },
      { unique: true, partialFilterExpression: { state: "waiting" } },
    ],
    [{ email: 1, userId: 1 }], // those of an address that nobody has claimed
    [{ userId: 1, courseId: 1, state: 1 }], // those that an enrollment counts
    [{ state: 1, createdAt: -1, _id: -1 }], // the administrators' list, newest first
    [{ courseId: 1, state: 1, createdAt: -1, _id: -1 }], // the same of one course
    [{ pathId: 1, state: 1, createdAt: -1, _id: -1 }], // the same of one path
    [{ pathGrantId: 1 }, { sparse: true }], // those that end with the grant of a path
    [{ state: 1, expiresAt: 1 }], // the job that ends them
  ],
  holds: "access that was given, not sold",
  kept: "for good; erasure takes user, address and reason out",
  userData: {
    owner: "userId",
    section: "grants",
    exported: ["courseId", "pathId", "state", "email", "reason", "expiresAt", "createdAt", "updatedAt"],
    erasure: "ownStep",
  },
});

/** Removes the index of version 1.0, by which an address had one waiting grant without a course. */
export async function dropFormerGrantKey({ Grant }: { readonly Grant: Model<Grant> }): Promise<void> {
  const formerKey = "email_1_courseId_1";
  const indexes = await Grant.collection.indexes();
  if (indexes.some(({ name }) => name === formerKey)) await Grant.collection.dropIndex(formerKey);
}

/**
 * Takes the place of an address in waiting grants after the erasure of a user who listed the address without having
 * verified it. The grants still reach whoever verifies the address.
 */
export const digestOf = (email: string): string => `sha256:${createHash("sha256").update(email).digest("hex")}`;

/** Whether a grant holds the digest of its address. */
export const isDigest = (email: string): boolean => email.startsWith("sha256:");

/**
 * Serializes the grants to an e-mail address: every new waiting grant and every user who has verified the address write
 * this document, so that neither overlooks the other.
 */
export type EmailLock = z.input<typeof emailLockRow>;
const emailLockRow = z.object({
  /** E-mail address in lower case. */
  _id: z.string(),
  revision: withDefault(z.number(), 0),
  expiresAt: timestamp,
  /** When the job activates further waiting grants; absent when a user has all grants to the address, or there is none. */
  nextActivationAt: timestamp.exactOptional(),
});

/** How long an address is kept after its last transaction. While the job has to activate grants it is kept for good. */
const emailLockLifeMs = 60 * 60_000;
const forGood = new Date("9999-12-31");

export const emailLockCollection = defineCollection({
  row: emailLockRow,
  indexes: [
    [{ nextActivationAt: 1 }, { sparse: true }], // what the job has to do
    [{ expiresAt: 1 }, { expireAfterSeconds: 0 }],
  ],
  holds: "an e-mail address for which grants wait, or that has been looked for",
  kept: "an hour, or erasure",
  userData: { erasure: "ownStep" },
});

type Grants = { readonly EmailLock: Model<EmailLock>; readonly Grant: Model<Grant> };

/**
 * Ends the waiting grants of these addresses and items whose time is over, which would be in the way of new ones. The
 * job that ends grants comes when an enrollment is over.
 */
export async function endOverdueGrants(
  db: Grants,
  emails: readonly string[],
  ofItems: GrantedItem | { courseId: { $in: string[] } },
  session: ClientSession,
): Promise<void> {
  const overdue = { state: "waiting" as const, expiresAt: { $lte: new Date() } };
  const wanted = { email: { $in: [...emails] }, ...ofItems, ...overdue };
  await db.Grant.updateMany(wanted, { $set: { state: "ended" } }, { session });
}

export async function lockEmails(db: Grants, emails: readonly string[], session: ClientSession): Promise<void> {
  if (emails.length === 0) return;
  const update = { $inc: { revision: 1 }, $max: { expiresAt: new Date(Date.now() + emailLockLifeMs) } };
  const updates = emails.map((_id) => ({ updateOne: { filter: { _id }, update, upsert: true } }));
  await db.EmailLock.bulkWrite(updates, { session });
}

/** Stores whether the job has grants to an address to activate. */
export async function setActivationDue(
  db: Grants,
  email: string,
  isDue: boolean,
  session: ClientSession,
): Promise<void> {
  const now = new Date();
  const expiresAt = isDue ? forGood : new Date(now.getTime() + emailLockLifeMs);
  await db.EmailLock.updateOne(
    { _id: email },
    {
      $inc: { revision: 1 },
      $set: { expiresAt, ...(isDue ? { nextActivationAt: now } : {}) },
      ...(isDue ? {} : { $unset: { nextActivationAt: 1 } }),
    },
    { session, upsert: true },
  );
}
