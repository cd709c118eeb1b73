import type { ClientSession } from "mongoose";
import type { Db } from "../../db/db.js";
import type { Webhook } from "../../models/events/webhook.js";
import type { Role } from "../../models/users/user.js";

/** Administrators see what educators see. */
const isEntitled = (role: Role, needed: Webhook["role"]): boolean => role === needed || role === "admin";

/**
 * Returns the webhooks whose owners still have the role that the webhook needs. An owner without a role record has the
 * role of the token that created the webhook: an identity event that clears the role of such an owner writes a record.
 */
export async function withEntitledOwner<W extends Pick<Webhook, "createdBy" | "role">>(
  db: Db,
  webhooks: readonly W[],
  session: ClientSession | null = null,
): Promise<W[]> {
  if (webhooks.length === 0) return [];
  const owners = [...new Set(webhooks.map(({ createdBy }) => createdBy))];
  const records = await db.RoleRecord.find({ _id: { $in: owners } }, { role: 1 })
    .session(session)
    .lean();
  const roles = new Map(records.map(({ _id, role }) => [_id, role]));
  return webhooks.filter(({ createdBy, role }) => isEntitled(roles.get(createdBy) ?? role, role));
}
