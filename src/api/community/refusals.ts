import { failure } from "../../lib/errors.js";
import { NotAuthorized } from "../../services/community/author.js";

/** The community refuses callers with other messages than the rest of the API. */
export const communityRefusals = {
  unauthenticated: failure("authentication_required", 401, "Authentication required"),
  forbidden: NotAuthorized,
};
