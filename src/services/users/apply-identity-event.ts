import type { ClientSession } from "mongoose";
import type { Db } from "../../db/db.js";
import { bare } from "../../models/bare.js";
import type { Account, RoleRecord } from "../../models/user.js";
import { recordAudit } from "../audit/record-audit.js";
import { touchCatalog } from "../courses/catalog-revision.js";

/** A verified message of the identity provider. */
export interface IdentityEvent {
  readonly type: string;
  readonly data: Record<string, unknown>;
  /** When it was sent, milliseconds since the epoch: orders events that do not say when the user changed. */
  readonly sentAt: number;
}

export type IdentityResult = "applied" | "stale" | "deleted" | "tombstoned" | "ignored";

/**
 * Applies one identity event, in a transaction (specification, Events; contract, webhooks). Created and updated are both
 * upserts ordered by `updated_at`; a deletion is final. Any deliveries in any order, at once or not, end in the same
 * user, role and catalog: every event writes the account, so no two for one user are applied at the same moment.
 * @throws when the event cannot be read.
 */
export async function applyIdentityEvent(
  db: Db,
  session: ClientSession,
  event: IdentityEvent,
): Promise<IdentityResult> {
  switch (event.type) {
    case "user.created":
    case "user.updated":
      return upsertUser(db, session, event);
    case "user.deleted":
      return deleteUser(db, session, userIdIn(event.data));
    default:
      return "ignored";
  }
}

async function upsertUser(db: Db, session: ClientSession, event: IdentityEvent): Promise<IdentityResult> {
  const { type, data, sentAt } = event;
  const userId = userIdIn(data);
  const changedAt = typeof data.updated_at === "number" ? data.updated_at : sentAt;
  const isUpdate = type === "user.updated";
  // Of a creation and an update that name the same moment the update is the later.
  const order = isUpdate ? changedAt + 0.5 : changedAt;
  const account = await writeAccount(db, session, userId, { $max: { newestEvent: order } });
  if (account?.deletedAt) return "tombstoned";
  const isNewest = (account?.newestEvent ?? order) <= order;
  if (isNewest) {
    const profile = profileIn(data);
    const before = await db.User.findOneAndUpdate(
      { _id: userId },
      { $set: profile },
      { session, upsert: true, returnDocument: "before" },
    ).lean();
    const looksTheSame = before?.name === profile.name && before.imageUrl === profile.imageUrl;
    if (account?.hasCourses && !looksTheSame) await touchCatalog(db, session, { educatorId: userId });
  }
  await writeRole(db, session, userId, { metadata: data.public_metadata, changedAt, isUpdate });
  return isNewest ? "applied" : "stale";
}

async function deleteUser(db: Db, session: ClientSession, userId: string): Promise<IdentityResult> {
  await removeProfile(db, session, userId, { $set: { deletedAt: new Date() } });
  return "deleted";
}

/** Removes the user record, while the account, which every identity event writes, is changed in the same transaction. */
export async function removeProfile(
  db: Db,
  session: ClientSession,
  userId: string,
  change: AccountChange,
): Promise<void> {
  const account = await writeAccount(db, session, userId, change);
  const { deletedCount } = await db.User.deleteOne({ _id: userId }, { session });
  if (account?.hasCourses && deletedCount > 0) await touchCatalog(db, session, { educatorId: userId });
}

type AccountChange = { $max: { newestEvent: number } } | { $set: { deletedAt: Date } };

/** @returns the account as it was before. */
async function writeAccount(
  db: Db,
  session: ClientSession,
  userId: string,
  update: AccountChange,
): Promise<Account | null> {
  const options = { session, upsert: true, returnDocument: "before" } as const;
  return bare(db.Account).findOneAndUpdate({ _id: userId }, update, options);
}

const known = ["student", "educator", "admin"] as const;

/**
 * The newest word on a role counts, the provider's or an administrator's; an event that names none leaves it as it is.
 * So an event that is too old for the profile may still hold the newest word on the role.
 */
async function writeRole(
  db: Db,
  session: ClientSession,
  userId: string,
  { metadata, changedAt, isUpdate }: { metadata: unknown; changedAt: number; isUpdate: boolean },
): Promise<void> {
  const named = (metadata as { role?: unknown } | null | undefined)?.role;
  if (named === undefined || named === null) return;
  const role = known.find((one) => one === named) ?? "student";
  const writtenAt = new Date(changedAt);
  // A record that does not exist is older than any date.
  const isNewer = { [isUpdate ? "$gte" : "$gt"]: [writtenAt, "$writtenAt"] };
  const kept = (field: "role" | "writtenAt", value: unknown) => ({ $cond: [isNewer, value, `$${field}`] });
  const update = [{ $set: { role: kept("role", role), writtenAt: kept("writtenAt", writtenAt) } }];
  const written = { session, upsert: true, returnDocument: "before" } as const;
  const before: RoleRecord | null = await bare(db.RoleRecord).findOneAndUpdate({ _id: userId }, update, written);
  const applied = !before || (isUpdate ? writtenAt >= before.writtenAt : writtenAt > before.writtenAt);
  if (!applied || (before?.role ?? "student") === role) return;
  await recordAudit(db, session, {
    actorId: "system",
    action: "role.change",
    targetKind: "user",
    targetId: userId,
    before: { role: before?.role ?? null },
    after: { role },
  });
}

function userIdIn(data: Record<string, unknown>): string {
  if (typeof data.id !== "string" || data.id === "") throw new Error("an identity event without a user id");
  return data.id;
}

function profileIn(data: Record<string, unknown>): { name: string; email: string; imageUrl: string } {
  const [address] = Array.isArray(data.email_addresses) ? (data.email_addresses as unknown[]) : [];
  return {
    name: [text(data.first_name), text(data.last_name)].filter(Boolean).join(" "),
    email: text((address as { email_address?: unknown } | null | undefined)?.email_address),
    imageUrl: text(data.image_url),
  };
}

const text = (value: unknown): string => (typeof value === "string" ? value.trim() : "");
