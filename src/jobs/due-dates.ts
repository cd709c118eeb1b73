import type { Model, QueryFilter, UpdateQuery } from "mongoose";
import type { ModelName } from "../models/index.js";
import { type FirstDate, maxCounted, type Work } from "./job.js";

export type Row<T> = T & { readonly _id: unknown };

const later = (date: Date | undefined, ms: number) => date && new Date(date.getTime() + ms);

type DateField<T> = { [F in keyof T & string]: T[F] extends Date ? F : never }[keyof T & string];

/** When rows are due, and since when. */
export interface DueDates<T> extends Pick<Work, "isDueWhenStored"> {
  /** Further conditions on the rows; the date has to be indexed with them. */
  readonly filter?: QueryFilter<T>;
  /** Further conditions on the rows that the backlog counts. */
  readonly counted?: QueryFilter<T>;
  /** A row is due this much later than its date. */
  readonly afterMs?: number;
  /** The field with the first due date, which failed attempts do not move. A row is overdue from this date on. */
  readonly since?: DateField<T>;
  /** An indexed field that sorts rows in the order of `since`; `since` itself by default. */
  readonly sinceOrder?: keyof T & string;
  /** The fields to read; all by default. */
  readonly fields?: Readonly<Record<string, 1>>;
}

export interface ReadOptions<T> {
  readonly which?: QueryFilter<T>;
  /** Ids of rows that are not read. */
  readonly left: readonly unknown[];
  readonly limit: number;
  /** Sorts by this field first. */
  readonly sortBy?: keyof T & string;
}

interface MoveOptions<T> {
  readonly guard: readonly (keyof T & string)[] | undefined;
  readonly inc?: string | undefined;
}

/** Reads which rows of a collection are due. */
export function dueDates<T>(
  model: Model<T>,
  field: (keyof T & string) | null,
  {
    filter = {},
    counted = {},
    afterMs = 0,
    since,
    sinceOrder = since,
    fields = {},
    isDueWhenStored = false,
  }: DueDates<T>,
) {
  const rows = { ...filter, ...counted };
  const dated = field === null ? {} : { [field]: { $gt: new Date(0) } };
  const order: Record<string, 1> = field === null ? {} : { [field]: 1 };
  const dueNow = () => (field === null ? {} : { [field]: { $gt: new Date(0), $lte: new Date(Date.now() - afterMs) } });
  async function readFirst(name: string, by: string, which: object): Promise<Date | undefined> {
    const row = await model
      .findOne(which as QueryFilter<T>, { [name]: 1, _id: 0 })
      .sort({ [by]: 1 })
      .lean<Record<string, Date>>();
    return row?.[name];
  }
  return {
    model: model.modelName as ModelName,
    isDueWhenStored,
    first: (): FirstDate => ({
      coll: model.collection.name,
      pipeline: [
        { $match: { ...filter, ...dated } },
        ...(field === null ? [] : [{ $sort: order }]),
        { $limit: 1 },
        { $project: { _id: 0, at: field === null ? { $literal: new Date(0) } : `$${field}` } },
      ],
      afterMs,
    }),
    async backlog() {
      const first =
        since && sinceOrder
          ? await readFirst(since, sinceOrder, rows)
          : field === null
            ? undefined
            : later(await readFirst(field, field, { ...rows, ...dated }), afterMs);
      if (field !== null && (!first || first.getTime() > Date.now())) return { count: 0, since: first };
      const count = await model.countDocuments({ ...rows, ...dueNow() } as QueryFilter<T>).limit(maxCounted);
      return { count, since: first };
    },
    /** Reads due rows, those that are due first. */
    read: ({ which = {}, left, limit, sortBy }: ReadOptions<T>): Promise<Row<T>[]> =>
      model
        .find(
          { ...filter, ...which, ...dueNow(), ...(left.length > 0 && { _id: { $nin: left } }) } as QueryFilter<T>,
          fields,
        )
        .sort({ ...(sortBy && { [sortBy]: 1 }), ...order })
        .limit(limit)
        .lean<Row<T>[]>()
        .exec(),
    /** Makes a row due at another date, unless a field of `guard` has changed since it was read. `inc` counts. */
    async move(row: Row<T>, date: Date, { guard, inc }: MoveOptions<T>): Promise<void> {
      if (field === null) return;
      const same = Object.fromEntries((guard ?? [field]).map((name) => [name, row[name] ?? null]));
      const update = { $set: { [field]: date }, ...(inc && { $inc: { [inc]: 1 } }) } as UpdateQuery<T>;
      await model.updateOne({ ...same, _id: row._id } as QueryFilter<T>, update, { timestamps: false });
    },
  };
}
