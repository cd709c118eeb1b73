import type { QueryFilter } from "mongoose";
import type { Db } from "../db/db.js";
import type { User } from "../models/user.js";
import { claimAfter, lapsedBy, patienceMs, waitBeforeLook } from "./claims.js";
import { countOnce, forgetKeys } from "./count-once.js";

const everybody = { _id: "people" };

/** Looks of `countPeople`; each one that repeats met a change of the total. */
const maxLooks = 10;

/**
 * The number of user records, exact at any time and at a cost that does not grow with it. Counting them would grow; the
 * collection's own metadata does not, but a database that was killed may have it wrong for good. So there is a running
 * total, moved once per record, and records that are not in it yet carry a mark.
 */
export async function countPeople(db: Db): Promise<number> {
  let people = 0;
  for (let look = 0; look < maxLooks; look += 1) {
    const total = await db.PeopleTotal.findById("people").select("+countedKeys").lean();
    const uncounted = await db.User.find({ counted: false }, { incarnation: 1 }).lean();
    const known = new Set(total?.countedKeys);
    people = (total?.people ?? 0) + uncounted.filter((user) => !known.has(arrival(user))).length;
    // Unmoved in between, so both looks are of one moment: who is counted but still marked is known by key.
    const after = await db.PeopleTotal.findById("people", { changes: 1 }).lean();
    if (after?.changes === total?.changes) break;
  }
  return people;
}

type Marked = Pick<User, "_id" | "incarnation" | "counted" | "claimedAt">;
const marks = { incarnation: 1, counted: 1, claimedAt: 1 };

/**
 * Takes a new record into the total, unless somebody else is at it. What a crash leaves out, the mark keeps for the
 * sweep.
 */
export async function countPerson(db: Db, userId: string): Promise<void> {
  const user = await db.User.findOne({ _id: userId, counted: false }, marks).lean<Marked>();
  const held = user && (await claim(db, user));
  if (!held) return;
  const { _id, incarnation, claimedAt } = held;
  const key = arrival(held);
  await countOnce(db.PeopleTotal, everybody, [{ key, inc: { people: 1, changes: 1 } }], { fresh: {} });
  const marked = await db.User.updateOne(
    { _id, incarnation, claimedAt },
    { $set: { counted: true }, $unset: { claimedAt: 1 } },
    { timestamps: false },
  );
  if (marked.matchedCount > 0 && !held.takenOver) await forgetKeys(db.PeopleTotal, everybody, [key]);
}

/** Removes a record and takes it out of the total. @returns whether there was one, and this call removed it. */
export async function removeCounted(db: Db, userId: string): Promise<boolean> {
  const giveUpAt = Date.now() + patienceMs;
  let looks = 0;
  do {
    const user = await db.User.findById(userId, marks).lean<Marked>();
    if (!user) return false;
    const held = await claim(db, user);
    if (held) return remove(db, held);
    await waitBeforeLook(looks++);
  } while (Date.now() < giveUpAt);
  throw new Error("a record of a person does not come to rest");
}

type Held = Marked & { readonly claimedAt: Date; readonly takenOver: boolean };

async function remove(db: Db, held: Held): Promise<boolean> {
  const { _id, incarnation, counted, claimedAt, takenOver } = held;
  const into = { key: arrival(held), inc: { people: 1, changes: 1 } };
  const out = { key: `${incarnation}:out`, inc: { people: -1, changes: 1 } };
  // Not counted and never in other hands: it is not in the total.
  const changes = counted ? [out] : takenOver ? [into, out] : [];
  await countOnce(db.PeopleTotal, everybody, changes, { fresh: {} });
  const { deletedCount } = await db.User.deleteOne({ _id, incarnation, claimedAt });
  const keys = changes.map(({ key }) => key);
  if (deletedCount > 0 && !takenOver) await forgetKeys(db.PeopleTotal, everybody, keys);
  return deletedCount > 0;
}

/** Undefined while somebody else is at the record. */
async function claim(db: Db, user: Marked): Promise<Held | undefined> {
  const { _id, incarnation, counted, claimedAt } = user;
  if (claimedAt && claimedAt > lapsedBy()) return undefined;
  const token = claimAfter(claimedAt);
  const taken = await db.User.updateOne(
    { _id, incarnation, counted, claimedAt: claimedAt ?? null } as QueryFilter<User>,
    { $set: { claimedAt: token } },
    { timestamps: false },
  );
  return taken.matchedCount > 0 ? { ...user, claimedAt: token, takenOver: claimedAt !== undefined } : undefined;
}

const arrival = ({ incarnation }: Pick<User, "incarnation">): string => `${incarnation}:in`;
