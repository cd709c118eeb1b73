import type { ClientSession } from "mongoose";
import type { Db } from "../../db/db.js";
import { withLease } from "../../db/lease.js";
import type { Deps } from "../../deps.js";
import { type UserOwnedCollection, userOwnedCollections } from "../../models/index.js";
import { rowsOf } from "../../models/user-owned-rows.js";
import type { Erasure } from "../../models/users/erasure.js";
import { anonymiseAudit, audited, theSystem } from "../audit/record-audit.js";
import { leaveGroup, listJoinedGroups } from "../community/groups.js";
import { eraseEvents } from "../events/count-events.js";
import { recordEvent } from "../events/record-event.js";
import { removeProfile } from "../users/apply-identity-event.js";
import { eraseAddresses, findAddresses } from "./erase-addresses.js";
import { eraseCertificates } from "./erase-certificates.js";
import { eraseFromCourses } from "./erase-courses.js";
import { eraseFromPaths } from "./erase-paths.js";
import { createPseudonym } from "./pseudonym.js";

type ErasureDeps = Pick<Deps, "db" | "storage" | "config">;

/**
 * Pause between the two passes of an erasure. A request that read the profile before the first pass may write the name
 * after it. The pause is longer than such a request can take (40 s: a batch of an import, twice), and than a session
 * token stays valid (60 s).
 */
export const secondPassAfterMs = 2 * 60_000;

/** How long the first step may take, in milliseconds: an address may be in very many rows of imports. */
const addressesMs = 20_000;

/** `erased`: the first pass has erased what was stored; the second one is planned. `done`: nothing is left to do. */
type ErasureProgress = "erased" | "done";

/**
 * Erases the data of a user who has requested it, as the models declare (`userData`). Each step may be repeated, and finds
 * the rows that are left.
 *
 *   1. The profile goes first, because nothing new can be bought or written without it. Rows by address go with it.
 *   2. Purchases, grants, enrollments and ratings get a random id, path by path and course by course.
 *   3. An application that was not approved is deleted; of an approved one the state remains.
 *   4. Groups are left, and counted without the user.
 *   5. All other rows are deleted or get a random id.
 *   6. Certificates, whose files are at another provider, come last, because it may be unavailable.
 *   7. The first pass plans the second pass, which does all of it again and then removes the request. A user who came back
 *      since the profile was removed has a new profile and is left alone.
 * @returns undefined while another instance works on it, or when the user has requested it anew.
 */
export async function eraseUserData(
  deps: ErasureDeps,
  userId: string,
  signal: AbortSignal,
): Promise<ErasureProgress | undefined> {
  const work = async (lost: AbortSignal): Promise<ErasureProgress | undefined> => {
    const erasure = await deps.db.Erasure.findById(userId).lean<Erasure>();
    if (!erasure) return "done";
    if (erasure.erasedAt && erasure.nextAttemptAt.getTime() > Date.now()) return "erased";
    const cameBack = erasure.isProfileRemoved && (await deps.db.User.exists({ _id: userId })) !== null;
    await erase(deps, erasure, { cameBack, signal: AbortSignal.any([lost, signal]) });
    return erasure.erasedAt ? finish(deps, erasure) : planSecondPass(deps, erasure);
  };
  return withLease(deps.db, `erasure:${userId}`, work, { ttlMs: 15_000 });
}

/** @param options `cameBack`: the user has a new profile, so that only the certificates are left to erase. */
async function erase(
  deps: ErasureDeps,
  erasure: Erasure,
  { cameBack = false, signal }: { cameBack: boolean | undefined; signal: AbortSignal },
): Promise<void> {
  const { db } = deps;
  const { _id: userId, keepCertificates, requestedAt } = erasure;
  if (cameBack) {
    if (!erasure.erasedAt) await eraseCertificates(deps, userId, { keep: keepCertificates, signal });
    return;
  }
  // 1. An event that is older than the request does not bring the profile back.
  const newestEvent = requestedAt.getTime();
  await db.transaction(
    async (session) => {
      const found = await findAddresses(db, userId, session);
      const addresses = [...new Set([...erasure.addresses, ...found.addresses])];
      const ownAddresses = [...new Set([...erasure.ownAddresses, ...found.ownAddresses])];
      const known = { addresses: { $each: addresses }, ownAddresses: { $each: ownAddresses } };
      const removed = { $addToSet: known, $set: { isProfileRemoved: true } };
      await db.Erasure.updateOne({ _id: userId }, removed, { session });
      await removeProfile(db, session, userId, { $max: { newestEvent } });
      await eraseAddresses(db, { addresses, ownAddresses }, session);
    },
    { deadlineMs: addressesMs },
  );
  // 2.
  await eraseFromPaths(deps, userId, signal);
  await eraseFromCourses(deps, userId, signal);
  // 3.
  await eraseApplication(deps, userId);
  // 4.
  for (const groupId of await listJoinedGroups(db, userId)) {
    signal.throwIfAborted();
    await leaveGroup(db, userId, groupId);
  }
  // 5.
  await eraseEvents(db, userId, signal);
  await eraseRows(db, userId, signal);
  // The learners' mails about an educator's announcements stay.
  await db.Mail.updateMany({ ownerId: userId }, { $unset: { ownerId: 1 } }, { timestamps: false });
  // 6.
  await eraseCertificates(deps, userId, { keep: keepCertificates, signal });
}

