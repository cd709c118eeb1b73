import type { Request } from "express";
import type { Manager } from "../../models/users/manager.js";
import type { Viewer } from "../../models/users/user.js";

/** Names the caller of a request as the one who manages something in a role. */
export const managerOf = ({ viewer, req }: { viewer: Viewer; req: Request }, role: Manager["role"]): Manager => ({
  userId: viewer.id,
  role,
  requestId: req.id,
  key: viewer.key,
});
