import type { ClientSession } from "mongoose";
import type { Db } from "../../db/db.js";
import { emailKey } from "../../lib/email-address.js";
import { showsNothing } from "../../lib/fields.js";
import { touchCatalog } from "../../models/courses/catalog-revision.js";
import { renameBuyer } from "../../models/payments/purchase-queries.js";
import { revokeKeysOf } from "../../models/users/api-key.js";
import { buyerOf, type Role, type RoleRecord, roles, type User, writeAccount } from "../../models/users/user.js";
import { audited, theSystem } from "../audit/record-audit.js";
import { hastenCertificates } from "../certificates/issue-certificate.js";
import { recordEvent } from "../events/record-event.js";
import { activateGrants, findRecipient } from "../grants/activate-grants.js";
import { forgetTokens } from "../notices/unsubscribe.js";

/** A verified message of the identity provider. */
export interface IdentityEvent {
  readonly type: string;
  readonly data: Record<string, unknown>;
  /** When it was sent, milliseconds since the epoch: orders events that do not say when the user changed. */
  readonly sentAt: number;
}

export type IdentityResult = "applied" | "stale" | "deleted" | "after_deletion" | "ignored";

/**
 * Applies one identity event, in a transaction. Created and updated are both upserts ordered by `updated_at`; an event
 * older than the newest applied event is stale. A deletion is final. Every event writes the account, so that two events
 * of one user never commit side by side, and deliveries in any order end in the same user, role and catalog.
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
      await removeProfile(db, session, userIdIn(event.data), { $set: { deletedAt: new Date() } });
      return "deleted";
    default:
      return "ignored";
  }
}

async function upsertUser(db: Db, session: ClientSession, event: IdentityEvent): Promise<IdentityResult> {
  const { type, data, sentAt } = event;
  const userId = userIdIn(data);
  const changedAt = typeof data.updated_at === "number" ? data.updated_at : sentAt;
  const isUpdate = type === "user.updated";
  // An update counts as later than a creation at the same moment.
  const order = isUpdate ? changedAt + 0.5 : changedAt;
  const account = await writeAccount(db, userId, { $max: { newestEvent: order } }, session);
  if (account?.deletedAt) return "after_deletion";
  const isNewest = (account?.newestEvent ?? order) <= order;
  const eventRole = roleInMetadata(data.public_metadata);
  if (!isNewest) {
    // A newer event has cleared the role that this event names. Without a record a token could still claim the role.
    const student = { role: "student" as const, writtenAt: new Date(changedAt) };
    const options = { session, upsert: true };
    if (eventRole) await db.RoleRecord.updateOne({ _id: userId }, { $setOnInsert: student }, options);
    return "stale";
  }
  const profile = profileIn(data);
  const before = await db.User.findOneAndUpdate(
    { _id: userId },
    {
      $set: { ...profile, providerUpdatedAt: new Date(changedAt) },
      ...(profile.verifiedEmail ? {} : { $unset: { verifiedEmail: 1 } }),
    },
    { session, upsert: true, returnDocument: "before" },
  ).lean();
  if (!before) await recordEvent(db, session, "user.created", { userId });
  const { verifiedEmail } = profile;
  if (before && before.verifiedEmail !== verifiedEmail) {
    // Who comes back to a former address gets mail there again.
    await db.SuppressedAddress.deleteMany({ userId }, { session });
    await forgetTokens(db, userId, session);
  }
  if (verifiedEmail && (await findRecipient(db, session, verifiedEmail)) === userId) {
    await activateGrants(db, session, { userId, email: verifiedEmail });
  }
  const getsName = before && showsNothing(before.name) && !showsNothing(profile.name);
  if (getsName) await hastenCertificates(db, session, userId);
  const [buyer, former] = [buyerOf({ _id: userId, ...profile }), before && buyerOf(before)];
  const isSameBuyer = former?.name === buyer.name && former.email === buyer.email;
  if (former && !isSameBuyer) await renameBuyer(db, session, buyer);
  const hasSameProfile = before?.name === profile.name && before.imageUrl === profile.imageUrl;
  if (account?.hasCourses && !hasSameProfile) await touchCatalog(db, session);
  if (eventRole !== undefined) {
    const hasPrograms = Boolean(account?.keysAdded || account?.webhooksAdded);
    await writeRole(db, session, { _id: userId, role: eventRole, writtenAt: new Date(changedAt), hasPrograms });
  }
  return "applied";
}

/**
 * Removes the user record, ends the user's API keys and switches off the user's webhooks. It changes the account too, so
 * that it conflicts with every other identity event.
 */
