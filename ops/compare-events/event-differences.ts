import type { ClientSession, QueryFilter } from "mongoose";
import type { Db } from "#server/db/db.js";
import { orderedList } from "#server/db/ordered-list.js";
import { dayMs } from "#server/lib/days.js";
import { readBatches } from "#server/lib/read-batches.js";
import type { StoredEvent } from "#server/models/events/event.js";
import type { EventType } from "#server/models/events/event-types.js";
import { type CounterRow, modelOf } from "../recount/counter-row.js";
import type { EventFields, EventRule, Row, Subject } from "./event-rule.js";
import { eventRules } from "./event-rules.js";

const batchSize = 200;
const deadlineMs = 20_000;
const hourMs = 60 * 60_000;

/** One line for each fact or event that lacks the other. */
interface Problem {
  readonly line: string;
  readonly subject: Subject;
}

type Compared = Pick<StoredEvent, "_id" | "type" | "data">;

/**
 * Compares events with their facts, while servers go on writing: no fact without its event, no event without its fact. A
 * transaction checks each difference again. Facts that are older than the events that are kept need none.
 */
export async function* eventDifferences(
  db: Db,
  { eventRetentionDays, signal }: { eventRetentionDays: number; signal?: AbortSignal },
): AsyncGenerator<string> {
  const since = await oldestFact(db, eventRetentionDays);
  for (const rule of eventRules) {
    for await (const rows of readRows(db, rule)) {
      signal?.throwIfAborted();
      const subjects = rows.flatMap((row) => rule.subjectOfRow(row) ?? []);
      yield* report(db, rule, subjects, since, "facts");
    }
  }
  for await (const events of readEvents(db)) {
    signal?.throwIfAborted();
    for (const rule of eventRules) {
      const own = events.filter(({ type }) => rule.types.includes(type));
      const subjects = new Map(
        own.flatMap(({ data }) => {
          const subject = rule.subjectOfEvent(data as EventFields);
          return subject ? [[subject.key, subject] as const] : [];
        }),
      );
      yield* report(db, rule, [...subjects.values()], since, "events");
    }
  }
}

/** Finds the date after which facts need an event: events before it have expired, or were never recorded. */
async function oldestFact(db: Db, eventRetentionDays: number): Promise<Date> {
  const kept = new Date(Date.now() - eventRetentionDays * dayMs + hourMs);
  const counter = await db.EventCounter.findById("events").lean();
  const since = counter?.since ?? new Date();
  return since > kept ? since : kept;
}

async function* report(
  db: Db,
  rule: EventRule,
  subjects: readonly Subject[],
  since: Date,
  from: "facts" | "events",
): AsyncGenerator<string> {
  const suspects = new Map(
    (await compare(db, rule, subjects, since, from)).map(({ subject }) => [subject.key, subject]),
  );
  for (const subject of suspects.values()) {
    const again = (session: ClientSession) => compare(db, rule, [subject], since, from, session);
    for (const { line } of await db.transaction(again, { deadlineMs })) yield line;
  }
}

/** Finds facts with too few or too many events, or events without a fact. */
async function compare(
  db: Db,
  rule: EventRule,
  candidates: readonly Subject[],
  since: Date,
  from: "facts" | "events",
  session?: ClientSession,
): Promise<Problem[]> {
  const subjects = await withoutErasure(db, candidates, session);
  if (subjects.length === 0) return [];
  const expected = await rule.expect(db, subjects, since, session);
  const filter: QueryFilter<StoredEvent> = { ...rule.eventsOf(subjects), type: { $in: [...rule.types] } };
  const events = await db.Event.find(filter, { type: 1, data: 1 })
    .session(session ?? null)
    .lean<Compared[]>();
  if (from === "events") {
    const known = new Map(subjects.map((subject) => [subject.key, subject]));
    return events.flatMap((event) => {
      const subject = known.get(rule.subjectOfEvent(event.data as EventFields)?.key ?? "");
      const hasFact = rule.keysOf(event).every(([key]) => expected.has(key));
      return subject && !hasFact ? [{ subject, line: `event ${event._id} (${event.type}) has no fact` }] : [];
    });
  }
  const counts = new Map<string, number>();
  for (const [key, count] of events.flatMap((event) => rule.keysOf(event)))
    counts.set(key, (counts.get(key) ?? 0) + count);
  return [...expected].flatMap(([key, { min, max, subject }]) => {
    const count = counts.get(key) ?? 0;
    return count >= min && count <= max
      ? []
      : [{ subject, line: `${key}: ${count} events, expected ${min} to ${max}` }];
  });
}

/** Leaves out users under erasure, because an erasure removes facts and events one after the other. */
async function withoutErasure(db: Db, subjects: readonly Subject[], session?: ClientSession): Promise<Subject[]> {
  const users = [...new Set(subjects.flatMap(({ userId }) => userId ?? []))];
  if (users.length === 0) return [...subjects];
  const found = await db.Erasure.find({ _id: { $in: users } }, { _id: 1 }, { ...(session && { session }) }).lean();
  const erasing = new Set(found.map(({ _id }) => _id));
  return subjects.filter(({ userId }) => !erasing.has(userId ?? ""));
}

function readRows(db: Db, { model, filter = {} }: EventRule): AsyncGenerator<Row[]> {
  const fields = { userId: 1, courseId: 1 } as const;
  return readBatches(orderedList<CounterRow, Row>(modelOf(db, model), { filter, fields, sort: { _id: 1 } }), batchSize);
}

function readEvents(db: Db): AsyncGenerator<(Compared & { type: EventType })[]> {
  const fields = { type: 1, data: 1 } as const;
  return readBatches(orderedList<StoredEvent, Compared>(db.Event, { filter: {}, fields, sort: { _id: 1 } }), batchSize);
}
