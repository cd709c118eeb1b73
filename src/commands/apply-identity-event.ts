import type { Db } from "../db/db.js";
import { isDuplicateKey } from "../db/duplicate-key.js";
import { changeCatalog } from "./catalog-revision.js";
import { countPerson, removeCounted } from "./people-total.js";
import { recordAudit } from "./record-audit.js";

/** A verified message of the identity provider. */
export interface IdentityEvent {
  readonly type: string;
  readonly data: Record<string, unknown>;
  /** When it was sent, milliseconds since the epoch: orders events that do not say when the person changed. */
  readonly sentAt: number;
}

export type IdentityOutcome = "applied" | "stale" | "deleted" | "tombstoned" | "ignored";

/**
 * Applies one identity event (specification, Events; contract, webhooks). Created and updated are both upserts ordered
 * by `updated_at`; a deletion is final. Every order of any number of deliveries, at once or not, ends in the same
 * person.
 * @throws when the event cannot be read or stored; repeating it is harmless.
 */
export async function applyIdentityEvent(db: Db, event: IdentityEvent): Promise<IdentityOutcome> {
  switch (event.type) {
    case "user.created":
    case "user.updated":
      return upsertPerson(db, event);
    case "user.deleted":
      return deletePerson(db, personId(event.data));
    default:
      return "ignored";
  }
}

async function upsertPerson(db: Db, { type, data, sentAt }: IdentityEvent): Promise<IdentityOutcome> {
  const userId = personId(data);
  const changedAt = typeof data.updated_at === "number" ? data.updated_at : sentAt;
  if (await isDeleted(db, userId)) return "tombstoned";
  // Of a creation and an update that name the same moment the update is the later.
  const applied = await writePerson(db, userId, data, type === "user.updated" ? changedAt + 0.5 : changedAt);
  // A deletion may have come since the first look: it wrote its tombstone before it looked for somebody to remove.
  if (await isDeleted(db, userId)) return "tombstoned";
  await writeRole(db, userId, data.public_metadata, { changedAt, update: type === "user.updated" });
  return applied ? "applied" : "stale";
}

async function isDeleted(db: Db, userId: string): Promise<boolean> {
  if (!(await db.UserTombstone.exists({ _id: userId }))) return false;
  await removePerson(db, userId);
  return true;
}

/** @returns false when something newer is stored. */
async function writePerson(db: Db, userId: string, data: Record<string, unknown>, order: number): Promise<boolean> {
  const [address] = Array.isArray(data.email_addresses) ? (data.email_addresses as unknown[]) : [];
  const profile = {
    name: [text(data.first_name), text(data.last_name)].filter(Boolean).join(" "),
    email: text((address as { email_address?: unknown } | null | undefined)?.email_address),
    imageUrl: text(data.image_url),
  };
  try {
    await db.User.updateOne(
      { _id: userId, providerUpdatedAt: { $lte: order } },
      { $set: { ...profile, providerUpdatedAt: order } },
      { upsert: true },
    );
  } catch (error) {
    if (isDuplicateKey(error)) return false;
    throw error;
  }
  await countPerson(db, userId);
  await renewCatalog(db, userId);
  return true;
}

async function deletePerson(db: Db, userId: string): Promise<IdentityOutcome> {
  try {
    await db.UserTombstone.updateOne(
      { _id: userId },
      { $setOnInsert: { deletedAt: new Date() } },
      { upsert: true, writeConcern: { w: "majority" } },
    );
  } catch (error) {
    if (!isDuplicateKey(error)) throw error;
  }
  await removePerson(db, userId);
  return "deleted";
}

async function removePerson(db: Db, userId: string): Promise<void> {
  if (await removeCounted(db, userId)) await renewCatalog(db, userId);
}

/** The catalog shows educators: copies made before this are no longer served. A repeat of the event repeats it. */
async function renewCatalog(db: Db, userId: string): Promise<void> {
  if (await db.Course.exists({ educatorId: userId })) await changeCatalog(db, async () => undefined);
}

const known = ["student", "educator", "admin"] as const;

/**
 * The newest word on a role counts, whoever said it; an event that names none leaves it as it is. So an event that is
 * too old for the profile may still hold the newest word on the role: the order of deliveries makes no difference.
 */
async function writeRole(
  db: Db,
  userId: string,
  metadata: unknown,
  { changedAt, update }: { changedAt: number; update: boolean },
): Promise<void> {
  const named = (metadata as { role?: unknown } | null | undefined)?.role;
  if (named === undefined || named === null) return;
  const role = known.find((one) => one === named) ?? "student";
  const writtenAt = new Date(changedAt);
  try {
    const before = await db.RoleRecord.findOneAndUpdate(
      { _id: userId, writtenAt: update ? { $lte: writtenAt } : { $lt: writtenAt } },
      { $set: { role, writtenAt } },
      { upsert: true, returnDocument: "before" },
    ).lean();
    if ((before?.role ?? "student") === role) return;
    await recordAudit(db, {
      actorId: "system",
      action: "role.change",
      targetKind: "user",
      targetId: userId,
      before: { role: before?.role ?? null },
      after: { role },
    });
  } catch (error) {
    if (!isDuplicateKey(error)) throw error; // a newer record stays
  }
}

function personId(data: Record<string, unknown>): string {
  if (typeof data.id !== "string" || data.id === "") throw new Error("an identity event without a user id");
  return data.id;
}

const text = (value: unknown): string => (typeof value === "string" ? value.trim() : "");
