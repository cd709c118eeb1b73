import { bare } from "../models/bare.js";
import type { Models } from "../models/index.js";

type Role = "student" | "educator" | "admin";

/** The role in force: the server's own record if there is one, else what the token claims. Never cached. */
export async function effectiveRole(models: Models, viewer: { id: string; claimedRole: Role }): Promise<Role> {
  const record = await bare(models.RoleRecord).findOne({ _id: viewer.id }, { projection: { role: 1 } });
  return record?.role ?? viewer.claimedRole;
}
