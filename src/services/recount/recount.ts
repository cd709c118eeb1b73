import type { Db } from "../../db/db.js";
import { TransactionTimeout } from "../../db/transaction.js";
import {
  type CounterRow,
  collectionName,
  findCounterRow,
  readCounterRows,
  setCounters,
} from "../../models/counter-rows.js";
import type { Models } from "../../models/index.js";
import { type Counters, counters } from "./counters.js";

/** A counter that is not what a count of its facts gives. */
export interface Difference {
  readonly collection: string;
  readonly id: string;
  readonly field: string;
  readonly stored: unknown;
  readonly counted: number;
  /** Whether it was put right. */
  readonly fixed: boolean;
}

export interface RecountOptions {
  /** Puts right what differs. */
  readonly fix: boolean;
  readonly signal?: AbortSignal;
  /** Compares the counters of these collections alone. */
  readonly models?: readonly (keyof Models)[];
  /** Told after each batch. */
  readonly progress?: (collection: string, compared: number) => void;
}

/** Documents of a batch. */
const batch = 200;

/** A transaction that counts the facts of one document may take longer than one of a request. */
const deadlineMs = 20_000;

/**
 * Compares every stored counter with a count of its facts, batch by batch, while servers go on writing. What seems to
 * differ is looked at once more in a transaction, which sees facts and counter of one moment: only what differs there
 * is told, and with `fix` put right by the same transaction.
 */
export async function* recount(db: Db, options: RecountOptions): AsyncGenerator<Difference> {
  const { models } = options;
  for (const one of counters.filter(({ model }) => models?.includes(model) ?? true)) {
    let compared = 0;
    for await (const rows of read(db, one)) {
      options.signal?.throwIfAborted();
      const counted = await one.count(db, rows);
      for (const row of rows) {
        const seen = differing(one, row, counted.get(String(row._id)));
        if (seen.length > 0) yield* await confirm(db, one, row, seen, options.fix);
      }
      compared += rows.length;
      options.progress?.(collectionName(db, one.model), compared);
    }
  }
}

async function* read(db: Db, { model, fields, keys = [] }: Counters): AsyncGenerator<CounterRow[]> {
  let after: unknown;
  for (;;) {
    const rows = await readCounterRows(db, model, { fields: [...fields, ...keys], after, limit: batch });
    if (rows.length > 0) yield rows;
    if (rows.length < batch) return;
    after = rows.at(-1)?._id;
  }
}

type Wrong = Pick<Difference, "field" | "stored" | "counted">;

function differing({ fields }: Counters, row: CounterRow, counted: Record<string, number> = {}): Wrong[] {
  const both = fields.map((field) => ({ field, stored: row[field], counted: counted[field] ?? 0 }));
  return both.filter(({ stored, counted: facts }) => (stored ?? 0) !== facts);
}

/** Facts that are too many for one transaction are told as they were seen, which servers may have overtaken. */
async function confirm(db: Db, one: Counters, row: CounterRow, seen: Wrong[], fix: boolean): Promise<Difference[]> {
  try {
    return await lookAgain(db, one, row, fix);
  } catch (error) {
    if (!(error instanceof TransactionTimeout)) throw error;
    const collection = collectionName(db, one.model);
    return seen.map((wrong) => ({ ...wrong, collection, id: String(row._id), fixed: false }));
  }
}

async function lookAgain(db: Db, one: Counters, { _id }: CounterRow, fix: boolean): Promise<Difference[]> {
  const found = await db.transaction(
    async (session) => {
      const row = await findCounterRow(db, one.model, _id, session);
      if (!row) return [];
      const wrong = differing(one, row, (await one.count(db, [row], session)).get(String(_id)));
      if (fix && wrong.length > 0) {
        const $set = Object.fromEntries(wrong.map(({ field, counted }) => [field, counted]));
        await setCounters(db, one.model, _id, { ...one.alongside, $set }, session);
      }
      return wrong;
    },
    { deadlineMs },
  );
  return found.map((wrong) => ({ ...wrong, collection: collectionName(db, one.model), id: String(_id), fixed: fix }));
}
