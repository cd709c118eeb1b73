import type { ClientSession } from "mongoose";
import type { Db } from "../../db/db.js";
import type { Deps } from "../../deps.js";
import { dayMs } from "../../lib/days.js";
import { distinct } from "../../lib/distinct.js";
import type { Course } from "../../models/courses/course.js";
import {
  findUnnumberedEvents,
  hasUnnumberedEvents,
  lockEventCounter,
  type NumberedEvent,
  type StoredEvent,
  setEventNumbers,
  takeEventNumbers,
} from "../../models/events/event.js";
import { insertDeliveries } from "../../models/events/webhook-delivery.js";
import type { Path } from "../../models/paths/path.js";
import { noticesOfEvents } from "../notices/notice-types.js";
import { countEvents } from "./count-events.js";
import { type EventToNumber, planDeliveries } from "./fan-out.js";

/** Maximum number of events that one transaction numbers. */
export const maxEventsTogether = 500;

/**
 * Gives the oldest events that were committed the next numbers. Transactions that number events commit one after another,
 * and no other transaction gives numbers. So numbers become visible in ascending order: an event that is committed late
 * gets a later number, and never stands behind the cursor of a reader.
 * @param among the events to number; the oldest of all by default.
 * @returns how many events got a number; 0 when none waits.
 */
export async function numberEvents(
  { db, config }: Pick<Deps, "db" | "config">,
  among?: readonly Pick<StoredEvent, "_id">[],
): Promise<number> {
  if (!among && !(await hasUnnumberedEvents(db))) return 0;
  const keptMs = config.eventRetentionDays * dayMs;
  const { events, deliveries, notices } = await db.transaction(
    (session) => numberOldest(db, { keptMs, among }, session),
    {
      mutex: "event-numbers",
    },
  );
  if (deliveries > 0) db.jobWakeups.emit("WebhookDelivery");
  if (notices) db.jobWakeups.emit("Event");
  return events;
}

async function numberOldest(
  db: Db,
  { keptMs, among }: { keptMs: number; among: readonly Pick<StoredEvent, "_id">[] | undefined },
  session: ClientSession,
): Promise<{ events: number; deliveries: number; notices: boolean }> {
  await lockEventCounter(db, session);
  const found = await findUnnumberedEvents(db, { limit: maxEventsTogether, among }, session);
  if (found.length === 0) return { events: 0, deliveries: 0, notices: false };
  const events = await addEducators(db, found, session);
  const expiresAt = new Date(Date.now() + keptMs);
  const { events: count, deliveries } = await planDeliveries(db, events, expiresAt, session);
  const first = await takeEventNumbers(db, count, session);
  const numbered = events.slice(0, count).map((event, i): NumberedEvent => {
    return { ...event, seq: first + i, ...(noticesOfEvents.has(event.type) && { noticeDueAt: event.at }) };
  });
  await countEvents(db, numbered, session);
  await setEventNumbers(db, numbered, expiresAt, session);
  if (deliveries.length > 0) await insertDeliveries(db, deliveries, session);
  return { events: count, deliveries: deliveries.length, notices: numbered.some(({ noticeDueAt }) => noticeDueAt) };
}

/** Adds whose events they are: the educators of their courses and paths, and the courses of the paths. */
async function addEducators(db: Db, events: readonly StoredEvent[], session: ClientSession): Promise<EventToNumber[]> {
  const pathIdOf = ({ data: { pathId } }: StoredEvent) => (typeof pathId === "string" ? [pathId] : []);
  const ofCourses = { _id: { $in: distinct(events.flatMap(({ courseId }) => courseId ?? [])) } };
  const ofPaths = { _id: { $in: distinct(events.flatMap(pathIdOf)) } };
  const courses =
    ofCourses._id.$in.length > 0 ? await db.Course.find(ofCourses, { educatorId: 1 }, { session }).lean<Owned[]>() : [];
  const paths =
    ofPaths._id.$in.length > 0
      ? await db.Path.find(ofPaths, { educatorId: 1, courseIds: 1 }, { session }).lean<Owned[]>()
      : [];
  const known = new Map([...courses, ...paths].map((owned) => [String(owned._id), owned]));
  return events.map((event): EventToNumber => {
    const owned = known.get(String(event.courseId ?? pathIdOf(event)[0]));
    const educatorId = owned?.educatorId ?? event.educatorId ?? null;
    return { ...event, educatorId, ...(owned?.courseIds && { courseIds: owned.courseIds }) };
  });
}

type Owned = Pick<Course, "_id" | "educatorId"> & Partial<Pick<Path, "courseIds">>;
