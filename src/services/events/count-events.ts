import type { ClientSession } from "mongoose";
import type { Db } from "../../db/db.js";
import { utcDay } from "../../lib/days.js";
import { addCourseDailySales } from "../../models/courses/course-daily-sales.js";
import { findUncountedEvents, type StoredEvent, setEventsCounted } from "../../models/events/event.js";
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
  const sales = dated.flatMap(({ type, courseId, data, at }) => {
    if (type !== "purchase.completed" || !courseId) return [];
    const { amount, currency } = eventTypes[type].data.parse(data);
    return [{ courseId, day: utcDay(at), sales: 1, revenueMinor: toMinor(amount, currency) }];
  });
  await addLectureCompletions(db, lectures, session);
  await addCourseDailySales(db, sales, session);
}

/** Events that one transaction counts. */
const batchSize = 500;

/** Counts the events that an instance of version 1.0 has numbered, because that version knows no events to count. */
export async function countNumberedEvents(db: Db): Promise<void> {
  const countBatch = async (session: ClientSession): Promise<boolean> => {
    const events = await findUncountedEvents(db, { seq: { $gt: 0 } }, batchSize, session);
    await countEvents(db, events, session);
    await setEventsCounted(db, events, session);
    return events.length === batchSize;
  };
  while (await db.transaction(countBatch));
}

/** Deletes the events of a user. Those that no figure has counted yet are counted with it. */
export async function eraseEvents(db: Db, userId: string, signal: AbortSignal): Promise<void> {
  const eraseBatch = async (session: ClientSession): Promise<boolean> => {
    const events = await db.Event.find({ userIds: userId }, null, { session, limit: batchSize }).lean<StoredEvent[]>();
    await countEvents(db, events, session);
    await db.Event.deleteMany({ _id: { $in: events.map(({ _id }) => _id) } }, { session });
    return events.length === batchSize;
  };
  do signal.throwIfAborted();
  while (await db.transaction(eraseBatch));
}
