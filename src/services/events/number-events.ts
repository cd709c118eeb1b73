import type { ClientSession } from "mongoose";
import type { Db } from "../../db/db.js";
import type { Deps } from "../../deps.js";
import { dayMs } from "../../lib/days.js";
import { distinct } from "../../lib/distinct.js";
import type { Course } from "../../models/courses/course.js";
import {
  findUnnumberedEvents,
  hasUnnumberedEvents,
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

type NumberDeps = Pick<Deps, "db" | "config">;

/**
 * Numbers waiting events for a request that reads events, as the job does.
 * @returns how many events got a number; 0 when none waits.
 */
export async function numberEvents(deps: NumberDeps): Promise<number> {
  if (!(await hasUnnumberedEvents(deps.db))) return 0;
  const { events, notices } = await numberBatch(deps);
  if (notices) deps.db.jobWakeups.emit("Event");
  return events;
}

/**
 * Gives the oldest events that were committed the next numbers. Transactions that number events write one counter, so they
 * commit one after another, and no other transaction gives numbers. So numbers become visible in ascending order: an event
 * that is committed late gets a later number, and never stands behind the cursor of a reader.
 * @param among the events to number; the oldest of all by default.
 */
export async function numberBatch(
  { db, config }: NumberDeps,
  among?: readonly Pick<StoredEvent, "_id">[],
): Promise<NumberedBatch> {
  const keptMs = config.eventRetentionDays * dayMs;
  const batch = await db.transaction((session) => numberOldest(db, { keptMs, among }, session), {
    mutex: "event-numbers",
  });
  if (batch.deliveries > 0) db.jobWakeups.emit("WebhookDelivery");
  return batch;
}

interface NumberedBatch {
  readonly events: number;
  readonly deliveries: number;
  /** Whether the notices of an event are due. */
  readonly notices: boolean;
  /** Whether events may be left without a number. */
  readonly isMore: boolean;
}

async function numberOldest(
  db: Db,
  { keptMs, among }: { keptMs: number; among: readonly Pick<StoredEvent, "_id">[] | undefined },
  session: ClientSession,
): Promise<NumberedBatch> {
  const found = await findUnnumberedEvents(db, { limit: maxEventsTogether, among }, session);
  if (found.length === 0) return { events: 0, deliveries: 0, notices: false, isMore: false };
  const events = await addEducators(db, found, session);
  const expiresAt = new Date(Date.now() + keptMs);
  const { events: count, deliveries } = await planDeliveries(db, events, expiresAt, session);
  const first = await takeEventNumbers(db, count, session);
  const numbered = events.slice(0, count).map((event, i): NumberedEvent => {
    const isDue = !event.isRepeated && noticesOfEvents.has(event.type);
    return { ...event, seq: first + i, ...(isDue && { noticeDueAt: event.at }) };
  });
  await countEvents(db, numbered, session);
  await setEventNumbers(db, numbered, expiresAt, session);
  if (deliveries.length > 0) await insertDeliveries(db, deliveries, session);
  return {
    events: count,
    deliveries: deliveries.length,
    notices: numbered.some(({ noticeDueAt }) => noticeDueAt),
    isMore: count < found.length || found.length === maxEventsTogether,
  };
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
