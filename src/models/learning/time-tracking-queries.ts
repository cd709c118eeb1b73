import type { ClientSession, Model } from "mongoose";
import type { Models } from "../index.js";
import { nativeCollection } from "../native-collection.js";
import type { ChapterTime, CourseTime, DayTime, PageTime, TimeBucketCounts, TimeSession } from "./time-tracking.js";

/** Stores a session unless its `_id` is stored already. @returns whether it was stored now. */
export async function insertTimeSession(
  db: Models,
  { _id, ...fields }: TimeSession,
  session: ClientSession,
): Promise<boolean> {
  const options = { upsert: true, session };
  const stored = await nativeCollection(db.TimeSession).updateOne({ _id }, { $setOnInsert: fields }, options);
  return stored.upsertedCount > 0;
}

/** Notes how a session was counted. */
export async function setSessionCounted(
  db: Models,
  { _id, counted }: Required<Pick<TimeSession, "_id" | "counted">>,
  session: ClientSession,
): Promise<void> {
  await nativeCollection(db.TimeSession).updateOne({ _id }, { $set: { counted } }, { session });
}

/** @returns whether the update made the bucket. */
const isNew = async (update: Promise<{ upsertedCount: number }>): Promise<boolean> => (await update).upsertedCount > 0;

/** Adds a visit to a learner's time under one label. @returns whether the bucket is new. */
export function addPageTime(
  db: Models,
  { userId, page, duration, at, path }: Pick<TimeSession, "userId" | "page" | "duration" | "at" | "path">,
  session: ClientSession,
): Promise<boolean> {
  const visit = { $inc: { duration, visits: 1 }, $max: { newest: { at, path } } };
  return isNew(nativeCollection(db.PageTime).updateOne({ userId, page }, visit, { upsert: true, session }));
}

export async function addDayTime(
  db: Models,
  { userId, day, duration }: Pick<DayTime, "userId" | "day" | "duration">,
  session: ClientSession,
): Promise<void> {
  const options = { upsert: true, session };
  await nativeCollection(db.DayTime).updateOne({ userId, day }, { $inc: { duration } }, options);
}

/** @returns whether the bucket is new. */
export function addCourseTime(
  db: Models,
  { userId, courseId, duration }: Pick<CourseTime, "userId" | "courseId" | "duration">,
  session: ClientSession,
): Promise<boolean> {
  const stay = { $inc: { duration, sessions: 1 } };
  return isNew(nativeCollection(db.CourseTime).updateOne({ userId, courseId }, stay, { upsert: true, session }));
}

/** @returns whether the bucket is new. */
export function addChapterTime(
  db: Models,
  { userId, courseId, chapterId, duration }: Pick<ChapterTime, "userId" | "courseId" | "chapterId" | "duration">,
  session: ClientSession,
): Promise<boolean> {
  const key = { userId, courseId, chapterId };
  const stay = { $inc: { duration, sessions: 1 } };
  return isNew(nativeCollection(db.ChapterTime).updateOne(key, stay, { upsert: true, session }));
}

/** Takes away a bucket that the same transaction has made. */
export async function removeTimeBucket(
  db: Models,
  model: "PageTime" | "CourseTime" | "ChapterTime",
  key: Partial<Pick<PageTime & ChapterTime, "page" | "courseId" | "chapterId">> & { userId: string },
  session: ClientSession,
): Promise<void> {
  await nativeCollection(db[model] as unknown as Model<PageTime & ChapterTime>).deleteOne(key, { session });
}

/** The kinds of buckets that are counted. */
export type CountedBuckets = Exclude<keyof TimeBucketCounts, "_id">;

/**
 * Counts one more bucket of a learner, up to `most + 1`. All that count for the same learner write this document, so
 * that the number is exact.
 * @returns the number then.
 */
export async function addBucketCount(
  db: Models,
  userId: string,
  { kind, most }: { kind: CountedBuckets; most: number },
  session: ClientSession,
): Promise<number> {
  const next = { $min: [most + 1, { $add: [{ $ifNull: [`$${kind}`, 0] }, 1] }] };
  const options = { upsert: true, session, returnDocument: "after" } as const;
  const counts = await nativeCollection(db.TimeBucketCounts).findOneAndUpdate(
    { _id: userId },
    [{ $set: { [kind]: next } }],
    options,
  );
  return counts?.[kind] ?? 0;
}

/**
 * Adds a learner's labels that were stored before labels were counted.
 * @param options `counted`: so many of those that are stored are counted already. @returns their number, at most `most`.
 */
export async function addEarlierPages(
  db: Models,
  userId: string,
  { except, counted, most }: { except: readonly string[]; counted: number; most: number },
  session: ClientSession,
): Promise<number> {
  const stored = await nativeCollection(db.PageTime)
    .find({ userId, page: { $nin: [...except] } }, { session, projection: { _id: 1 }, limit: most + counted })
    .toArray();
  const earlier = Math.max(0, stored.length - counted);
  const update = { $inc: { pages: earlier } };
  if (earlier > 0) await nativeCollection(db.TimeBucketCounts).updateOne({ _id: userId }, update, { session });
  return earlier;
}

/** All of a learner's buckets; of the days only those that are named. */
export async function findTimeBuckets(
  db: Models,
  userId: string,
  days: readonly string[],
): Promise<{ pages: PageTime[]; days: DayTime[]; courses: CourseTime[]; chapters: ChapterTime[] }> {
  const named = { userId, day: { $in: [...days] } };
  const [pages, dayTimes, courses, chapters] = await Promise.all([
    nativeCollection(db.PageTime).find({ userId }).toArray(),
    nativeCollection(db.DayTime).find(named).toArray(),
    nativeCollection(db.CourseTime).find({ userId }).toArray(),
    nativeCollection(db.ChapterTime).find({ userId }).toArray(),
  ]);
  return { pages, days: dayTimes, courses, chapters };
}
