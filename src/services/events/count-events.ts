import { type ClientSession, type QueryFilter, Types } from "mongoose";
import type { Db } from "../../db/db.js";
import { utcDay } from "../../lib/days.js";
import { addCourseDailySales } from "../../models/courses/course-daily-sales.js";
import { type StoredEvent, uncounted } from "../../models/events/event.js";
import { eventTypes } from "../../models/events/event-types.js";
import { addLectureCompletions } from "../../models/learning/lecture-completions.js";
import { toMinor } from "../payments/price.js";

/**
 * Adds events to the figures that wait for them: completed lectures and daily sales. So the transactions of learners and
 * buyers write no common row of figures. The caller's transaction takes `uncountedAt` away, so that each event counts once.
 */
export async function countEvents(db: Db, events: readonly StoredEvent[], session: ClientSession): Promise<void> {
  const dated = events.flatMap((event) => (event.uncountedAt ? [{ ...event, at: event.uncountedAt }] : []));
  const lectures = dated.flatMap(({ type, courseId, data }) =>
    type === "lecture.completed" && courseId
      ? [{ courseId, lectureId: eventTypes[type].data.parse(data).lectureId, by: 1 }]
      : [],
  );
  const sales = dated.flatMap(({ type, data, at }) => {
    if (type !== "purchase.completed") return [];
    const { courseId: ofCourse, pathId, amount, currency } = eventTypes[type].data.parse(data);
    const courseId = new Types.ObjectId(ofCourse ?? pathId ?? undefined);
    return [{ courseId, day: utcDay(at), sales: 1, revenueMinor: toMinor(amount, currency) }];
  });
  await addLectureCompletions(db, lectures, session);
  await addCourseDailySales(db, sales, session);
}

/** Counts the events that an instance of version 1.0 has numbered, because that version knows no events to count. */
export async function countNumberedEvents(db: Db): Promise<void> {
  const numbered = { ...uncounted, seq: { $gt: 0 } };
  const end: End = (those, session) => db.Event.updateMany(those, { $unset: { uncountedAt: 1 } }, { session });
  while (await countBatch(db, numbered, end));
}

/** Deletes the events of a user, after the figures have counted them. */
export async function eraseEvents(db: Db, userId: string, signal: AbortSignal): Promise<void> {
  do signal.throwIfAborted();
  while (await countBatch(db, { userIds: userId }, (those, session) => db.Event.deleteMany(those, { session })));
}

/** Events that one transaction counts. */
const batchSize = 500;

type End = (those: { _id: { $in: StoredEvent["_id"][] } }, session: ClientSession) => Promise<unknown>;

/** @param end takes `uncountedAt` away. @returns whether there may be more events. */
function countBatch(db: Db, which: QueryFilter<StoredEvent>, end: End): Promise<boolean> {
  return db.transaction(async (session) => {
    const events = await db.Event.find(which, null, { session, limit: batchSize }).lean<StoredEvent[]>();
    await countEvents(db, events, session);
    await end({ _id: { $in: events.map(({ _id }) => _id) } }, session);
    return events.length === batchSize;
  });
}
