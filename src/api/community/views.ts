import { z } from "zod";
import { failure } from "../../lib/errors.js";
import { id, objectId, text, timestamp } from "../../lib/fields.js";
import type { CommunityPost } from "../../models/community/community-post.js";
import type { CommunityReply } from "../../models/community/community-reply.js";
import { type GroupCard, NotAuthorized } from "../../services/community/posts.js";

/* Shared by the routes of posts, replies and groups. */

export const PostParams = z.object({ postId: objectId });
export const ReportBody = z.object({ reason: text(1, 500) });
export const UpvoteReply = z.object({ upvoteCount: z.number(), isUpvoted: z.boolean() });

export const editedAt = timestamp
  .optional()
  .meta({ description: "when the author last edited the text; absent if never" });

export const ReplyView = z
  .object({
    _id: id,
    postId: id,
    content: z.string(),
    authorName: z.string(),
    authorImage: z.string(),
    isAuthor: z.boolean(),
    upvoteCount: z.number(),
    isUpvoted: z.boolean(),
    isAcceptedAnswer: z.boolean(),
    createdAt: timestamp,
    editedAt,
  })
  .meta({ id: "CommunityReply" });

/** The community refuses callers with other messages than the rest of the API. */
export const communityRefusals = {
  unauthenticated: failure("unauthenticated", 401, "Authentication required"),
  forbidden: NotAuthorized,
};

/** The caller, and the ids of the posts and replies that the caller has upvoted. */
export interface Reader {
  readonly id: string | undefined;
  readonly upvoted: ReadonlySet<string>;
}

/** A caller who has not upvoted anything that is shown. */
export const newReader = (id: string): Reader => ({ id, upvoted: new Set() });

/** The fields of a post or reply that depend on the caller; `editedAt` only for an edited text. */
function markFor({ id, upvoted }: Reader, text: Pick<CommunityPost, "_id" | "authorId" | "editedAt">) {
  return {
    isAuthor: text.authorId === id,
    isUpvoted: upvoted.has(String(text._id)),
    editedAt: text.editedAt ?? undefined,
  };
}

/** Shows a post to a caller. */
export const viewPost = (post: CommunityPost & { group: GroupCard | null }, reader: Reader) => ({
  ...post,
  ...markFor(reader, post),
});

/** Shows a reply to a caller. */
export const viewReply = (
  reply: CommunityReply,
  { acceptedReplyId }: Pick<CommunityPost, "acceptedReplyId">,
  reader: Reader,
) => ({
  ...reply,
  ...markFor(reader, reply),
  isAcceptedAnswer: acceptedReplyId?.equals(reply._id) ?? false,
});
