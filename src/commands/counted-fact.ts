import { setTimeout as delay } from "node:timers/promises";
import { type Model, mongo, type QueryFilter } from "mongoose";
import { isDuplicateKey } from "../db/duplicate-key.js";
import { bare } from "../models/bare.js";
import type { CountedFact } from "../models/counted-fact.js";
import { forgetKeys, keysHeld } from "./count-once.js";

/*
 * How a counter stays equal to a recount of its facts, whatever runs at once and wherever a process dies.
 *
 *   join:  insert the fact `adding`  → counter +1 with the key `+id` → fact becomes `in`  → forget the key
 *   leave: fact from `in` to `removing` → counter −1 with the key `-id` → fact is deleted → forget the key
 *
 * The key is written by the same update that moves the counter, so repeating that update does nothing. Whoever is at a
 * fact holds a claim on it: the value of `unsettledSince`, which every later write of the fact names. A claim older
 * than `claimLastsMs` may be taken over, by a sweeper or by the next toggle. A former holder that goes on all the same,
 * however late, changes nothing: whoever took over leaves the key where it is. Only a holder that nobody disturbed
 * forgets it. So a document holds the keys of changes under way and of the few that were taken over: its size does not
 * grow with its votes. A fact that two documents count moves both, one after the other, under the same key and the same
 * claim.
 */

/** After this time a claim counts as left behind by a crash. No correctness rests on it. */
export const claimLastsMs = 5_000;

/** A fact in the hands of whoever called `claim` or `takeOver`. */
export type Claimed<F extends CountedFact> = F & { unsettledSince: Date; takenOver?: true };

/** The counter that a kind of fact moves. */
export interface Counter<C> {
  readonly model: Model<C>;
  /** Names the counting document while it may still be counted in: nothing matches once it is gone. */
  readonly counted: QueryFilter<C>;
  /** What one more fact adds. */
  readonly add: Readonly<Record<string, number>>;
  /** What one fact less takes; negative. */
  readonly take: Readonly<Record<string, number>>;
}

export interface SettleOptions<F extends CountedFact, A = never> {
  /** A second counter that the fact moves. */
  readonly also?: Counter<A> | undefined;
  /**
   * What must be gone before the fact itself is deleted; may be repeated. `renew` keeps the claim through long work,
   * and tells when it is lost to somebody else.
   * @returns false when it gave up, for want of time or of the claim: the rest is left to others.
   */
  readonly cleanUp?: (fact: Claimed<F>, renew: () => Promise<boolean>) => Promise<boolean>;
}

/** The fields of a new or changed fact that mark it as being worked on by the caller. */
export function claim<S extends "adding" | "removing">(state: S): { state: S; unsettledSince: Date } {
  return { state, unsettledSince: new Date() };
}

export function isClaimed<F extends CountedFact>(fact: F): fact is Claimed<F> {
  return fact.unsettledSince !== undefined;
}

export const isAbandoned = (fact: CountedFact): boolean =>
  fact.unsettledSince !== undefined && Date.now() - fact.unsettledSince.getTime() > claimLastsMs;

/**
 * Brings a claimed fact to its end: counted and `in`, or uncounted and deleted.
 * @returns the counting document right after, or null when there is none any more (an `adding` fact is deleted then).
 */
export async function settle<F extends CountedFact, C, A = never>(
  facts: Model<F>,
  fact: Claimed<F>,
  counter: Counter<C>,
  { also, cleanUp }: SettleOptions<F, A> = {},
): Promise<C | null> {
  const joins = fact.state === "adding";
  const key = `${joins ? "+" : "-"}${fact._id}`;
  const counted = await move(counter, key, joins ? counter.add : counter.take);
  if (also && (counted || !joins)) await move(also, key, joins ? also.add : also.take);
  const forgetKey = async () => {
    if (fact.takenOver) return;
    if (counted) await forgetKeys(counter.model, counter.counted, [key]);
    if (also) await forgetKeys(also.model, also.counted, [key]);
  };
  if (joins && counted) {
    const settled = await bare(facts).updateOne(heldBy(fact), {
      $set: { state: "in" },
      $unset: { unsettledSince: 1 },
    } as unknown as mongo.UpdateFilter<F>);
    if (settled.modifiedCount > 0) await forgetKey();
    return counted;
  }
  let held = fact;
  const renew = async () => {
    const renewed = await renewClaim(facts, held);
    held = renewed ?? held;
    return renewed !== null;
  };
  if (cleanUp && !(await cleanUp(fact, renew))) return counted;
  const removed = await bare(facts).deleteOne(heldBy(held));
  if (removed.deletedCount > 0) await forgetKey();
  return counted;
}

