import type { Db } from "../../db/db.js";
import { findRecordedRole } from "../../models/users/user.js";

type Role = "student" | "educator" | "admin";

/** The role in force: the server's own record if there is one, else what the token claims. Never cached. */
export async function effectiveRole(db: Db, viewer: { id: string; claimedRole: Role }): Promise<Role> {
  return (await findRecordedRole(db, viewer.id)) ?? viewer.claimedRole;
}
