import { type ClientSession, type mongo, Schema, type Types } from "mongoose";
import { z } from "zod";
import { timestamp } from "../../lib/fields.js";
import { defineCollection } from "../collection.js";
import type { Models } from "../index.js";
import { nativeCollection } from "../native-collection.js";
import { type EventType, eventTypeNames } from "./event-types.js";

/**
 * A fact that other systems are told about. The transaction of the fact stores the event without a number. A later
 * transaction gives it the next number, and the event is listed from then on.
 */
export interface StoredEvent {
  _id: Types.ObjectId;
  type: EventType;
  at: Date;
  /** As other systems get it: ids are text. */
  data: Record<string, unknown>;
  courseId: Types.ObjectId | null;
  /** The users whom an erasure takes out together with the event. */
  userIds: string[];
  /** Set until the event has a number. */
  unnumberedSince?: Date;
  /** Place in the list of all events. Later commits have higher numbers; erased events leave gaps. */
  seq?: number;
  /** The educator of the course when the event got its number; null without a course. */
  educatorId?: string | null;
  /** When the event is removed. An event without a number stays. */
  expiresAt?: Date;
}

/** An event that has its number. */
export type NumberedEvent = StoredEvent & Required<Pick<StoredEvent, "seq" | "educatorId">>;

const eventSchema = new Schema<StoredEvent>(
  {
    type: { type: String, enum: eventTypeNames, required: true },
    at: { type: Date, required: true },
    data: { type: Schema.Types.Mixed, required: true },
    courseId: { type: Schema.Types.ObjectId, default: null },
    userIds: { type: [String], default: [] },
    unnumberedSince: { type: Date },
    seq: { type: Number },
    educatorId: { type: String },
    expiresAt: { type: Date },
  },
  { minimize: false },
);
/** Filters events that wait for their number. */
const unnumbered = { unnumberedSince: { $gt: new Date(0) } };
eventSchema.index({ unnumberedSince: 1, _id: 1 }, { partialFilterExpression: unnumbered });
eventSchema.index({ seq: 1 }, { unique: true, sparse: true });
// The events of a type, of an educator and of a course, oldest first.
eventSchema.index({ type: 1, seq: 1 });
eventSchema.index({ educatorId: 1, seq: 1 });
eventSchema.index({ educatorId: 1, type: 1, seq: 1 });
eventSchema.index({ courseId: 1, seq: 1 });
eventSchema.index({ userIds: 1 });
eventSchema.index({ expiresAt: 1 }, { expireAfterSeconds: 0 });

export const eventCollection = defineCollection<StoredEvent>({
  schema: eventSchema,
  holds: "a fact for other systems, with its place in the list of all events",
  kept: "`EVENT_RETENTION_DAYS`; erasure",
  userData: {
    owner: "userIds",
    section: "events",
    row: z.object({ type: z.string(), at: timestamp, data: z.record(z.string(), z.unknown()) }),
    erasure: "delete",
  },
});

/** The counter that numbers events. */
export interface EventCounter {
  _id: "events";
  last: number;
  /** Number of transactions that have numbered events. */
  turns?: number;
  /** When the first number was given: older facts have no events. */
  since?: Date;
}

export const eventCounterCollection = defineCollection<EventCounter>({
  schema: new Schema<EventCounter>({
    _id: { type: String, required: true },
    last: { type: Number, required: true },
    turns: Number,
    since: Date,
  }),
  holds: "the last number that an event got",
  kept: "for good",
  userData: "none",
});

export async function insertEvents(db: Models, events: readonly StoredEvent[], session: ClientSession): Promise<void> {
  await nativeCollection(db.Event).insertMany(events, { session });
}

/** Whether an event waits for its number. */
export async function hasUnnumberedEvents(db: Models): Promise<boolean> {
  return (await nativeCollection(db.Event).findOne(unnumbered, { projection: { _id: 1 } })) !== null;
}

/** The oldest events without a number. */
export function findUnnumberedEvents(db: Models, limit: number, session: ClientSession): Promise<StoredEvent[]> {
  const order = { unnumberedSince: 1, _id: 1 } as const;
  return nativeCollection(db.Event)
    .find(unnumbered, { session, limit, batchSize: limit + 1 })
    .sort(order)
    .toArray();
}

/**
 * Makes concurrent transactions that number events conflict at their first command, and not after their reads. So they
 * commit one after another, and an instance that lost the conflict can win the next one.
 */
export async function lockEventCounter(db: Models, session: ClientSession): Promise<void> {
  const change = { $inc: { turns: 1 }, $setOnInsert: { since: new Date() } };
  await nativeCollection(db.EventCounter).updateOne({ _id: "events" }, change, { session, upsert: true });
}

/** Takes the next numbers, in a transaction that has locked the counter. @returns the first number. */
export async function takeEventNumbers(db: Models, count: number, session: ClientSession): Promise<number> {
  const options = { session, returnDocument: "after" } as const;
  const counter = await nativeCollection(db.EventCounter).findOneAndUpdate(
    { _id: "events" },
    { $inc: { last: count } },
    options,
  );
  return (counter?.last ?? count) - count + 1;
}

/** Stores the numbers of events. */
export async function setEventNumbers(
  db: Models,
  events: readonly NumberedEvent[],
  expiresAt: Date,
  session: ClientSession,
): Promise<void> {
  const updates = events.map(({ _id, seq, educatorId }) => ({
    updateOne: {
      filter: { _id },
      update: { $set: { seq, educatorId, expiresAt }, $unset: { unnumberedSince: 1 as const } },
    },
  }));
  await nativeCollection(db.Event).bulkWrite(updates, { session });
}

/** The fields of an event that lists show, and its place in the list. */
export type ListedEvent = Pick<NumberedEvent, "_id" | "type" | "at" | "data" | "seq">;

/**
 * The numbered events behind a number, in the order of their numbers. A number that a failover could take back is not
 * read, because another event would then get the same number.
 */
export function findEvents(
  db: Models,
  filter: mongo.Filter<StoredEvent>,
  { after, limit }: { after: number; limit: number },
): Promise<ListedEvent[]> {
  const options = {
    projection: { type: 1, at: 1, data: 1, seq: 1 },
    readConcern: "majority",
    limit,
    batchSize: limit + 1,
  } as const;
  const found = nativeCollection(db.Event).find({ ...filter, seq: { $gt: after } }, options);
  return found.sort({ seq: 1 }).toArray() as Promise<ListedEvent[]>;
}
