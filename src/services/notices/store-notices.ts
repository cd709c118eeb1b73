import { type ClientSession, Types } from "mongoose";
import type { Db } from "../../db/db.js";
import { distinct } from "../../lib/distinct.js";
import { type Inbox, markedAt } from "../../models/notices/inbox.js";
import { type Mail, newMail } from "../../models/notices/mail.js";
import { type Notice, reserveNoticeNumbers } from "../../models/notices/notice.js";
import { isPseudonym } from "../privacy/pseudonym.js";
import { findLeavers } from "../users/find-leavers.js";
import { noticeTypes } from "./notice-types.js";
import { channelsOf } from "./preferences.js";
import type { PlannedNotice } from "./sources/source.js";

const keyOf = ({ type, cause, userId }: PlannedNotice): string => `${type}:${cause}:${userId}`;

type KnownNotice = Pick<Notice, "_id" | "key" | "seq" | "app" | "count" | "readAt">;
type OwnInbox = Pick<Inbox, "_id" | "preferences" | "readMarks">;

/**
 * Stores planned notices and their mails as their users want them; deleted and erased users get none. A notice that exists
 * is raised when it collapses more causes than before: it has the newest text, is the newest of its user, and unread.
 * The counter of numbers is written behind all reads, and the numbers of unread notices last, because others write them too.
 * @returns how many notices were made or raised, and whether mails were stored.
 */
export async function storeNotices(
  db: Db,
  planned: readonly PlannedNotice[],
  session: ClientSession,
): Promise<{ notices: number; mails: boolean }> {
  const none = { notices: 0, mails: false };
  if (planned.length === 0) return none;
  const leavers = await findLeavers(db, distinct(planned.map(({ userId }) => userId)), session);
  const remaining = planned.filter(({ userId }) => !isPseudonym(userId) && !leavers.has(userId));
  const byKey = new Map(remaining.map((notice) => [keyOf(notice), notice]));
  if (byKey.size === 0) return none;
  const userIds = distinct([...byKey.values()].map(({ userId }) => userId));
  const inboxes = await db.Inbox.find({ _id: { $in: userIds } }, { preferences: 1, readMarks: 1 })
    .session(session)
    .lean<OwnInbox[]>();
  const inboxOf = new Map(inboxes.map((inbox) => [inbox._id, inbox]));
  const fields = { key: 1, seq: 1, app: 1, count: 1, readAt: 1 };
  const keys = [...byKey].flatMap(([key, { isNew }]) => (isNew ? [] : [key]));
  const known =
    keys.length > 0
      ? await db.Notice.find({ key: { $in: keys } }, fields)
          .session(session)
          .lean<KnownNotice[]>()
      : [];
  const knownOf = new Map(known.map((notice) => [notice.key, notice]));

  const now = new Date();
  let seq = await reserveNoticeNumbers(db, byKey.size, session);
  const [made, raised, mails]: [Notice[], object[], Mail[]] = [[], [], []];
  const unread = new Map<string, number>();
  const addUnread = (userId: string, count: 0 | 1) => unread.set(userId, (unread.get(userId) ?? 0) + count);
  for (const [key, { type, userId, ownerId = userId, cause, isNew: _, isAdded, count: given = 1, ...text }] of byKey) {
    const inbox = inboxOf.get(userId);
    const channels = channelsOf(type, inbox?.preferences);
    const before = knownOf.get(key);
    const count = given + (isAdded ? (before?.count ?? 0) : 0);
    if (before) {
      if (count <= before.count || !before.app || !channels.app) continue;
      const update = { $set: { ...text, count, seq, readAt: null } };
      raised.push({ updateOne: { filter: { _id: before._id }, update } });
      addUnread(userId, before.readAt || (inbox && markedAt(inbox, before.seq)) ? 1 : 0);
    } else {
      if (!channels.app && !channels.mail) continue;
      const notice = { _id: new Types.ObjectId(), userId, type, key, seq, count, ...text, ...channels };
      made.push({ ...notice, createdAt: now, readAt: null });
      if (channels.app) addUnread(userId, 1);
      if (channels.mail && noticeTypes[type].mail.when !== "digest") {
        mails.push(newMail({ _id: notice._id, userId, ownerId, type, cause, ...text }, now));
      }
    }
    seq += 1;
  }
  if (made.length > 0) await db.Notice.insertMany(made, { session, lean: true });
  if (raised.length > 0) await db.Notice.bulkWrite(raised as Parameters<typeof db.Notice.bulkWrite>[0], { session });
  if (mails.length > 0) await db.Mail.insertMany(mails, { session, lean: true });
  await countUnread(db, unread, { inboxOf, newest: seq - 1 }, session);
  return { notices: made.length + raised.length, mails: mails.length > 0 };
}

/** Raises the numbers of unread notices and the newest number, by one command for the users with the same number. */
async function countUnread(
  db: Db,
  unread: ReadonlyMap<string, number>,
  { inboxOf, newest }: { readonly inboxOf: ReadonlyMap<string, OwnInbox>; readonly newest: number },
  session: ClientSession,
): Promise<void> {
  const missing = [...unread].filter(([userId]) => !inboxOf.has(userId));
  const rows = missing.map(([_id, count]) => ({ _id, unread: count, newest, readMarks: [] }));
  if (rows.length > 0) await db.Inbox.insertMany(rows, { session, lean: true });
  for (const count of new Set(unread.values())) {
    const _id = { $in: [...unread].flatMap(([userId, own]) => (own === count && inboxOf.has(userId) ? [userId] : [])) };
    const change = { $inc: { unread: count }, $max: { newest } };
    if (_id.$in.length > 0) await db.Inbox.updateMany({ _id }, change, { session });
  }
}
