import { type ClientSession, type QueryFilter, Types } from "mongoose";
import type { Db } from "../../db/db.js";
import { findAfter } from "../../db/find-after.js";
import type { Deps } from "../../deps.js";
import { failure, requireAccepted, Unauthenticated } from "../../lib/errors.js";
import { eventTypes } from "../../models/events/event-types.js";
import {
  maxWebhooksPerOwner,
  type Webhook,
  type WebhookRole,
  type WebhookType,
  webhookTypes,
} from "../../models/events/webhook.js";
import { allCoursesInReach, recordWebhookChange } from "../../models/users/api-key.js";
import { actorOf, type Manager } from "../../models/users/manager.js";
import { accountMutex, writeAccount } from "../../models/users/user.js";
import { recordAudit } from "../audit/record-audit.js";
import { createSecret, oldSecretsSignMs } from "./sign-message.js";

export const WebhookNotFound = failure("webhook_not_found", 404, "Webhook not found");
export const TooManyWebhooks = failure("too_many_webhooks", 409, "Too many webhooks");
export const UrlNotAllowed = failure("webhook_url_not_allowed", 400, "Webhook URL is not allowed");

/** At most this many replaced secrets sign a message. */
const maxOldSecrets = 4;

type WebhookDeps = Pick<Deps, "db" | "webhooks">;

export interface WebhookFields {
  readonly url: string;
  readonly types: readonly WebhookType[];
  readonly description: string;
}

/** Filters the webhooks that a manager sees. A key with `courseIds` sees the webhooks for no other course. */
const visibleTo = ({ userId, role, key }: Pick<Manager, "userId" | "role" | "key">): QueryFilter<Webhook> => ({
  ...(role === "educator" && { createdBy: userId }),
  ...allCoursesInReach(key),
});

/** @throws InvalidRequest for a type that the owner's role does not receive. */
function requireTypes(types: readonly WebhookType[], role: WebhookRole): void {
  const isReceived = (type: WebhookType): boolean =>
    type === "*" || role === "admin" || eventTypes[type].audience === "educator";
  requireAccepted("body.types", types, webhookTypes.filter(isReceived));
}

/**
 * Creates a webhook. It receives the events that are recorded from now on.
 * @throws InvalidRequest (a type for administrators alone), UrlNotAllowed, TooManyWebhooks, Unauthenticated (a deleted
 * account, or a key that was revoked meanwhile).
 */
export async function createWebhook(
  { db, webhooks }: WebhookDeps,
  { url, types, description }: WebhookFields,
  manager: Manager,
): Promise<Webhook> {
  requireTypes(types, manager.role);
  if (!webhooks.isAllowed(url)) throw UrlNotAllowed();
  const now = new Date();
  const webhook: Webhook = {
    _id: new Types.ObjectId(),
    url,
    types: [...new Set(types)],
    description,
    active: true,
    disabledReason: null,
    createdBy: manager.userId,
    ...(manager.key && { keyId: new Types.ObjectId(manager.key.id) }),
    role: manager.role,
    courseIds: manager.key?.courseIds ? [...manager.key.courseIds] : null,
    secret: createSecret(),
    oldSecrets: [],
    createdAt: now,
    updatedAt: now,
  };
  await db.transaction((session) => insertWebhook(db, webhook, manager, session), {
    mutex: accountMutex(manager.userId),
  });
  return webhook;
}

/**
 * Inserts a webhook beside the owner's others. It writes the owner's account, so that concurrent
 * creations of an owner, and a deletion of the account, conflict.
 */
async function insertWebhook(db: Db, webhook: Webhook, manager: Manager, session: ClientSession): Promise<void> {
  const { _id, createdBy } = webhook;
  // A repetition after a commit whose result was lost finds the webhook.
  if (await db.Webhook.exists({ _id }).session(session)) return;
  const account = await writeAccount(db, createdBy, { $inc: { webhooksAdded: 1 } }, session);
  // A session token outlives its account for a minute.
  if (account?.deletedAt) throw Unauthenticated();
  await requireLiveKey(db, manager, session);
  if ((await db.Webhook.countDocuments({ createdBy }, { session })) >= maxWebhooksPerOwner) throw TooManyWebhooks();
  await db.Webhook.create([webhook], { session, timestamps: false });
  await auditWebhook(db, session, manager, "webhook.create", { _id, after: audited(webhook) });
}

/** A request that began before its key was revoked does not change a webhook afterwards. @throws Unauthenticated. */
async function requireLiveKey(db: Db, { key }: Manager, session: ClientSession): Promise<void> {
  if (key && !(await recordWebhookChange(db, key, session))) throw Unauthenticated();
}

/** The fields of a webhook as clients see them. */
export const describeWebhook = ({ createdBy, keyId, ...webhook }: Webhook) => ({
  ...webhook,
  createdBy: keyId ? { kind: "key" as const, id: String(keyId) } : { kind: "user" as const, id: createdBy },
});

