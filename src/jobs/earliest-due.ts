import type { Model, QueryFilter } from "mongoose";

/** The earliest date in a field, by its index; undefined when no row that fits has one. */
export async function earliestDue<T, F extends keyof T & string>(
  model: Model<T>,
  field: F,
  filter: QueryFilter<T> = {},
): Promise<Date | undefined> {
  const dated = { ...filter, [field]: { $gt: new Date(0) } } as QueryFilter<T>;
  const row = await model
    .findOne(dated, { [field]: 1, _id: 0 })
    .sort({ [field]: 1 })
    .lean<Record<F, Date>>();
  return row?.[field];
}

/** The earlier of dates that may be missing. */
export function earlierOf(...dates: readonly (Date | undefined)[]): Date | undefined {
  const times = dates.flatMap((date) => (date ? [date.getTime()] : []));
  return times.length === 0 ? undefined : new Date(Math.min(...times));
}

/** A date so much later. */
export const laterBy = (date: Date | undefined, ms: number): Date | undefined => date && new Date(date.getTime() + ms);
