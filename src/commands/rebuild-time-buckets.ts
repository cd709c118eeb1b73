import type { mongo } from "mongoose";
import type { Db } from "../db/db.js";
import { isDuplicateKey } from "../db/duplicate-key.js";
import type { TimeSession } from "../models/time-tracking.js";
import { type Buckets, bucketsOf, newestOf } from "./track-time.js";

/**
 * Additions of sessions that are this new may be on their way still, even when another rebuild took their mark away.
 */
const settledAfterMs = 30_000;
/** Most keys that a bucket remembers. */
const remembered = 1_000;
const attempts = 10;
/** Sessions held in memory at once. */
const batchSize = 500;

interface Kind {
  readonly collection: mongo.Collection;
  /** What beside the learner names the bucket; undefined: the session belongs to none of this kind. */
  keyOf(buckets: Buckets): object | undefined;
  /** How this kind calls its number of sessions. */
  readonly counter?: "visits" | "sessions";
  readonly keepsNewest?: boolean;
}

const kinds = (db: Db): Kind[] => [
  { collection: db.PageTime.collection, keyOf: ({ page }) => ({ page }), counter: "visits", keepsNewest: true },
  { collection: db.DayTime.collection, keyOf: ({ day }) => (day ? { day } : undefined) },
  { collection: db.CourseTime.collection, keyOf: ({ course }) => course, counter: "sessions" },
  { collection: db.ChapterTime.collection, keyOf: ({ chapter }) => chapter, counter: "sessions" },
];

interface Recount {
  key: object;
  duration: number;
  sessions: number;
  newest: ReturnType<typeof newestOf>;
  /** Sessions whose own addition may come after the recount: it must do nothing then. */
  countedKeys: string[];
}

/**
 * Makes one learner's buckets again from their sessions. Sessions that are tracked meanwhile are not lost: a bucket
 * that moved since it was read is recounted. Costs as much as the learner has sessions.
 * @throws when the buckets move too fast: nothing is wrong then, but the work is not done.
 */
export async function rebuildTimeBuckets(db: Db, userId: string): Promise<void> {
  for (let attempt = 0; attempt < attempts; attempt++) {
    // Buckets before sessions: whatever a bucket holds, its session is found. Later increments show as a moved bucket.
    const before = await Promise.all(kinds(db).map(({ collection }) => collection.find({ userId }).toArray()));
    const { recounts, marked } = await recount(db, userId);
    const written = await Promise.all(
      kinds(db).map((kind, index) => write(kind, userId, before[index] ?? [], recounts[index] ?? new Map())),
    );
    if (written.every(Boolean)) {
      await db.TimeSession.updateMany({ _id: { $in: marked } }, { $set: { uncounted: false } });
      return;
    }
  }
  throw new Error(`the buckets of ${userId} move too fast to be rebuilt`);
}

async function recount(db: Db, userId: string) {
  const recounts = kinds(db).map(() => new Map<string, Recount>());
  const marked: string[] = [];
  const sessions = db.TimeSession.find({ userId }).sort({ at: 1 }).lean<TimeSession[]>();
  for await (const session of sessions.cursor({ batchSize })) {
    if (session.uncounted) marked.push(session._id);
    const buckets = bucketsOf(session);
    kinds(db).forEach(({ keyOf }, index) => {
      const key = keyOf(buckets);
      if (key) add(recounts[index], key, session);
    });
  }
  return { recounts, marked };
}

function add(map: Map<string, Recount> | undefined, key: object, session: TimeSession): void {
  const name = JSON.stringify(key);
  const sum = map?.get(name) ?? { key, duration: 0, sessions: 0, newest: newestOf(session), countedKeys: [] };
  sum.duration += session.duration;
  sum.sessions += 1;
  if (isNewer(session, sum.newest)) sum.newest = newestOf(session);
  const late = session.uncounted || Date.now() - session.at.getTime() < settledAfterMs;
  if (late) sum.countedKeys.push(session._id);
  map?.set(name, sum);
}

/** The order in which `$max` sees them: by time, then by session. */
function isNewer(session: TimeSession, newest: Recount["newest"]): boolean {
  const later = session.at.getTime() - newest.at.getTime();
  return later > 0 || (later === 0 && session._id > newest.session);
}

/** Sets, makes and removes the buckets of one kind. @returns false when one of them moved since it was read. */
async function write(
  kind: Kind,
  userId: string,
  before: readonly mongo.WithId<mongo.BSON.Document>[],
  recounts: Map<string, Recount>,
): Promise<boolean> {
  const { collection, keyOf, counter } = kind;
  const wanted = new Map(recounts);
  let unmoved = true;
  for (const bucket of before) {
    const name = JSON.stringify(keyOf(bucketKeys(bucket)));
    const sum = wanted.get(name);
    wanted.delete(name);
    const asRead = { _id: bucket._id, duration: bucket.duration, ...(counter ? { [counter]: bucket[counter] } : {}) };
    if (sum) {
      const { matchedCount } = await collection.updateOne(asRead, { $set: totals(kind, sum) });
      unmoved &&= matchedCount === 1;
    } else {
      const { deletedCount } = await collection.deleteOne(asRead);
      unmoved &&= deletedCount === 1;
    }
  }
  for (const sum of wanted.values()) {
    try {
      await collection.insertOne({ userId, ...sum.key, ...totals(kind, sum) });
    } catch (error) {
      if (!isDuplicateKey(error)) throw error;
      unmoved = false;
    }
  }
  return unmoved;
}

/** A stored bucket's own key, in the form that sessions give. */
function bucketKeys({ page, day, courseId, chapterId }: mongo.BSON.Document): Buckets {
  return { page, day, course: { courseId }, chapter: { courseId, chapterId } };
}

function totals({ counter, keepsNewest }: Kind, { duration, sessions, newest, countedKeys }: Recount): object {
  return {
    duration,
    countedKeys: countedKeys.slice(-remembered),
    ...(counter ? { [counter]: sessions } : {}),
    ...(keepsNewest ? { newest } : {}),
  };
}