export async function removeProfile(
  db: Db,
  session: ClientSession,
  userId: string,
  change: Parameters<typeof writeAccount>[2],
): Promise<void> {
  const account = await writeAccount(db, userId, change, session);
  const { deletedCount } = await db.User.deleteOne({ _id: userId }, { session });
  if (account?.hasCourses && deletedCount > 0) await touchCatalog(db, session);
  if (account?.keysAdded) await revokeKeysOf(db, userId, session);
  if (account?.webhooksAdded) {
    await db.Webhook.updateMany({ createdBy: userId, active: true }, { $set: { active: false } }, { session });
  }
}

/** @returns null when the public metadata name no role; undefined when the event has no public metadata. */
function roleInMetadata(metadata: unknown): Role | null | undefined {
  if (typeof metadata !== "object" || metadata === null || Array.isArray(metadata)) return undefined;
  const { role } = metadata as { role?: unknown };
  if (role === undefined || role === null) return null;
  return roles.find((known) => known === role) ?? "student";
}

interface RoleOfEvent extends Pick<RoleRecord, "_id" | "writtenAt"> {
  readonly role: Role | null;
  /** The user has had API keys or webhooks, which act by the role without a token that claims it. */
  readonly hasPrograms: boolean;
}

/**
 * Writes the role of the newest event, unless the record is newer. A cleared role makes the user a student; a user without
 * record, API keys and webhooks needs no record for that. While an approval awaits the provider, only an administrator's role
 * counts, because events still carry the role from before it.
 */
async function writeRole(
  db: Db,
  session: ClientSession,
  { _id, role: eventRole, writtenAt, hasPrograms }: RoleOfEvent,
): Promise<void> {
  const record = await db.RoleRecord.findById(_id, null, { session }).lean<RoleRecord>();
  const role = eventRole ?? (record || hasPrograms ? "student" : null);
  if (role === null || role === record?.role) return;
  const isLate = record !== null && record.writtenAt > writtenAt;
  if (isLate && !(record.awaitsProvider && role === "admin")) return;
  if (record?.awaitsProvider && record.role === "educator" && role === "student") {
    await db.RoleRecord.updateOne({ _id }, { $max: { ignoredAt: writtenAt } }, { session });
    return;
  }
  await db.RoleRecord.updateOne({ _id }, { $set: { role, writtenAt } }, { session, upsert: true });
  if ((record?.role ?? "student") === role) return;
  const states = { before: { role: record?.role ?? null }, after: { role } };
  await audited(db, session, theSystem, "role.change", ["user", _id], states);
}

function userIdIn(data: Record<string, unknown>): string {
  if (typeof data.id !== "string" || data.id === "") throw new Error("an identity event without a user id");
  return data.id;
}

type Profile = Pick<User, "name" | "email" | "imageUrl" | "verifiedEmail">;

/** An address as the provider sends it. */
interface Address {
  readonly id?: unknown;
  readonly email_address?: unknown;
  readonly verification?: { readonly status?: unknown } | null;
}

function profileIn(data: Record<string, unknown>): Profile {
  const addresses = Array.isArray(data.email_addresses) ? (data.email_addresses as (Address | null)[]) : [];
  const [address] = addresses;
  const primary = addresses.find((one) => typeof one?.id === "string" && one.id === data.primary_email_address_id);
  const isVerified = primary?.verification?.status === "verified";
  const verifiedEmail = isVerified ? emailKey(text(primary.email_address, maxAddressLength)) : "";
  return {
    name: [text(data.first_name), text(data.last_name)].filter(Boolean).join(" "),
    email: text(address?.email_address, maxAddressLength),
    ...(verifiedEmail && { verifiedEmail }),
    imageUrl: text(data.image_url),
  };
}

/** Longest stored name or link, and longest stored e-mail address, in code points. */
const maxTextLength = 2_000;
const maxAddressLength = 320;

const text = (value: unknown, max = maxTextLength): string =>
  typeof value === "string"
    ? Array.from(value.trim().slice(0, 2 * max))
        .slice(0, max)
        .join("")
    : "";

/** A handled message was delivered again with the same or an older timestamp. */
export class Replayed extends Error {
  constructor() {
    super("a replayed identity webhook");
    this.name = "Replayed";
  }
}

/** Longer than the sender retries. */
const messageTtlMs = 8 * 24 * 60 * 60_000;

/**
 * Remembers a delivery of a message, in the transaction that handles it.
 * @returns "retry" when it was handled before and the timestamp is newer: a genuine retry, nothing is left to do.
 * @throws Replayed when it was handled before, with the same or an older timestamp.
 */
export async function rememberMessage(
  db: Db,
  session: ClientSession,
  { id, timestamp }: { id: string; timestamp: number },
): Promise<"first" | "retry"> {
  const before = await db.WebhookMessage.findOneAndUpdate(
    { _id: id },
    { $max: { timestamp }, $set: { expiresAt: new Date(Date.now() + messageTtlMs) } },
    { session, upsert: true, returnDocument: "before" },
  ).lean();
  if (before && before.timestamp >= timestamp) throw new Replayed();
  return before ? "retry" : "first";
}
