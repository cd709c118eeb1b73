import { type Model, mongo, type QueryFilter, type UpdateQuery } from "mongoose";

/** How many newest keys a document remembers. */
const remembered = 200;

/**
 * Moves a document's counters exactly once per `key`, however often and by however many it is called: the key is recorded
 * in the document by the same atomic update that moves them.
 *
 * The pattern around it survives a crash between any two writes: (1) write the fact with an uncounted mark (a unique insert
 * or a conditional update), (2) `countOnce` with a key that names the fact, (3) clear the mark. A sweeper repeats 2 and 3
 * for facts that stayed marked. A document remembers its 200 newest keys, so a repeat must come before 200 other changes
 * of the same document; sweepers run within a minute.
 *
 * @param update what to change beside the key; `$push` is not available.
 * @param upsert creates the document when `filter` names none; needs a unique index on the filter's fields.
 * @returns whether this call moved the counters.
 */
export async function countOnce<T>(
  model: Model<T>,
  filter: QueryFilter<T>,
  key: string,
  update: UpdateQuery<T>,
  { upsert = false }: { upsert?: boolean } = {},
): Promise<boolean> {
  try {
    const result = await model.updateOne(
      { ...filter, countedKeys: { $ne: key } } as QueryFilter<T>,
      { ...update, $push: { countedKeys: { $each: [key], $slice: -remembered } } } as UpdateQuery<T>,
      { upsert, timestamps: false },
    );
    return result.modifiedCount + result.upsertedCount > 0;
  } catch (error) {
    if (!upsert || !isDuplicateKey(error)) throw error;
    // Two readings: the key is counted already, or another call created the document at this moment.
    const known = await model.exists({ ...filter, countedKeys: key } as QueryFilter<T>);
    return known ? false : countOnce(model, filter, key, update, { upsert: false });
  }
}

/** True for a write that a unique index refused (code 11000). */
export function isDuplicateKey(error: unknown): error is mongo.MongoServerError {
  return error instanceof mongo.MongoServerError && error.code === 11000;
}
