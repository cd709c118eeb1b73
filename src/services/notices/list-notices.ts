import type { Types } from "mongoose";
import type { Db } from "../../db/db.js";
import type { OrderedList } from "../../lib/read-batches.js";
import { type Inbox, markedAt, maxReadMarks, readUpTo } from "../../models/notices/inbox.js";
import { type ListedNotice, listedFields } from "../../models/notices/notice.js";
import type { NoticeType } from "./notice-types.js";

type ReadInbox = Pick<Inbox, "unread" | "readMarks">;

const emptyInbox: ReadInbox = { unread: 0, readMarks: [] };

/** Reads how many notices of a user are unread, and up to which number all are read. */
export const readInbox = async (db: Db, userId: string): Promise<ReadInbox> =>
  (await db.Inbox.findById(userId, { unread: 1, readMarks: 1 }).lean<ReadInbox>()) ?? emptyInbox;

/** What the owner sees of a notice. */
export const describeNotice = (notice: ListedNotice, inbox: Pick<Inbox, "readMarks">) => ({
  ...notice,
  type: notice.type as NoticeType,
  readAt: notice.readAt ?? markedAt(inbox, notice.seq),
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
    const inbox = await db.Inbox.findById(userId, { unread: 1, readMarks: 1 }).session(session).lean<ReadInbox>();
    if (!inbox || inbox.unread === 0) return 0;
    const at = new Date();
    const own = { userId, app: true, readAt: null };
    if (ids) {
      const unread = { ...own, _id: { $in: [...ids] }, seq: { $gt: readUpTo(inbox) } };
      const { modifiedCount } = await db.Notice.updateMany(unread, { $set: { readAt: at } }, { session });
      if (modifiedCount > 0)
        await db.Inbox.updateOne({ _id: userId }, { $inc: { unread: -modifiedCount } }, { session });
      return inbox.unread - modifiedCount;
    }
    // A notice that is committed later has a higher number, or conflicts with this transaction over the inbox.
    const newest = await db.Notice.findOne({ userId, app: true }, { seq: 1 }).sort({ seq: -1 }).session(session).lean();
    const mark = { $each: [{ upTo: newest?.seq ?? 0, at }], $slice: -maxReadMarks };
    await db.Inbox.updateOne({ _id: userId }, { $set: { unread: 0 }, $push: { readMarks: mark } }, { session });
    return 0;
  });
}
