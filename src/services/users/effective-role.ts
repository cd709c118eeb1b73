import type { Db } from "../../db/db.js";
import { bare } from "../../models/bare.js";

type Role = "student" | "educator" | "admin";

/** The role in force: the server's own record if there is one, else what the token claims. Never cached. */
export async function effectiveRole(db: Db, viewer: { id: string; claimedRole: Role }): Promise<Role> {
  const record = await bare(db.RoleRecord).findOne({ _id: viewer.id }, { projection: { role: 1 } });
  return record?.role ?? viewer.claimedRole;
}
