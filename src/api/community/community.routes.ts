import type { Deps } from "../../deps.js";
import { failure } from "../../http/errors.js";
import type { RouteGroup } from "../../http/route.js";
import { NotAuthorized } from "../../services/community/author.js";
import { groupRoutes } from "./groups.routes.js";
import { postRoutes } from "./posts.routes.js";
import { replyRoutes } from "./replies.routes.js";

/** Groups, posts and replies: anyone reads them, signed-in users write. */
export function communityGroup(deps: Deps): RouteGroup {
  return {
    name: "community",
    base: "/api/community",
    refusals: {
      unauthenticated: failure("authentication_required", 401, "Authentication required"),
      forbidden: NotAuthorized,
    },
    routes: [...groupRoutes(deps), ...postRoutes(deps), ...replyRoutes(deps)],
  };
}
