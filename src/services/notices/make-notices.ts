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

/** Every collection whose rows cause notices. */
export const noticeSources = [
  events,
  replies,
  upvotes,
  announcements,
  endings,
  endingCertificates,
  disabledWebhooks,
  invoices,
] as readonly NoticeSource[];

/** A row of any source. */
export type DueRow = { readonly _id: Types.ObjectId; readonly noticeDueAt?: Date };

export const causesIn = (db: Db, { model }: Pick<NoticeSource, "model">) => db[model] as unknown as Model<DueRow>;

/**
 * Makes the notices of some due rows in one transaction, which also takes their due dates, so that each cause gives a user
 * one notice.
 * @returns how many notices were made.
 */
export async function makeNotices(
  { db, config }: Pick<Deps, "db" | "config">,
  source: NoticeSource,
  due: readonly DueRow[],
): Promise<number> {
  const model = causesIn(db, source);
  const links = frontendLinks(config);
  const made = await db.transaction(async (session) => {
    const rows = await model
      .find({ _id: { $in: due.map(({ _id }) => _id) }, noticeDueAt: { $lte: new Date() } }, source.fields)
      .sort({ noticeDueAt: 1 })
      .session(session)
      .lean();
    if (rows.length === 0) return 0;
    const { notices, update = { $unset: { noticeDueAt: 1 } } } = await source.plan({ db, session, links }, rows);
    const those = { _id: { $in: rows.map(({ _id }) => _id) } };
    await model.updateMany(those, update, { session, timestamps: false });
    return storeNotices(db, notices, session);
  });
  if (made > 0) {
    db.jobWakeups.emit("Notice");
    db.jobWakeups.emit("Mail");
  }
  return made;
}
