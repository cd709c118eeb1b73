import type { CommunityPost } from "../../models/community/community-post.js";
import type { CommunityReply } from "../../models/community/community-reply.js";
import type { GroupCard } from "../../services/community/posts.js";

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
