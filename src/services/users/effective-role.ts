import type { Db } from "../../db/db.js";
import { findRecordedRole, type Role, type Viewer } from "../../models/users/user.js";

/** The role in force: the server's own record if there is one, else what the token claims. Never cached. */
export async function effectiveRole(db: Db, viewer: Viewer): Promise<Role> {
  return (await findRecordedRole(db, viewer.id)) ?? viewer.claimedRole;
}
