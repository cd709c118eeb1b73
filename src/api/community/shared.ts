import { z } from "zod";
import { failure } from "../../lib/errors.js";
import { objectId, text, timestamp } from "../../lib/fields.js";
import { NotAuthorized } from "../../services/community/posts.js";

/* What the routes of posts, replies and groups share. */

export const PostParams = z.object({ postId: objectId });
export const ReportBody = z.object({ reason: text(1, 500) });
export const UpvoteReply = z.object({ upvoteCount: z.number(), isUpvoted: z.boolean() });

export const editedAt = timestamp
  .optional()
  .meta({ description: "when the author last edited the text; absent if never" });

/** The community refuses callers with other messages than the rest of the API. */
export const communityRefusals = {
  unauthenticated: failure("authentication_required", 401, "Authentication required"),
  forbidden: NotAuthorized,
};
