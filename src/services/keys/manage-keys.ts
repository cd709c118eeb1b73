import { type ClientSession, Types } from "mongoose";
import type { Db } from "../../db/db.js";
import { insertOnce } from "../../db/insert-once.js";
import { newestFirst } from "../../db/ordered-list.js";
import { BrokenRule, failure, requireAccepted, Unauthenticated } from "../../lib/errors.js";
import { type ApiKey, countLiveKeys, type KeyScope, keyScopes } from "../../models/users/api-key.js";
import { type Manager, type Viewer, writeAccount } from "../../models/users/user.js";
import { audited } from "../audit/record-audit.js";
import { findManagedCourseIds, visibleTo } from "../courses/managed-course.js";
import { createKeySecret, hashOf, secretOf } from "./find-key.js";

export const ApiKeyNotFound = failure("api_key_not_found", 404, "API key not found");
export const TooManyApiKeys = failure("too_many_api_keys", 409, "Too many API keys");

const maxLiveKeys = 50;

/** Scopes that an educator's key cannot have. */
const adminScopes = new Set<KeyScope>(["purchases:read"]);

export interface KeyFields {
  readonly name: string;
  readonly scopes: readonly KeyScope[];
  readonly courseIds?: readonly string[] | null | undefined;
  readonly expiresAt?: Date | null | undefined;
}
export type KeyChanges = { readonly [K in keyof KeyFields]?: KeyFields[K] | undefined };

/**
 * Creates a key.
 * @returns the key, and its secret, which is stored nowhere.
 * @throws InvalidRequest (a scope that the role cannot have, an unusable course, a date in the past), TooManyApiKeys.
 */
export async function createKey(
  db: Db,
  { name, ...fields }: KeyFields,
  manager: Manager & { readonly isProduction: boolean },
): Promise<{ apiKey: ApiKey; secret: string }> {
  const { userId, role } = manager;
  const {
    scopes = [],
    courseIds = null,
    expiresAt = null,
  } = await usableFields(db, fields, { createdBy: userId, role });
  const { prefix, secret } = createKeySecret(manager.isProduction);
  const apiKey: ApiKey = {
    _id: new Types.ObjectId(),
    name,
    prefix,
    secretHash: hashOf(secret),
    previousHash: null,
    previousUntil: null,
    role,
    scopes,
    courseIds,
    createdBy: userId,
    createdAt: new Date(),
    expiresAt,
    lastUsedAt: null,
    revokedAt: null,
  };
  await insertOnce(db, db.ApiKey, apiKey, { mutex: `account:${userId}` }, async (session) => {
    await makeRoom(db, apiKey, session);
    await db.ApiKey.create([apiKey], { session });
    const after = { scopes, courseIds, expiresAt };
    await audited(db, session, manager, "api_key.create", ["apiKey", apiKey._id], { after });
  });
  return { apiKey, secret };
}

/**
 * Changes a key that the manager made in the present role.
 * @throws ApiKeyNotFound, InvalidRequest, TooManyApiKeys (it had expired).
 */
export function changeKey(db: Db, keyId: string, changes: KeyChanges, manager: Manager): Promise<ApiKey> {
  return db.transaction(
    async (session) => {
      const filter = { _id: keyId, createdBy: manager.userId, role: manager.role, revokedAt: null };
      const key = await db.ApiKey.findOne(filter).session(session).lean<ApiKey>();
      if (!key) throw ApiKeyNotFound();
      const set = await usableFields(db, changes, key, session);
      // It may have expired, or expire before this commits, and then it is one live key more.
      if (key.expiresAt && set.expiresAt !== undefined) await makeRoom(db, key, session);
      await db.ApiKey.updateOne({ _id: key._id }, { $set: set }, { session });
      const { scopes, courseIds, expiresAt } = key;
      const states = { before: { scopes, courseIds, expiresAt }, after: set };
      await audited(db, session, manager, "api_key.change", ["apiKey", key._id], states);
      return { ...key, ...set };
    },
    { mutex: `account:${manager.userId}` },
  );
}

/**
 * Gives a key another secret; its prefix stays. @param overlapHours how long the present secret still works.
 * @throws ApiKeyNotFound.
 */