/** 7. of the first pass. */
async function planSecondPass(
  { db }: ErasureDeps,
  { _id, requestedAt }: Erasure,
): Promise<ErasureProgress | undefined> {
  const erasedAt = new Date();
  const due = new Date(erasedAt.getTime() + secondPassAfterMs);
  const planned = { erasedAt, nextAttemptAt: due, dueSince: due, attempts: 0 };
  const isPlanned = await db.transaction(async (session) => {
    const { matchedCount } = await db.Erasure.updateOne({ _id, requestedAt }, { $set: planned }, { session });
    if (matchedCount > 0) await recordEvent(db, session, "user.erased", { userId: _id });
    return matchedCount > 0;
  });
  if (!isPlanned) return undefined;
  db.jobWakeups.emit("Erasure");
  return "erased";
}

/** 7. of the second pass. */
function finish({ db }: ErasureDeps, { _id, requestedAt }: Erasure): Promise<ErasureProgress | undefined> {
  return db.transaction(async (session) => {
    const { deletedCount } = await db.Erasure.deleteOne({ _id, requestedAt }, { session });
    if (deletedCount === 0) return undefined;
    await audited(db, session, theSystem, "user.erase.done", ["user", _id]);
    return "done";
  });
}

/** The state of an approved application stays, because it belongs to the role that it gave. */
function eraseApplication({ db }: ErasureDeps, userId: string): Promise<void> {
  return db.transaction(async (session) => {
    const application = await db.EducatorApplication.findOne({ userId }, { status: 1 }).session(session).lean();
    if (!application) return;
    const { _id, status } = application;
    await anonymiseAudit(db, { targetKind: "application", targetIds: [String(_id)] }, undefined, session);
    if (status === "pending" || status === "rejected") {
      await db.EducatorApplication.deleteOne({ _id }, { session });
      return;
    }
    const nothing = { professionalTitle: "", bio: "", expertise: [], linkedinUrl: "", rejectionReason: "" };
    await db.EducatorApplication.updateOne({ _id }, { $set: nothing }, { session });
  });
}

/** Rows that one command changes. */
const batchSize = 500;

/** Deletes or anonymises the rows that need no step of their own, in batches. A repetition finds what is left. */
async function eraseRows(db: Db, userId: string, signal: AbortSignal): Promise<void> {
  for (const collection of userOwnedCollections) {
    do signal.throwIfAborted();
    while (await eraseBatch(db, collection, userId));
  }
}

/** @returns whether there may be more rows of the user. */
async function eraseBatch(db: Db, collection: UserOwnedCollection, userId: string): Promise<boolean> {
  const { erasure, owner } = collection;
  if (erasure === "ownStep" || (erasure !== "delete" && "keep" in erasure)) return false;
  const rows = rowsOf(db, collection);
  const found = await rows
    .find({ [owner]: userId }, { _id: 1 })
    .limit(batchSize)
    .lean();
  if (found.length === 0) return false;
  const own = { _id: { $in: found.map(({ _id }) => _id) }, [owner]: userId };
  if (erasure === "delete") await rows.deleteMany(own);
  // A user has one row for each target, so that one pseudonym for a batch keeps unique keys unique.
  else
    await rows.updateMany(own, { $set: { ...erasure.anonymise, [owner]: createPseudonym() } }, { timestamps: false });
  return found.length === batchSize;
}

interface ErasureRequest {
  userId: string;
  keepCertificates: boolean;
  /** Who asks: the user, or `system` when the identity provider has deleted the account. */
  actorId: string;
  requestId?: string | undefined;
}

/**
 * Stores the request to erase a user's data, which a job fulfils if this process dies. The newest request decides about
 * certificates. Call it before the profile is removed, because the profile holds the user's e-mail addresses.
 */
export async function requestErasure(
  db: Db,
  session: ClientSession,
  { userId, keepCertificates, actorId, requestId }: ErasureRequest,
): Promise<void> {
  const now = new Date();
  const { addresses, ownAddresses } = await findAddresses(db, userId, session);
  const asked = { keepCertificates, requestedAt: now, attempts: 0, nextAttemptAt: now, dueSince: now };
  const known = { addresses: { $each: addresses }, ownAddresses: { $each: ownAddresses } };
  const update = { $set: asked, $unset: { erasedAt: 1, isProfileRemoved: 1 }, $addToSet: known } as const;
  await db.Erasure.updateOne({ _id: userId }, update, { session, upsert: true });
  const actor = { userId: actorId, requestId };
  await audited(db, session, actor, "user.erase.request", ["user", userId], { after: { keepCertificates } });
}

/** `requestErasure` in a transaction of its own. */
export const askForErasure = (db: Db, request: ErasureRequest): Promise<void> =>
  db.transaction((session) => requestErasure(db, session, request));
