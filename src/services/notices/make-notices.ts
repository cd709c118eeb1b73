import { setTimeout as pause } from "node:timers/promises";
import type { Model } from "mongoose";
import type { Db } from "../../db/db.js";
import type { Deps } from "../../deps.js";
import type { ModelName } from "../../models/index.js";
import { reserveNoticeNumbers } from "../../models/notices/notice.js";
import { type FrontendLinks, frontendLinks } from "./frontend-links.js";
import { replies, upvotes } from "./sources/community.js";
import { invoices } from "./sources/invoices.js";
import { maxNotices, type NoticeSource } from "./sources/source.js";
import { announcements, disabledWebhooks, endings, events } from "./sources/teaching.js";
import { storeNotices } from "./store-notices.js";

/** Every collection whose rows cause notices. */
export const noticeSources = [
  events,
  replies,
  upvotes,
  announcements,
  endings,
  disabledWebhooks,
  invoices,
] as readonly NoticeSource[];

/** Pause between two batches, in which the server answers requests. */
const pauseMs = 75;

type DueRow = { _id: unknown; noticeDueAt?: Date };

const modelOf = (db: Db, { model }: Pick<NoticeSource, "model">) => db[model] as unknown as Model<DueRow>;

const dueNow = () => ({ noticeDueAt: { $gt: new Date(0), $lte: new Date() } });

interface DueSource {
  readonly model: ModelName;
  /** Number of due rows, `maxCounted` at most, and the date of the first. */
  readonly count: number;
  readonly since: Date;
}

/** Finds the sources that have due rows, by one command. */
export async function findDueSources(db: Db, maxCounted = 1): Promise<DueSource[]> {
  const due = dueNow();
  const unions = noticeSources.map((source) => {
    const found = { _id: source.model, count: { $sum: 1 }, since: { $min: "$noticeDueAt" } };
    // The index of the date has the first rows, without a sort.
    const pipeline = [{ $match: due }, { $limit: maxCounted }, { $group: found }];
    return { coll: modelOf(db, source).collection.name, pipeline };
  });
  const [first, ...others] = unions;
  const stages = [...(first?.pipeline ?? []), ...others.map((union) => ({ $unionWith: union }))];
  const found = await modelOf(db, events).aggregate<Omit<DueSource, "model"> & { _id: ModelName }>(stages);
  return found.map(({ _id: model, ...due }) => ({ model, ...due }));
}

/**
 * Makes the notices of all due rows, in short transactions, from one source after another. A transaction makes the notices
 * of its rows and takes their due dates, so that each cause gives a user one notice.
 * @returns how many notices were made.
 * @throws the first error, after the other sources were worked through.
 */
export async function makeNotices({ db, config }: Pick<Deps, "db" | "config">, signal: AbortSignal): Promise<number> {
  const links = frontendLinks(config);
  const failed = new Map<NoticeSource, unknown>();
  let made = 0;
  while (!signal.aborted) {
    const due = new Set((await findDueSources(db)).map(({ model }) => model));
    const ready = noticeSources.filter((source) => due.has(source.model) && !failed.has(source));
    if (ready.length === 0) break;
    for (const source of ready) {
      if (signal.aborted) break;
      try {
        made += await makeBatch(db, source, links);
      } catch (error) {
        failed.set(source, error);
      }
      await pause(pauseMs);
    }
  }
  const [error] = failed.values();
  if (error !== undefined) throw error;
  return made;
}

async function makeBatch(db: Db, source: NoticeSource, links: FrontendLinks): Promise<number> {
  const model = modelOf(db, source);
  const made = await db.transaction(async (session) => {
    const firstNumber = await reserveNoticeNumbers(db, maxNotices, session);
    const rows = await model
      .find(dueNow(), source.fields)
      .sort({ noticeDueAt: 1 })
      .limit(source.maxRows ?? maxNotices)
      .session(session)
      .lean();
    if (rows.length === 0) return 0;
    const { notices, update = { $unset: { noticeDueAt: 1 } } } = await source.plan({ db, session, links }, rows);
    const stored = await storeNotices(db, notices, firstNumber, session);
    const those = { _id: { $in: rows.map(({ _id }) => _id) } };
    await model.updateMany(those, update, { session, timestamps: false });
    return stored;
  });
  if (made > 0) {
    db.jobWakeups.emit("Notice");
    db.jobWakeups.emit("Mail");
  }
  return made;
}
