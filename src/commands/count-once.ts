import type { Model, mongo, QueryFilter } from "mongoose";
import { isDuplicateKey } from "../db/duplicate-key.js";

/*
 * How counters stay equal to a recount of the facts behind them, whatever runs at once and wherever a process dies.
 *
 *   1. The fact is written with a claim: a moment that names who is at it. Every later write of the fact names the
 *      claim.
 *   2. `countOnce` moves the counters and records a key of the change in the counting document, in one update. While
 *      the key is there, repeating that update does nothing.
 *   3. The fact is marked as counted and its claim is taken away.
 *   4. `forgetKeys` takes the key out again.
 *
 * A claim that has lapsed may be taken over, by a sweeper or by another call: it repeats 2 and 3 and leaves out 4, for
 * the former holder may come late. So a document holds the keys of changes under way, and of the few that crashed: its
 * size does not grow with what it counts, and no number of other changes makes a repeat count twice.
 */

/** Most keys that a document holds. Only as many crashes would reach it; the oldest key goes first. */
export const keysHeld = 1_000;

/** What one change of a fact moves. */
export interface Change {
  /** Names the fact and the change. */
  readonly key: string;
  readonly inc: Readonly<Record<string, number>>;
}

interface CountOptions {
  readonly fresh?: Readonly<Record<string, number>>;
  readonly max?: Readonly<Record<string, number>>;
}

/**
 * Moves a document's counters once per change that is not in them.
 * @param options `fresh`: when `filter` names no document, one is created with these fields; needs a unique index on
 *   the filter's. `max` raises fields to at least these values.
 */
export async function countOnce<T>(
  model: Model<T>,
  filter: QueryFilter<T>,
  changes: readonly Change[],
  options: CountOptions = {},
): Promise<void> {
  if (changes.length === 0 || (await countAll(model, filter, changes, options)) || changes.length === 1) return;
  // Some of them are in already.
  for (const change of changes) await countAll(model, filter, [change], options);
}

/** @returns false when one of the changes is known, or there is no such document. */
async function countAll<T>(
  model: Model<T>,
  filter: QueryFilter<T>,
  changes: readonly Change[],
  { fresh, max }: CountOptions,
): Promise<boolean> {
  const keys = changes.map(({ key }) => key);
  const $inc = total(changes);
  const update = {
    $inc,
    $push: { countedKeys: { $each: keys, $slice: -keysHeld } },
    ...(max ? { $max: max } : {}),
    ...(fresh ? { $setOnInsert: without(fresh, { ...$inc, ...max }) } : {}),
  };
  try {
    const unknown = { ...filter, countedKeys: { $nin: keys } };
    const result = await collectionOf(model).updateOne(unknown as object, update as object, {
      upsert: fresh !== undefined,
    });
    return result.matchedCount + result.upsertedCount > 0;
  } catch (error) {
    if (!fresh || !isDuplicateKey(error)) throw error;
    // A key is known, or another call created the document at this moment.
    return countAll(model, filter, changes, max ? { max } : {});
  }
}

function total(changes: readonly Change[]): Record<string, number> {
  const sum: Record<string, number> = {};
  for (const { inc } of changes) {
    for (const [field, by] of Object.entries(inc)) sum[field] = (sum[field] ?? 0) + by;
  }
  return sum;
}

const without = (fields: Readonly<Record<string, number>>, others: Readonly<Record<string, number>>) =>
  Object.fromEntries(Object.entries(fields).filter(([field]) => !(field in others)));

/** Takes out the keys of changes that are marked as counted. What a failure leaves does no harm. */
export async function forgetKeys<T>(model: Model<T>, filter: QueryFilter<T>, keys: readonly string[]): Promise<void> {
  if (keys.length === 0) return;
  const update = { $pull: { countedKeys: keys.length === 1 ? keys[0] : { $in: keys } } };
  await collectionOf(model).updateOne(filter as object, update as object);
}

const collectionOf = <T>(model: Model<T>) => model.collection as unknown as mongo.Collection;
