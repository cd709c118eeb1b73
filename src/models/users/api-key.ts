import type { ClientSession, Model, Types } from "mongoose";
import { z } from "zod";
import { timestamp } from "../../lib/fields.js";
import { defineCollection } from "../collection.js";
import { objectIdField } from "../row.js";

/** What a key may do. A route names the scope that it requires (`RouteSpec.scope`). */
export const keyScopes = [
  "courses:read",
  "learners:read",
  "learners:write",
  "certificates:read",
  "certificates:write",
  "enrollments:read",
  "enrollments:write",
  "purchases:read",
  "coupons:read",
  "coupons:write",
  "events:read",
  "webhooks:write",
] as const;
export type KeyScope = (typeof keyScopes)[number];

/** Whether a key with these scopes may do what a scope opens. A write scope includes the reads of its kind. */
export const allowsScope = (scopes: readonly KeyScope[], wanted: KeyScope): boolean =>
  scopes.some((scope) => scope === wanted || scope === wanted.replace(/:read$/, ":write"));

/** What a request with a key may do and see. */
export interface KeyUse {
  readonly id: string;
  readonly scopes: readonly KeyScope[];
  /** The only courses that the request sees; null: every course of the owner. */
  readonly courseIds: readonly Types.ObjectId[] | null;
}

/** Whether a caller may see a course. Without a key, or with a key for every course, the key forbids nothing. */
export const reachesCourse = (key: Pick<KeyUse, "courseIds"> | undefined, courseId: Types.ObjectId | string): boolean =>
  !key?.courseIds || key.courseIds.some((reached) => String(reached) === String(courseId).toLowerCase());

/** Filters the rows of the courses that a caller may see. */
export const inReach = (key: KeyUse | undefined): { courseId?: { $in: Types.ObjectId[] } } =>
  key?.courseIds ? { courseId: { $in: [...key.courseIds] } } : {};

/** Filters the rows of several courses, all of which a caller may see. */
export const allCoursesInReach = (key: KeyUse | undefined) =>
  key?.courseIds ? { courseIds: onlyAmong(key.courseIds) } : {};

/** Compares a list of ids: it has some, and all of them are among these. */
export const onlyAmong = (ids: readonly Types.ObjectId[]) => ({ $in: [...ids], ...noneBut(ids) });

/** Compares a list of ids: it is null or empty, or all of them are among these. */
export const noneBut = (ids: readonly Types.ObjectId[]) => ({ $not: { $elemMatch: { $nin: [...ids] } } });

/** Filters the courses that a caller may see. */
export const coursesInReach = (key: KeyUse | undefined): { _id?: { $in: Types.ObjectId[] } } =>
  key?.courseIds ? { _id: { $in: [...key.courseIds] } } : {};

/** A key with which a program speaks for its owner. The secret itself is stored nowhere. */
export type ApiKey = z.input<typeof apiKeyRow>;
const apiKeyRow = z.object({
  _id: objectIdField,
  name: z.string(),
  /** The public part of the secret. It never changes. */
  prefix: z.string(),
  /** SHA-256 of the whole secret, in base64. */
  secretHash: z.string(),
  /** The secret before the last rotation, and until when it works. */
  previousHash: z.string().nullable(),
  previousUntil: timestamp.nullable(),
  /** The owner's role when the key was made. The key works only while the owner has this role. */
  role: z.enum(["educator", "admin"]),
  scopes: z.array(z.enum(keyScopes)),
  /** The courses that the key may see; null: every course that its owner may see. */
  courseIds: z.array(objectIdField).nullable(),
  /** User id of the owner. */
  createdBy: z.string(),
  createdAt: timestamp,
  expiresAt: timestamp.nullable(),
  lastUsedAt: timestamp.nullable(),
  revokedAt: timestamp.nullable(),
  /** How often it created or changed a webhook. The write makes such a change conflict with the key's revocation. */
  webhookChanges: z.number().exactOptional(),
});

export const apiKeyCollection = defineCollection({
  row: apiKeyRow,
  indexes: [
    [{ prefix: 1 }, { unique: true }], // the key of a request
    [{ createdAt: -1, _id: -1 }], // the administrators' list, newest first
    [{ createdBy: 1, createdAt: -1, _id: -1 }], // an educator's list, newest first
    [{ createdBy: 1, revokedAt: 1, expiresAt: 1 }], // how many live keys an owner has
  ],
  holds: "a key for programs: the hash of its secret, its scopes and courses",
  kept: "for good; erasure",
  userData: {
    owner: "createdBy",
    section: "apiKeys",
    exported: ["name", "prefix", "role", "scopes", "createdAt", "expiresAt", "lastUsedAt", "revokedAt"],
    erasure: "delete",
  },
});

type ApiKeys = { readonly ApiKey: Model<ApiKey> };

/** Reads the key of a request. It is never cached, so that a revoked key is refused with the next request. */
export const findKeyByPrefix = (db: ApiKeys, prefix: string): Promise<ApiKey | null> =>
  db.ApiKey.findOne({ prefix }).lean<ApiKey>().exec();

/** Records that a key was used now, unless a use after `before` is recorded. */
export async function recordKeyUse(db: ApiKeys, _id: Types.ObjectId, before: Date): Promise<void> {
  const filter = { _id, lastUsedAt: { $not: { $gt: before } } };
  await db.ApiKey.updateOne(filter, { lastUsedAt: new Date() });
}

/** Counts a key's change of a webhook, in the transaction of that change. @returns whether the key is not revoked. */
export async function recordWebhookChange(db: ApiKeys, { id }: KeyUse, session: ClientSession): Promise<boolean> {
  const live = { _id: id, revokedAt: null };
  const { matchedCount } = await db.ApiKey.updateOne(live, { $inc: { webhookChanges: 1 } }, { session });
  return matchedCount > 0;
}

/** Counts the other keys of an owner that are neither revoked nor expired. */
export function countLiveKeys(
  db: ApiKeys,
  { createdBy, besides }: { createdBy: string; besides: Types.ObjectId },
  session: ClientSession,
): Promise<number> {
  const live = { createdBy, revokedAt: null, expiresAt: { $not: { $lte: new Date() } } };
  return db.ApiKey.countDocuments({ ...live, _id: { $ne: besides } })
    .session(session)
    .exec();
}

/** Ends all keys of an owner. */
export async function revokeKeysOf(db: ApiKeys, createdBy: string, session: ClientSession): Promise<void> {
  await db.ApiKey.updateMany({ createdBy, revokedAt: null }, { revokedAt: new Date() }, { session });
}
