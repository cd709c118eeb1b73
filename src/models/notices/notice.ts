import type { ClientSession, Model, Types } from "mongoose";
import { z } from "zod";
import { timestamp } from "../../lib/fields.js";
import { defineCollection } from "../collection.js";
import { objectIdField, withDefault } from "../row.js";

/** Reports to a user what has happened. The notice holds no name of another user, who may be erased. */
export type Notice = z.input<typeof noticeRow>;
const noticeRow = z.object({
  _id: objectIdField,
  userId: z.string(),
  /** A key of `noticeTypes`. */
  type: z.string(),
  /** Type, cause and user: a cause gives a user one notice. */
  key: z.string(),
  /** Place in the list of all notices. Later commits have higher numbers; numbers have gaps. */
  seq: z.number(),
  title: z.string(),
  /** Plain text; Markdown of an announcement. */
  body: withDefault(z.string(), ""),
  /** An address of the frontend; null: it leads nowhere. */
  link: z.string().nullable(),
  /** Number of causes that are collapsed into the notice. */
  count: withDefault(z.number(), 1),
  /** Whether the user sees it in the application. */
  app: z.boolean(),
  /** Whether the user wanted mail about it when it was made. */
  mail: z.boolean(),
  createdAt: timestamp,
  /** Null until it was read, or while `readMarks` of the user's inbox cover it. */
  readAt: timestamp.nullable(),
});

export const noticeCollection = defineCollection({
  row: noticeRow,
  indexes: [
    [{ key: 1 }, { unique: true }],
    [{ seq: 1 }, { unique: true }], // what the streams of an instance send
    [{ userId: 1, app: 1, seq: -1 }], // a user's list, newest first
    [{ userId: 1, app: 1, readAt: 1, seq: -1 }], // the unread ones
  ],
  holds: "a message to a user in the application, by mail, or both",
  kept: "erasure",
  userData: {
    owner: "userId",
    section: "notifications",
    exported: ["type", "title", "body", "link", "count", "createdAt", "readAt", "seq"],
    exportedAs: { readAt: timestamp.nullable() },
    erasure: "delete",
  },
});

/** The counter that numbers notices. */
export type NoticeCounter = z.input<typeof noticeCounterRow>;
const noticeCounterRow = z.object({ _id: z.literal("notices"), last: z.number() });

export const noticeCounterCollection = defineCollection({
  row: noticeCounterRow,
  holds: "the last number that a notice may have",
  kept: "for good",
  userData: "none",
});

type Notices = { readonly Notice: Model<Notice>; readonly NoticeCounter: Model<NoticeCounter> };

const counter = { _id: "notices" } as const;

/**
 * Reserves numbers for notices. Concurrent transactions that reserve numbers conflict, and commit one after another, so
 * that numbers become visible in ascending order.
 * @returns the first number.
 */
export async function reserveNoticeNumbers(db: Notices, count: number, session: ClientSession): Promise<number> {
  const options = { session, upsert: true, returnDocument: "after" } as const;
  const found = await db.NoticeCounter.findOneAndUpdate(counter, { $inc: { last: count } }, options).lean();
  return (found?.last ?? count) - count + 1;
}

/** The last number that a committed notice may have. */
export async function lastNoticeNumber(db: Notices): Promise<number> {
  return (await db.NoticeCounter.findOne(counter).readConcern("majority").lean())?.last ?? 0;
}

/** The fields of a notice that a user sees. */
export const listedFields = {
  userId: 1,
  type: 1,
  seq: 1,
  title: 1,
  body: 1,
  link: 1,
  count: 1,
  createdAt: 1,
  readAt: 1,
} as const;
export type ListedNotice = Pick<Notice, keyof typeof listedFields> & { _id: Types.ObjectId };

/** Notices of all users, or of one, behind a number, oldest first. A failover does not take a majority's rows back. */
export function findNoticesBehind(
  db: Notices,
  { after, limit, userId }: { after: number; limit: number; userId?: string },
): Promise<ListedNotice[]> {
  const whose = userId === undefined ? {} : { userId };
  return db.Notice.find({ ...whose, app: true, seq: { $gt: after } }, listedFields, { limit, batchSize: limit + 1 })
    .sort({ seq: 1 })
    .readConcern("majority")
    .lean<ListedNotice[]>()
    .exec();
}