/** Reads the webhooks that a manager sees, newest first. */
export function listWebhooks(db: Db, manager: Pick<Manager, "userId" | "role" | "key">) {
  return {
    find: (after: [Date, Types.ObjectId] | undefined, limit: number) =>
      findAfter(db.Webhook, { filter: visibleTo(manager), sort: { createdAt: -1, _id: -1 }, after, limit }),
    keyOf: ({ createdAt, _id }: Webhook): [Date, Types.ObjectId] => [createdAt, _id],
    describe: async (webhooks: readonly Webhook[]) => webhooks.map(describeWebhook),
  };
}

/** Finds a webhook that a manager sees. @throws WebhookNotFound. */
export async function findWebhook(
  db: Db,
  webhookId: string,
  manager: Pick<Manager, "userId" | "role" | "key">,
  session: ClientSession | null = null,
): Promise<Webhook> {
  const webhook = await db.Webhook.findOne({ _id: webhookId, ...visibleTo(manager) })
    .session(session)
    .lean<Webhook>();
  if (!webhook) throw WebhookNotFound();
  return webhook;
}

export interface WebhookChanges {
  readonly url?: string | undefined;
  readonly types?: readonly WebhookType[] | undefined;
  readonly description?: string | undefined;
  readonly active?: boolean | undefined;
}

/**
 * Changes a webhook. Activating a disabled webhook forgets why it was disabled.
 * @throws InvalidRequest (a type for administrators alone), UrlNotAllowed, WebhookNotFound, Unauthenticated
 *   (the key was revoked meanwhile).
 */
export function changeWebhook(
  { db, webhooks }: WebhookDeps,
  webhookId: string,
  changes: WebhookChanges,
  manager: Manager,
): Promise<Webhook> {
  return db.transaction(async (session) => {
    const before = await findWebhook(db, webhookId, manager, session);
    await requireLiveKey(db, manager, session);
    if (changes.types) requireTypes(changes.types, before.role);
    if (changes.url !== undefined && !webhooks.isAllowed(changes.url)) throw UrlNotAllowed();
    const fields = Object.fromEntries(Object.entries(changes).filter(([, value]) => value !== undefined));
    const set = {
      ...fields,
      ...(changes.types && { types: [...new Set(changes.types)] }),
      ...(changes.active === true && { disabledReason: null }),
    };
    // The time of failures begins anew with another address, and with a webhook that is active again.
    const startsAnew = changes.active === true || (changes.url !== undefined && changes.url !== before.url);
    await db.Webhook.updateOne(
      { _id: before._id },
      { $set: set, ...(startsAnew && { $unset: { failingSince: 1 } }) },
      { session },
    );
    const after = { ...before, ...set };
    const target = { _id: before._id, before: audited(before), after: audited(after) };
    await auditWebhook(db, session, manager, "webhook.change", target);
    return after;
  });
}

/** Deletes a webhook. The job removes its pending deliveries; the others expire. @throws WebhookNotFound. */
export function deleteWebhook(db: Db, webhookId: string, manager: Manager): Promise<void> {
  return db.transaction(async (session) => {
    const webhook = await findWebhook(db, webhookId, manager, session);
    const { _id } = webhook;
    await db.Webhook.deleteOne({ _id }, { session });
    await auditWebhook(db, session, manager, "webhook.delete", { _id, before: audited(webhook), after: null });
  });
}

/** Gives a webhook a new secret. Both secrets sign for a day. @returns the new secret. @throws WebhookNotFound. */
export function rotateSecret(db: Db, webhookId: string, manager: Manager): Promise<string> {
  const secret = createSecret();
  return db.transaction(async (session) => {
    const { _id, oldSecrets, ...before } = await findWebhook(db, webhookId, manager, session);
    const now = Date.now();
    if (before.secret === secret) return secret;
    const replaced = { secret: before.secret, until: new Date(now + oldSecretsSignMs) };
    const signing = [replaced, ...oldSecrets.filter(({ until }) => until.getTime() > now)].slice(0, maxOldSecrets);
    await db.Webhook.updateOne({ _id }, { $set: { secret, oldSecrets: signing } }, { session });
    await auditWebhook(db, session, manager, "webhook.rotate", { _id, after: null });
    return secret;
  });
}

/** The path of an address may hold a token, and a description personal data. Entries of the audit outlive both. */
const audited = ({ url, types, active }: Webhook) => ({ host: new URL(url).host, types, active });

/** Records what a manager does with a webhook. */
export function auditWebhook(
  db: Db,
  session: ClientSession,
  manager: Manager,
  action: string,
  { _id, before, after }: { _id: Types.ObjectId; before?: unknown; after: unknown },
): Promise<void> {
  const target = { targetKind: "webhook", targetId: String(_id) };
  return recordAudit(db, session, { ...actorOf(manager), action, ...target, before, after });
}
