import { LRUCache } from "lru-cache";
import type { mongo } from "mongoose";
import type { Db } from "../../db/db.js";
import { findGroupCards, type GroupCard } from "../../models/community/community-group.js";

const keptCards = 5_000;
/** A group is never renamed nor deleted, so its card may be remembered. */
const cardsOfGroups = new WeakMap<Db, LRUCache<string, GroupCard>>();

/** What posts show of these groups, by id: one query for those that are not known, whatever their number. */
export async function groupCards(db: Db, groupIds: Iterable<mongo.ObjectId>): Promise<Map<string, GroupCard>> {
  const kept = cardsOfGroups.get(db) ?? new LRUCache<string, GroupCard>({ max: keptCards });
  cardsOfGroups.set(db, kept);
  const cards = new Map<string, GroupCard>();
  const unknown = new Map<string, mongo.ObjectId>();
  for (const groupId of groupIds) {
    const id = String(groupId);
    const card = kept.get(id);
    if (card) cards.set(id, card);
    else unknown.set(id, groupId);
  }
  if (unknown.size === 0) return cards;
  for (const card of await findGroupCards(db, [...unknown.values()])) {
    cards.set(String(card._id), card);
    kept.set(String(card._id), card);
  }
  return cards;
}
