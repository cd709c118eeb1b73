import type { Models } from "../models/index.js";
import type { User } from "../models/user.js";
import { countOnce } from "./count-once.js";

/**
 * The number of user records, exact at any time and at a cost that does not grow with it. Counting them would grow; the
 * collection's own metadata does not, but a database that was killed may have it wrong for good. So there is a running
 * total, moved once per record, and records that are not in it yet carry a mark.
 */
export async function countPeople(models: Models): Promise<number> {
  // In this order: who is counted between the two reads is known by key, and not counted twice.
  const uncounted = await models.User.find({ counted: false }, { incarnation: 1 }).lean();
  const total = await models.PeopleTotal.findById("people").select("+countedKeys").lean();
  const known = new Set(total?.countedKeys);
  return (total?.people ?? 0) + uncounted.filter((user) => !known.has(arrival(user))).length;
}

/** Takes a new record into the total. Safe to repeat; what a crash leaves out, the mark keeps for the next call. */
export async function countPerson(models: Models, userId: string): Promise<void> {
  const user = await models.User.findOne({ _id: userId, counted: false }, { incarnation: 1 }).lean();
  if (user) await count(models, user);
}

/** Removes a record and takes it out of the total. @returns whether there was one. */
export async function removeCounted(models: Models, userId: string): Promise<boolean> {
  const user = await models.User.findById(userId, { incarnation: 1, counted: 1 }).lean();
  if (!user) return false;
  // Another call may be counting it at this moment: once it is in the total it can be taken out.
  if (!user.counted) await count(models, user);
  const { incarnation } = user;
  await countOnce(models.PeopleTotal, { _id: "people" }, `${incarnation}:out`, { $inc: { people: -1 } });
  const { deletedCount } = await models.User.deleteOne({ _id: userId, incarnation });
  return deletedCount > 0;
}

async function count(models: Models, user: Pick<User, "_id" | "incarnation">): Promise<void> {
  const { _id, incarnation } = user;
  await countOnce(models.PeopleTotal, { _id: "people" }, arrival(user), { $inc: { people: 1 } }, { upsert: true });
  await models.User.updateOne({ _id, incarnation }, { $set: { counted: true } }, { timestamps: false });
}

const arrival = ({ incarnation }: Pick<User, "incarnation">): string => `${incarnation}:in`;