/** Takes the claim on a fact that was read and found abandoned; null when somebody else was faster. */
export async function takeOver<F extends CountedFact>(facts: Model<F>, fact: Claimed<F>): Promise<Claimed<F> | null> {
  const taken = await renewClaim(facts, fact);
  return taken && { ...taken, takenOver: true };
}

async function renewClaim<F extends CountedFact>(facts: Model<F>, fact: Claimed<F>): Promise<Claimed<F> | null> {
  const now = new Date(Math.max(Date.now(), fact.unsettledSince.getTime() + 1));
  const renew = { $set: { unsettledSince: now } } as unknown as mongo.UpdateFilter<F>;
  const renewed = await bare(facts).updateOne(heldBy(fact), renew);
  return renewed.matchedCount > 0 ? { ...fact, unsettledSince: now } : null;
}

/**
 * Makes a fact if there is none, unmakes it if there is one. Callers that meet at one fact take turns.
 * @param identity the fact's unique key, in the types that are stored: nothing is cast.
 * @returns whether the fact is there now, and the counting document right after; null when that is gone.
 */
export async function toggleFact<F extends CountedFact, C>(
  facts: Model<F>,
  identity: Partial<F>,
  counter: Counter<C>,
): Promise<{ on: boolean; counted: C } | null> {
  const giveUpAt = Date.now() + 3 * claimLastsMs;
  const settled = async (fact: Claimed<F>) => {
    const counted = await settle(facts, fact, counter);
    return counted && { on: fact.state === "adding", counted };
  };
  while (Date.now() < giveUpAt) {
    const found = (await bare(facts).findOne(identity as mongo.Filter<F>)) as F | null;
    if (!found) {
      const added = await insert(facts, identity);
      if (added) return settled(added);
    } else if (found.state === "in") {
      const leaving = await leave(facts, { _id: found._id } as Partial<F>);
      if (leaving) return settled(leaving);
    } else if (isClaimed(found) && isAbandoned(found)) {
      const taken = await takeOver(facts, found);
      if (taken) await settle(facts, taken, counter);
    } else {
      await delay(10 + Math.random() * 20);
    }
  }
  throw new Error("another change of the same fact did not end");
}

/**
 * Claims a fact for removal; null when it is not there, or not `in`, any more.
 * @param filter in the types that are stored, as is what is `set` with it.
 */
export async function leave<F extends CountedFact>(
  facts: Model<F>,
  filter: Partial<F>,
  set: object = {},
): Promise<Claimed<F> | null> {
  const left = await bare(facts).findOneAndUpdate(
    { ...filter, state: "in" } as mongo.Filter<F>,
    { $set: { ...set, ...claim("removing") } } as unknown as mongo.UpdateFilter<F>,
    { returnDocument: "after" },
  );
  return left as Claimed<F> | null;
}

async function insert<F extends CountedFact>(facts: Model<F>, fields: Partial<F>): Promise<Claimed<F> | null> {
  try {
    const adding = claim("adding");
    const { unsettledSince: now } = adding;
    const fact = { _id: new mongo.ObjectId(), ...fields, ...adding, createdAt: now, updatedAt: now };
    await bare(facts).insertOne(fact as unknown as mongo.OptionalUnlessRequiredId<F>);
    return fact as unknown as Claimed<F>;
  } catch (error) {
    if (isDuplicateKey(error)) return null;
    throw error;
  }
}

async function move<C>(
  { model, counted }: Counter<C>,
  key: string,
  by: Readonly<Record<string, number>>,
): Promise<C | null> {
  const counters = model.collection as unknown as mongo.Collection;
  const moved = (await counters.findOneAndUpdate(
    { ...counted, countedKeys: { $ne: key } } as object,
    { $inc: by, $push: { countedKeys: { $each: [key], $slice: -keysHeld } } } as object,
    { returnDocument: "after", projection: { countedKeys: 0 } },
  )) as C | null;
  // Nothing moved: the key is in already, or the document is gone.
  return moved ?? model.findOne(counted).lean<C>();
}

const heldBy = <F extends CountedFact>({ _id, state, unsettledSince }: Claimed<F>) =>
  ({ _id, state, unsettledSince }) as unknown as mongo.Filter<F>;