export async function rotateKey(
  db: Db,
  keyId: string,
  overlapHours: number,
  manager: Manager,
): Promise<{ apiKey: ApiKey; secret: string }> {
  const known = await db.ApiKey.findOne({ _id: keyId, ...visibleTo(manager) }, { prefix: 1 }).lean<ApiKey>();
  if (!known) throw ApiKeyNotFound();
  const secret = secretOf(known.prefix);
  const secretHash = hashOf(secret);
  const apiKey = await db.transaction(async (session) => {
    const key = await db.ApiKey.findOne({ _id: known._id, revokedAt: null }).session(session).lean<ApiKey>();
    if (!key) throw ApiKeyNotFound();
    // A repeat after a commit whose result was lost must not forget the secret before.
    if (key.secretHash === secretHash) return key;
    const overlaps = overlapHours > 0;
    const set = {
      secretHash,
      previousHash: overlaps ? key.secretHash : null,
      previousUntil: overlaps ? new Date(Date.now() + overlapHours * 3_600_000) : null,
    };
    await db.ApiKey.updateOne({ _id: key._id }, { $set: set }, { session });
    await audited(db, session, manager, "api_key.rotate", ["apiKey", key._id], { after: { overlapHours } });
    return { ...key, ...set };
  });
  return { apiKey, secret };
}

/** Ends a key for good and switches off the webhooks that it made. A repetition has no effect. @throws ApiKeyNotFound. */
export function revokeKey(db: Db, keyId: string, manager: Manager): Promise<void> {
  return db.transaction(async (session) => {
    const revokedAt = new Date();
    const own = { _id: keyId, ...visibleTo(manager) };
    const key = await db.ApiKey.findOneAndUpdate(
      { ...own, revokedAt: null },
      { $set: { revokedAt } },
      { session },
    ).lean();
    if (key) {
      const made = { createdBy: key.createdBy, keyId: key._id, active: true };
      const { modifiedCount } = await db.Webhook.updateMany(made, { $set: { active: false } }, { session });
      const after = { revokedAt, ...(modifiedCount > 0 && { webhooksSwitchedOff: modifiedCount }) };
      return audited(db, session, manager, "api_key.revoke", ["apiKey", key._id], { after });
    }
    if (!(await db.ApiKey.exists(own).session(session))) throw ApiKeyNotFound();
  });
}

/** Reads the key of a request. @throws Unauthenticated when an erasure has removed it meanwhile. */
export async function findKey(db: Db, { key }: Viewer): Promise<ApiKey> {
  const found = key && (await db.ApiKey.findById(key.id).lean<ApiKey>());
  if (!found) throw Unauthenticated();
  return found;
}

/** Reads the keys that a manager sees, newest first. */
export function listKeys(db: Db, manager: Pick<Manager, "userId" | "role">) {
  return newestFirst(db.ApiKey, { filter: visibleTo(manager) });
}

/**
 * Makes room for a live key beside the owner's others. Every such transaction writes the owner's account, so that two of
 * them never count side by side, and none overlaps a deletion of the account. @throws TooManyApiKeys.
 */
async function makeRoom(db: Db, { _id, createdBy }: ApiKey, session: ClientSession): Promise<void> {
  const account = await writeAccount(db, createdBy, { $inc: { keysAdded: 1 } }, session);
  // A session token outlives its account for a minute.
  if (account?.deletedAt) throw Unauthenticated();
  if ((await countLiveKeys(db, { createdBy, besides: _id }, session)) >= maxLiveKeys) throw TooManyApiKeys();
}

/** The fields of a key that are stored, from those that were sent. @throws InvalidRequest. */
async function usableFields(
  db: Db,
  { name, scopes, courseIds, expiresAt }: KeyChanges,
  owner: Pick<ApiKey, "createdBy" | "role">,
  session: ClientSession | null = null,
): Promise<Partial<Pick<ApiKey, "name" | "scopes" | "courseIds" | "expiresAt">>> {
  const accepted = keyScopes.filter((scope) => owner.role === "admin" || !adminScopes.has(scope));
  if (scopes) requireAccepted("body.scopes", scopes, accepted);
  if (expiresAt && expiresAt.getTime() <= Date.now()) throw BrokenRule("body.expiresAt: must be in the future");
  const { createdBy: userId, role } = owner;
  const usableIds = courseIds && (await findManagedCourseIds(db, courseIds, { userId, role }, session));
  if (courseIds && !usableIds) throw BrokenRule("body.courseIds: not a course of the owner");
  return {
    ...(name !== undefined && { name }),
    ...(scopes && { scopes: [...new Set(scopes)] }),
    ...(courseIds !== undefined && { courseIds: usableIds ?? null }),
    ...(expiresAt !== undefined && { expiresAt }),
  };
}
