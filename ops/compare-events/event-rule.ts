import type { ClientSession, mongo, QueryFilter, Types } from "mongoose";
import type { Db } from "#server/db/db.js";
import type { StoredEvent } from "#server/models/events/event.js";
import type { EventType } from "#server/models/events/event-types.js";
import type { ModelName } from "#server/models/index.js";

/** Something that events are about, named by the fields of their data. */
export interface Subject {
  readonly key: string;
  readonly userId?: string;
  readonly courseId?: Types.ObjectId;
  readonly _id?: Types.ObjectId | string;
}

/** How many events of a fact there may be. */
export interface Expected {
  readonly min: number;
  readonly max: number;
  readonly subject: Subject;
}

/** A key of a fact, and what an event counts for it. */
export type Counted = readonly [key: string, count: number];

/** Events that one kind of subject has, and the facts that they report. */
export interface EventRule {
  readonly types: readonly EventType[];
  /** The collection whose rows are the subjects. */
  readonly model: ModelName;
  readonly filter?: mongo.Document;
  subjectOfRow(row: Row): Subject | undefined;
  subjectOfEvent(data: EventFields): Subject | undefined;
  /** Filters the events of subjects, by an index. */
  eventsOf(subjects: readonly Subject[]): QueryFilter<StoredEvent>;
  keysOf(event: Pick<StoredEvent, "type" | "data">): readonly Counted[];
  /** @param since an older fact may have lost its event. */
  expect(db: Db, subjects: readonly Subject[], since: Date, session?: ClientSession): Promise<Map<string, Expected>>;
}

/** A row of a subject's collection. */
export type Row = { _id: Types.ObjectId | string } & Partial<Record<"userId", string>> &
  Partial<Record<"courseId", Types.ObjectId>>;

/** The data of any event. */
export type EventFields = Partial<
  Record<"userId" | "courseId" | "purchaseId" | "importId" | "lectureId" | "chapterId" | "reason" | "version", string>
>;

/** The minimum number of events of a fact. A fact before `since` needs none. */
export const once = (at: Date | null | undefined, since: Date): 0 | 1 => (at && at >= since ? 1 : 0);
