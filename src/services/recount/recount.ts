import type { mongo } from "mongoose";
import type { Db } from "../../db/db.js";
import { readInOrder } from "../../db/read-in-order.js";
import { TransactionTimeout } from "../../db/transaction.js";
import type { Models } from "../../models/index.js";
import { type Counters, counters, type Row } from "./counters.js";

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
  for (const one of counters) {
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

function read(db: Db, { model, fields, keys = [] }: Counters): AsyncGenerator<Row[]> {
  const selected = Object.fromEntries([...fields, ...keys].map((field) => [field, 1] as const));
  return readInOrder<unknown, Row>(db[model] as unknown as Parameters<typeof readInOrder<unknown, Row>>[0], {
    filter: {},
    fields: selected,
    sort: { _id: 1 },
    size: batch,
  });
}

type Wrong = Pick<Difference, "field" | "stored" | "counted">;

function differing({ fields }: Counters, row: Row, counted: Record<string, number> = {}): Wrong[] {
  const both = fields.map((field) => ({ field, stored: row[field], counted: counted[field] ?? 0 }));
  return both.filter(({ stored, counted: facts }) => stored !== facts);
}

/** Facts that are too many for one transaction are told as they were seen, which servers may have overtaken. */
async function confirm(db: Db, one: Counters, row: Row, seen: Wrong[], fix: boolean): Promise<Difference[]> {
  try {
    return await lookAgain(db, one, row, fix);
  } catch (error) {
    if (!(error instanceof TransactionTimeout)) throw error;
    const collection = db[one.model].collection.collectionName;
    return seen.map((wrong) => ({ ...wrong, collection, id: String(row._id), fixed: false }));
  }
}

async function lookAgain(db: Db, one: Counters, { _id }: Row, fix: boolean): Promise<Difference[]> {
  const collection = db[one.model as keyof Models].collection as unknown as mongo.Collection;
  const found = await db.transaction(
    async (session) => {
      const row = (await collection.findOne({ _id: _id as mongo.ObjectId }, { session })) as Row | null;
      if (!row) return [];
      const wrong = differing(one, row, (await one.count(db, [row], session)).get(String(_id)));
      if (fix && wrong.length > 0) {
        const $set = Object.fromEntries(wrong.map(({ field, counted }) => [field, counted]));
        await collection.updateOne({ _id: _id as mongo.ObjectId }, { ...one.alongside, $set }, { session });
      }
      return wrong;
    },
    { deadlineMs },
  );
  return found.map((wrong) => ({ ...wrong, collection: collection.collectionName, id: String(_id), fixed: fix }));
}
