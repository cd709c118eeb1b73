import type { ClientSession, Model, QueryFilter } from "mongoose";
import { z } from "zod";
import { timestamp } from "../../lib/fields.js";
import { defineCollection } from "../collection.js";
import { objectIdField, withDefault } from "../row.js";
import { eventTypeNames } from "./event-types.js";

/**
 * A fact that other systems are told about. The transaction of the fact stores the event without a number. A later
 * transaction gives it the next number, and the event is listed from then on.
 */
export type StoredEvent = z.input<typeof storedEventRow>;
const storedEventRow = z.object({
  _id: objectIdField,
  type: z.enum(eventTypeNames),
  at: timestamp,
  /** As other systems get it: ids are text. */
  data: z.record(z.string(), z.unknown()),
  courseId: objectIdField.nullable(),
  /** Who did it for the user of the event. Other systems do not get it. */
  actorId: z.string().exactOptional(),
  /** The users whom an erasure takes out together with the event. */
  userIds: withDefault(z.array(z.string()), []),
  /** Set until the event has a number. */
  unnumberedSince: timestamp.exactOptional(),
  /** Place in the list of all events. Later commits have higher numbers; erased events leave gaps. */
  seq: z.number().exactOptional(),
  /** The educator of the course or path when the event got its number; null without both. */
  educatorId: z.string().nullable().exactOptional(),
  /** The courses of the path when the event got its number; absent without a path. Who sees all of them sees the event. */
  courseIds: z.array(objectIdField).exactOptional(),
  /** Set until stored figures count the event: the moment under which they count it. */
  uncountedAt: timestamp.exactOptional(),
  /** Set with the number, until the notices of the event are made. */
  noticeDueAt: timestamp.exactOptional(),
  /** Set when the same user has done it in the same UTC hour, so that it causes no notice. */
  isRepeated: z.boolean().exactOptional(),
  /** When the event is removed. An event without a number stays. */
  expiresAt: timestamp.exactOptional(),
});

/** An event that has its number. */
export type NumberedEvent = StoredEvent & Required<Pick<StoredEvent, "seq" | "educatorId">>;

/** Filters events that wait for their number. */
const unnumbered = { unnumberedSince: { $gt: new Date(0) } };

/** Filters events that wait for the figures to count them. */
export const uncounted = { uncountedAt: { $gt: new Date(0) } };

export const eventCollection = defineCollection({
  row: storedEventRow,
  options: { minimize: false },
  indexes: [
    [{ unnumberedSince: 1, _id: 1 }, { partialFilterExpression: unnumbered }],
    [{ seq: 1 }, { unique: true, sparse: true }],
    [{ noticeDueAt: 1 }, { sparse: true }],
    [{ uncountedAt: 1 }, { sparse: true }],
    // The events of a type, of an educator, of a course and of a path, oldest first.
    [{ type: 1, seq: 1 }],
    [{ educatorId: 1, seq: 1 }],
    [{ educatorId: 1, type: 1, seq: 1 }],
    [{ courseId: 1, seq: 1 }],
    [{ courseIds: 1, seq: 1 }, { sparse: true }],
    [{ userIds: 1 }],
    [{ expiresAt: 1 }, { expireAfterSeconds: 0 }],
  ],
  holds: "a fact for other systems, with its place in the list of all events",
  kept: "`EVENT_RETENTION_DAYS`; erasure",
  userData: {
    owner: "userIds",
    section: "events",
    exported: ["type", "at", "data"],
    erasure: "ownStep",
  },
});

/** The counter that numbers events. */
export type EventCounter = z.input<typeof eventCounterRow>;
const eventCounterRow = z.object({
  _id: z.literal("events"),
  last: z.number(),
  /** When the first number was given: older facts have no events. */
  since: timestamp.exactOptional(),
});

export const eventCounterCollection = defineCollection({
  row: eventCounterRow,
  holds: "the last number that an event got",
  kept: "for good",
  userData: "none",
});

type Events = { readonly Event: Model<StoredEvent>; readonly EventCounter: Model<EventCounter> };

export async function insertEvents(db: Events, events: readonly StoredEvent[], session: ClientSession): Promise<void> {
  await db.Event.insertMany(events, { session, lean: true });
}

/** Whether an event waits for its number. */
export async function hasUnnumberedEvents(db: Events): Promise<boolean> {
  return (await db.Event.exists(unnumbered)) !== null;
}

/** The oldest events without a number, of all or of some events. */
export function findUnnumberedEvents(
  db: Events,
  { limit, among }: { limit: number; among?: readonly Pick<StoredEvent, "_id">[] | undefined },
  session: ClientSession,
): Promise<StoredEvent[]> {
  const which = among ? { _id: { $in: among.map(({ _id }) => _id) } } : {};
  return db.Event.find({ ...unnumbered, ...which }, null, { session, limit, batchSize: limit + 1 })
    .sort({ unnumberedSince: 1, _id: 1 })
    .lean<StoredEvent[]>()
    .exec();
}

/** Takes the next numbers. Concurrent transactions that number events conflict here. @returns the first number. */
export async function takeEventNumbers(db: Events, count: number, session: ClientSession): Promise<number> {
  const change = { $inc: { last: count }, $setOnInsert: { since: new Date() } };
  const options = { session, upsert: true, returnDocument: "after" } as const;
  const counter = await db.EventCounter.findOneAndUpdate({ _id: "events" }, change, options).lean();
  return counter.last - count + 1;
}

/** Stores the numbers of events that the figures have counted. */
export async function setEventNumbers(
  db: Events,
  events: readonly NumberedEvent[],
  expiresAt: Date,
  session: ClientSession,
): Promise<void> {
  const updates = events.map(({ _id, seq, educatorId, courseIds, noticeDueAt }) => ({
    updateOne: {
      filter: { _id },
      update: {
        $set: { seq, educatorId, expiresAt, ...(courseIds && { courseIds }), ...(noticeDueAt && { noticeDueAt }) },
        $unset: { unnumberedSince: 1 as const, uncountedAt: 1 as const },
      },
    },
  }));
  await db.Event.bulkWrite(updates, { session });
}

/** The fields of an event that lists show, and its place in the list. */
export type ListedEvent = Pick<NumberedEvent, "_id" | "type" | "at" | "data" | "seq">;

/**
 * The numbered events behind a number, in the order of their numbers. A number that a failover could take back is not
 * read, because another event would then get the same number.
 */
export function findEvents(
  db: Events,
  filter: QueryFilter<StoredEvent>,
  { after, limit }: { after: number; limit: number },
): Promise<ListedEvent[]> {
  const fields = { type: 1, at: 1, data: 1, seq: 1 } as const;
  return db.Event.find({ ...filter, seq: { $gt: after } }, fields, { limit, batchSize: limit + 1 })
    .sort({ seq: 1 })
    .readConcern("majority")
    .lean<ListedEvent[]>()
    .exec();
}
