import type { ClientSession, UpdateQuery } from "mongoose";
import type { Db } from "../../../db/db.js";
import { utcHour } from "../../../lib/days.js";
import type { ModelName } from "../../../models/index.js";
import type { FrontendLinks } from "../frontend-links.js";
import type { NoticeText, NoticeType } from "../notice-types.js";

/** A notice before its user's preferences are known. */
export interface PlannedNotice extends NoticeText {
  readonly type: NoticeType;
  readonly userId: string;
  /** Whose turn its mail is; the user's unless given. */
  readonly ownerId?: string;
  /** Names the cause among all causes of the type. */
  readonly cause: string;
  /** No notice of the cause exists, because the cause gets the date of its notice once. */
  readonly isNew?: true;
  /** Number of causes that are collapsed into the notice; 1 unless given. */
  readonly count?: number;
  /** The notice of the cause, if there is one, counts these causes in addition. No cause comes twice. */
  readonly isAdded?: true;
}

/** What the rows of a batch lead to. */
export interface NoticePlan {
  readonly notices: readonly PlannedNotice[];
  /** Change of the rows; by default they are no longer due. */
  readonly update?: UpdateQuery<Record<string, unknown>>;
}

export interface PlanContext {
  readonly db: Db;
  readonly session: ClientSession;
  readonly links: FrontendLinks;
}

/** A collection whose rows cause notices. A row is due at its `noticeDueAt`. */
export interface NoticeSource<Row = unknown> {
  readonly model: ModelName;
  /** Fields of a row that the plan needs. */
  readonly fields: Readonly<Record<string, 1>>;
  /** Maximum number of rows in a batch; the maximum number of notices unless given. */
  readonly maxRows?: number;
  /** Owners of rows who take turns, one row each. The plan of a row may leave it due. */
  readonly turnsBy?: string;
  /** Plans at most `maxNotices` notices. */
  plan(context: PlanContext, rows: readonly Row[]): Promise<NoticePlan>;
}

/** Filters the moments of the UTC hour of a moment. Notices that collapse have the hour in their cause. */
export function withinHourOf(at: Date): { $gte: Date; $lt: Date } {
  const from = new Date(`${utcHour(at)}:00:00Z`);
  return { $gte: from, $lt: new Date(from.getTime() + 3_600_000) };
}

/** Maximum number of notices of one transaction. Short transactions leave room for requests. */
export const maxNotices = 50;
