import type { Types } from "mongoose";
import type { Db } from "../../db/db.js";
import type { OrderedList } from "../../lib/read-batches.js";
import { type Inbox, markedAt, maxReadMarks, readUpTo } from "../../models/notices/inbox.js";
import { type ListedNotice, listedFields } from "../../models/notices/notice.js";
import type { NoticeType } from "./notice-types.js";

type ReadInbox = Pick<Inbox, "unread" | "newest" | "readMarks">;

const readFields = { unread: 1, newest: 1, readMarks: 1 } as const;
const emptyInbox: ReadInbox = { unread: 0, newest: 0, readMarks: [] };

/** Reads how many notices of a user are unread, and up to which number all are read. */
export const readInbox = async (db: Db, userId: string): Promise<ReadInbox> =>
  (await db.Inbox.findById(userId, readFields).lean<ReadInbox>()) ?? emptyInbox;

/** What the owner sees of a notice. */
export const describeNotice = (
  { _id, type, title, body, link = null, createdAt, readAt, count = 1, seq }: ListedNotice,
  inbox: Pick<Inbox, "readMarks">,
) => ({
  _id,
  type: type as NoticeType,
  title,
  body: body ?? "",
  link,
  createdAt,
  readAt: readAt ?? markedAt(inbox, seq),
  count,
});
export type NoticeView = ReturnType<typeof describeNotice>;

/** Lists a user's notices, newest first. */
export function listNotices(
  db: Db,
  userId: string,
  inbox: ReadInbox,
  { isUnread }: { isUnread: boolean },
): OrderedList<ListedNotice, readonly [seq: number], NoticeView> {
  const which = isUnread ? { userId, app: true, readAt: null } : { userId, app: true };
  return {
    find(after, limit) {
      const seq = { $gt: isUnread ? readUpTo(inbox) : 0, ...(after && { $lt: after[0] }) };
      return db.Notice.find({ ...which, seq }, listedFields, { limit, batchSize: limit + 1 })
        .sort({ seq: -1 })
        .lean<ListedNotice[]>()
        .exec();
    },
    keyOf: ({ seq }) => [seq],
    describe: (rows) => rows.map((row) => describeNotice(row, inbox)),
  };
}

/**
 * Marks notices as read: some of them, or all by one mark in the inbox. Notices of others and read ones stay as they are.
 * @returns how many are unread now.
 */
export function markRead(db: Db, userId: string, ids: readonly Types.ObjectId[] | undefined): Promise<number> {
  return db.transaction(async (session) => {
    const inbox = await db.Inbox.findById(userId, readFields).session(session).lean<ReadInbox>();
    if (!inbox) return 0;
    const at = new Date();
    const own = { userId, app: true, readAt: null };
    if (ids) {
      const unread = { ...own, _id: { $in: [...ids] }, seq: { $gt: readUpTo(inbox) } };
      const { modifiedCount } = await db.Notice.updateMany(unread, { $set: { readAt: at } }, { session });
      if (modifiedCount > 0)
        await db.Inbox.updateOne({ _id: userId }, { $inc: { unread: -modifiedCount } }, { session });
      return inbox.unread - modifiedCount;
    }
    const { newest: upTo } = inbox;
    // The last request has read all. A further mark would push the time of an earlier one out.
    if (upTo <= readUpTo(inbox)) return 0;
    // A notice that is committed later has a higher number, or conflicts with this transaction over the inbox.
    const mark = { $each: [{ upTo, at }], $slice: -maxReadMarks };
    await db.Inbox.updateOne({ _id: userId }, { $set: { unread: 0 }, $push: { readMarks: mark } }, { session });
    return 0;
  });
}
