import type { Model, QueryFilter } from "mongoose";

/** More work is told as this much. */
const mostCounted = 1_000;

/** What a job's work is, by when it is due. */
export interface DueWork {
  /** When the earliest is due; undefined when there is none. Asked at every look, so it is a cheap read. */
  nextDue(): Promise<Date | undefined>;
  /** How much of it is due now, 1000 at most. */
  backlog(): Promise<number>;
}

/**
 * Rows that are due at the date in a field, by its index.
 * @param afterMs how much later than that they are due.
 */
export function dueRows<T, F extends keyof T & string>(
  model: Model<T>,
  field: F,
  filter: QueryFilter<T> = {},
  afterMs = 0,
): DueWork {
  const dated = (range: object) => ({ ...filter, [field]: { $gt: new Date(0), ...range } }) as QueryFilter<T>;
  return {
    async nextDue() {
      const row = await model
        .findOne(dated({}), { [field]: 1, _id: 0 })
        .sort({ [field]: 1 })
        .lean<Record<F, Date>>();
      return row?.[field] && new Date(row[field].getTime() + afterMs);
    },
    backlog: () => model.countDocuments(dated({ $lte: new Date(Date.now() - afterMs) })).limit(mostCounted),
  };
}

/** Work of several kinds. */
export function allWork(...kinds: readonly DueWork[]): DueWork {
  return {
    async nextDue() {
      const dates = await Promise.all(kinds.map((kind) => kind.nextDue()));
      return dates.filter((date) => date !== undefined).sort((a, b) => a.getTime() - b.getTime())[0];
    },
    async backlog() {
      const counts = await Promise.all(kinds.map((kind) => kind.backlog()));
      return counts.reduce((sum, count) => sum + count, 0);
    },
  };
}
