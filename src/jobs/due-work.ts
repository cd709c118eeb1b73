import type { Model, QueryFilter } from "mongoose";

/** Counting stops at this number, so that a scrape stays cheap. */
export const mostCounted = 1_000;

/** What a job's work is, by when it is due. */
export interface DueWork {
  /** When the earliest is due; undefined when there is none. Asked at every look, so it is a cheap read. */
  nextDue(): Promise<Date | undefined>;
  /** What of it waits now. While nothing does, it costs no more than a look. */
  waiting(): Promise<WaitingWork>;
}

export interface WaitingWork {
  /** How much is due, 1000 at most. */
  readonly count: number;
  /** Since when the oldest has been due, attempts that failed included; undefined, or a time to come, when none is. */
  readonly since: Date | undefined;
}

interface DueOptions<T> {
  /** How much later than the date in the field a row is due. */
  readonly afterMs?: number;
  /** Where each failed attempt moves the date: the field that says since when the row has been due. */
  readonly since?: DateField<T>;
  /** An indexed field in the same order; `since` itself unless given. */
  readonly sinceOrder?: keyof T & string;
}

/** Names of the fields that hold a date. */
type DateField<T> = { [F in keyof T & string]: T[F] extends Date ? F : never }[keyof T & string];

/** Rows that are due at the date in a field, by its index. */
export function dueRows<T, F extends keyof T & string>(
  model: Model<T>,
  field: F,
  filter: QueryFilter<T> = {},
  { afterMs = 0, since, sinceOrder = since }: DueOptions<T> = {},
): DueWork {
  const dated = (range: object) => ({ ...filter, [field]: { $gt: new Date(0), ...range } }) as QueryFilter<T>;
  async function nextDue(): Promise<Date | undefined> {
    const row = await model
      .findOne(dated({}), { [field]: 1, _id: 0 })
      .sort({ [field]: 1 })
      .lean<Record<F, Date>>();
    return row?.[field] && new Date(row[field].getTime() + afterMs);
  }
  async function oldest(): Promise<Date | undefined> {
    if (!since || !sinceOrder) return nextDue();
    const row = await model
      .findOne(filter, { [since]: 1, _id: 0 })
      .sort({ [sinceOrder]: 1 })
      .lean<Record<string, Date>>();
    return row?.[since];
  }
  return {
    nextDue,
    async waiting() {
      const [now, first] = [Date.now(), await oldest()];
      if (!first || first.getTime() > now) return { count: 0, since: first };
      const count = await model.countDocuments(dated({ $lte: new Date(now - afterMs) })).limit(mostCounted);
      return { count, since: first };
    },
  };
}

/** Work of several kinds. */
export function allWork(...kinds: readonly DueWork[]): DueWork {
  return {
    nextDue: async () => earliest(await Promise.all(kinds.map((kind) => kind.nextDue()))),
    async waiting() {
      const each = await Promise.all(kinds.map((kind) => kind.waiting()));
      return {
        count: each.reduce((sum, { count }) => sum + count, 0),
        since: earliest(each.map(({ since }) => since)),
      };
    },
  };
}

const earliest = (dates: readonly (Date | undefined)[]): Date | undefined =>
  dates.filter((date) => date !== undefined).sort((a, b) => a.getTime() - b.getTime())[0];
