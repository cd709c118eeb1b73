import { type ClientSession, Types } from "mongoose";
import type { Db } from "../../db/db.js";
import { insertEvents, type StoredEvent } from "../../models/events/event.js";
import { type EventData, type EventType, eventTypes } from "../../models/events/event-types.js";

/**
 * A fact that an event reports. `actorId`: who did it for the user of the event. `educatorId`: whose path it is, which may
 * be deleted before the event gets its number. `uncountedAt`: the figures that count such events count this one later,
 * under this moment. `isRepeated`: it causes no notice, because the user has done it in the same hour.
 */
export type NewEvent = { [T in EventType]: { readonly type: T; readonly data: EventData<T> } }[EventType] & {
  readonly actorId?: string;
  readonly educatorId?: string;
  readonly uncountedAt?: Date;
  readonly isRepeated?: true;
};

/** Stores an event in the transaction of its fact, so that neither can exist without the other. */
export function recordEvent<T extends EventType>(
  db: Db,
  session: ClientSession,
  type: T,
  data: EventData<T>,
): Promise<void> {
  return recordEvents(db, session, [{ type, data } as NewEvent]);
}

/** Stores several events by one command. */
export async function recordEvents(
  db: Db,
  session: ClientSession,
  facts: readonly NewEvent[],
  at = new Date(),
): Promise<void> {
  if (facts.length === 0) return;
  const events = facts.map((fact) => toEvent(fact, at));
  await insertEvents(db, events, session);
  // A transaction that runs again records its events again, and needs one wake-up.
  session.off("ended", db.wakeEvents).once("ended", db.wakeEvents);
}

function toEvent(
  { type, data: fields, actorId, educatorId, uncountedAt, isRepeated }: NewEvent,
  at: Date,
): StoredEvent {
  const data: Record<string, unknown> = eventTypes[type].data.parse(fields);
  const { courseId, userId } = data;
  // Events about an erasure stay after it.
  const isAboutErasure = type === "user.erased" || data.reason === "erased";
  return {
    _id: new Types.ObjectId(),
    type,
    at,
    data,
    courseId: typeof courseId === "string" ? new Types.ObjectId(courseId) : null,
    ...(actorId !== undefined && { actorId }),
    ...(educatorId !== undefined && { educatorId }),
    userIds: typeof userId === "string" && !isAboutErasure ? [userId] : [],
    unnumberedSince: at,
    ...(uncountedAt && { uncountedAt }),
    ...(isRepeated && { isRepeated }),
  };
}
