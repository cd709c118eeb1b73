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
