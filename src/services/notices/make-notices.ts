import { setTimeout as pause } from "node:timers/promises";
import type { Model } from "mongoose";
import type { Db } from "../../db/db.js";
import type { Deps } from "../../deps.js";
import { reserveNoticeNumbers } from "../../models/notices/notice.js";
import { type FrontendLinks, frontendLinks } from "./frontend-links.js";
import { acceptances, replies, upvotes } from "./sources/community.js";
import { maxNotices, type NoticeSource } from "./sources/source.js";
import { announcements, disabledWebhooks, endings, events } from "./sources/teaching.js";
import { storeNotices } from "./store-notices.js";

/** Every collection whose rows cause notices. */
export const noticeSources = [
  events,
  replies,
  acceptances,
  upvotes,
  announcements,
  endings,
  disabledWebhooks,
] as readonly NoticeSource[];

/** Pause between two batches, in which the server answers requests. */
const pauseMs = 50;

type DueRow = { _id: unknown; noticeDueAt?: Date };

const modelOf = (db: Db, { model }: NoticeSource) => db[model] as unknown as Model<DueRow>;

const dueNow = () => ({ noticeDueAt: { $gt: new Date(0), $lte: new Date() } });

/** Finds the sources that have due rows, by one command. */
export async function findDueSources(db: Db): Promise<NoticeSource[]> {
  const due = dueNow();
  const [first, ...others] = noticeSources.map((source) => ({
    coll: modelOf(db, source).collection.name,
    // The index of the date has the first row, without a sort.
    pipeline: [{ $match: due }, { $limit: 1 }, { $project: { _id: 0, model: { $literal: source.model } } }],
  }));
  const [source] = noticeSources;
  if (!first || !source) return [];
  const unions = others.map((union) => ({ $unionWith: union }));
  const found = await modelOf(db, source).aggregate<{ model: string }>([...first.pipeline, ...unions]);
  const models = new Set(found.map(({ model }) => model));
  return noticeSources.filter(({ model }) => models.has(model));
}

/**
 * Makes the notices of all due rows, in short transactions, from one source after another. A transaction makes the notices
 * of its rows and takes their due dates, so that each cause gives a user one notice.
 * @returns how many notices were made.
 * @throws the first error, after the other sources were worked through.
 */
export async function makeNotices({ db, config }: Pick<Deps, "db" | "config">, signal: AbortSignal): Promise<number> {
  const links = frontendLinks(config.frontendOrigin);
  const failed = new Map<NoticeSource, unknown>();
  let made = 0;
  while (!signal.aborted) {
    const due = (await findDueSources(db)).filter((source) => !failed.has(source));
    if (due.length === 0) break;
    for (const source of due) {
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
