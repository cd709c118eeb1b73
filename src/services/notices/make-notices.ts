import type { Model, Types } from "mongoose";
import type { Db } from "../../db/db.js";
import type { Deps } from "../../deps.js";
import { frontendLinks } from "./frontend-links.js";
import { endingCertificates } from "./sources/certificates.js";
import { replies, upvotes } from "./sources/community.js";
import { invoices } from "./sources/invoices.js";
import type { NoticeSource } from "./sources/source.js";
import { announcements, disabledWebhooks, endings, events } from "./sources/teaching.js";
import { storeNotices } from "./store-notices.js";

/** The collections whose rows cause notices, beside the numbered events. */
export const otherSources = [
  replies,
  upvotes,
  announcements,
  endings,
  endingCertificates,
  disabledWebhooks,
  invoices,
] as readonly NoticeSource[];

/** Every collection whose rows cause notices. */
export const noticeSources: readonly NoticeSource[] = [events as NoticeSource, ...otherSources];

/** A row of any source. */
export type DueRow = { readonly _id: Types.ObjectId; readonly noticeDueAt?: Date };

export const causesIn = (db: Db, { model }: Pick<NoticeSource, "model">) => db[model] as unknown as Model<DueRow>;

interface MadeNotices {
  readonly notices: number;
  /** Whether stored mails wait to be sent. */
  readonly mails: boolean;
  /** Number of rows that were due. */
  readonly rows: number;
}

/**
 * Makes the notices of due rows in one transaction, which also takes their due dates, so that each cause gives a user one
 * notice.
 * @param which the rows that are due first, up to a number, or some rows.
 */
export async function makeNotices(
  { db, config }: Pick<Deps, "db" | "config">,
  source: NoticeSource,
  which: { readonly limit: number } | readonly DueRow[],
): Promise<MadeNotices> {
  const model = causesIn(db, source);
  const links = frontendLinks(config);
  const [those, limit] = "limit" in which ? [{}, which.limit] : [{ _id: { $in: which.map(({ _id }) => _id) } }, 0];
  const made = await db.transaction(async (session): Promise<MadeNotices> => {
    const rows = await model
      .find({ ...those, noticeDueAt: { $gt: new Date(0), $lte: new Date() } }, source.fields)
      .sort({ noticeDueAt: 1 })
      .limit(limit)
      .session(session)
      .lean();
    if (rows.length === 0) return { notices: 0, mails: false, rows: 0 };
    const { notices, update = { $unset: { noticeDueAt: 1 } } } = await source.plan({ db, session, links }, rows);
    await model.updateMany({ _id: { $in: rows.map(({ _id }) => _id) } }, update, { session, timestamps: false });
    return { ...(await storeNotices(db, notices, session)), rows: rows.length };
  });
  if (made.notices > 0) db.jobWakeups.emit("Notice");
  if (made.mails) db.jobWakeups.emit("Mail");
  return made;
}
