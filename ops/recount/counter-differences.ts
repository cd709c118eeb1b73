import type { Db } from "#server/db/db.js";
import { orderedList } from "#server/db/ordered-list.js";
import { TransactionTimeout } from "#server/db/transaction.js";
import { readBatches } from "#server/lib/read-batches.js";
import type { ModelName } from "#server/models/index.js";
import { type Counted, type CounterRow, type Counters, modelOf } from "./counter-row.js";
import { counters } from "./counters.js";

/** A counter that is not what a count of its facts gives. */
export interface Difference {
  readonly collection: string;
  readonly id: string;
  readonly field: string;
  readonly stored: unknown;
  readonly counted: Counted;
  /** Whether it was corrected. */
  readonly fixed: boolean;
}

export interface RecountOptions {
  /** Corrects the counters that differ. */
  readonly fix: boolean;
  readonly signal?: AbortSignal;
  /** Compares the counters of these collections alone. */
  readonly models?: readonly ModelName[];
  /** Called after each batch. */
  readonly progress?: (collection: string, compared: number) => void;
}

const batchSize = 200;

/** Time limit of a transaction that counts the facts of one document. It is above that of a request. */
const deadlineMs = 20_000;

/**
 * Compares every stored counter with a count of its facts, batch by batch, while servers go on writing. A transaction
 * checks each difference again, because it sees facts and counter of one moment. Only what differs there is reported,
 * and corrected by `fix`.
 */
export async function* counterDifferences(db: Db, options: RecountOptions): AsyncGenerator<Difference> {
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
      options.progress?.(db[one.model].collection.collectionName, compared);
    }
  }
}

function read(db: Db, { model, fields, keys = [] }: Counters): AsyncGenerator<CounterRow[]> {
  const projection = Object.fromEntries([...fields, ...keys].map((field) => [field, 1]));
  const list = orderedList(modelOf(db, model), {
    filter: {},
    fields: projection as Record<string, 1>,
    sort: { _id: 1 },
  });
  return readBatches(list, batchSize);
}

type Wrong = Pick<Difference, "field" | "stored" | "counted">;

function differing({ fields }: Counters, row: CounterRow, counted: Record<string, Counted> = {}): Wrong[] {
  const both = fields.map((field) => {
    const facts = counted[field];
    return { field, stored: row[field], counted: facts === undefined ? 0 : facts };
  });
  return both.filter(({ stored, counted: facts }) => Number(stored ?? 0) !== Number(facts));
}

/** Reports the first difference when the facts are too many for one transaction, although servers may have changed them. */
async function confirm(db: Db, one: Counters, row: CounterRow, seen: Wrong[], fix: boolean): Promise<Difference[]> {
  try {
    return await recheck(db, one, row, fix);
  } catch (error) {
    if (!(error instanceof TransactionTimeout)) throw error;
    const collection = db[one.model].collection.collectionName;
    return seen.map((wrong) => ({ ...wrong, collection, id: String(row._id), fixed: false }));
  }
}

async function recheck(db: Db, one: Counters, { _id }: CounterRow, fix: boolean): Promise<Difference[]> {
  const model = modelOf(db, one.model);
  const found = await db.transaction(
    async (session) => {
      const row = await model.findOne({ _id }).session(session).lean<CounterRow>();
      if (!row) return [];
      const wrong = differing(one, row, (await one.count(db, [row], session)).get(String(_id)));
      if (fix && wrong.length > 0) {
        const $set = Object.fromEntries(wrong.map(({ field, counted }) => [field, counted]));
        await model.updateOne({ _id }, { $set }, { session, timestamps: false });
      }
      return wrong;
    },
    { deadlineMs },
  );
  return found.map((wrong) => ({
    ...wrong,
    collection: db[one.model].collection.collectionName,
    id: String(_id),
    fixed: fix,
  }));
}
