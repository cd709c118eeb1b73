import { failure } from "../../http/errors.js";
import { NotAuthorized } from "../../services/community/author.js";

/** How the community refuses callers: in words of its own. */
export const communityRefusals = {
  unauthenticated: failure("authentication_required", 401, "Authentication required"),
  forbidden: NotAuthorized,
};
