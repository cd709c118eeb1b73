import { z } from "zod";
import { isNumberedPage, numberedPage } from "../../../http/pages.js";
import { requiredText } from "../../../http/required.js";
import { id, list, showsNothing, text, timestamp } from "../../../lib/fields.js";
import { editedAt, ReplyView } from "../views.js";

const postFields = {
  _id: id,
  authorName: z.string().meta({ description: "name and image are those of the time of writing" }),
  authorImage: z.string(),
  title: z.string(),
  content: z.string(),
  tags: z.array(z.string()),
  replyCount: z.number(),
  isResolved: z.boolean(),
  isAuthor: z.boolean().meta({ description: "whether the caller wrote it" }),
  group: z.object({ _id: id, name: z.string(), slug: z.string(), icon: z.string() }).nullable(),
  upvoteCount: z.number(),
  isUpvoted: z.boolean().meta({ description: "whether the caller has upvoted it" }),
  createdAt: timestamp,
  updatedAt: timestamp,
  editedAt,
};

export const PostView = z.object(postFields).meta({ id: "CommunityPost" });

export const PostDetail = z
  .object({
    ...postFields,
    replies: z.array(ReplyView).meta({ description: "the accepted reply first, then oldest first" }),
  })
  .meta({ id: "CommunityPostDetail" });

const maxTags = 5;

/** Most tags of a request, including empty ones. */
const maxSentTags = 100;

/** A comma-separated string or an array; trimmed, empties dropped, then at most five of at most fifty characters. */
const tags = z
  .union([z.string(), list(z.string(), maxSentTags)])
  .transform((sent) => (typeof sent === "string" ? sent.split(",", maxSentTags + 1) : sent))
  .refine((sent) => sent.length <= maxSentTags, { message: `over ${maxSentTags} items`, abort: true })
  .transform((sent): unknown => sent.filter((tag) => !showsNothing(tag)))
  .pipe(list(text(1, 50), maxTags));

export const NewPostBody = z.object({
  title: requiredText(200),
  content: requiredText(5000),
  groupId: z
    .string()
    .trim()
    .nullish()
    .transform((given) => given ?? "")
    .meta({ description: "absent, null or empty: no group" }),
  tags: tags.default([]),
});

export const PostChanges = z
  .object({ title: requiredText(200).optional(), content: requiredText(5000).optional(), tags: tags.optional() })
  .refine((changes) => Object.values(changes).some((value) => value !== undefined));

/** Without `limit` the list is complete and `page` means nothing, whatever it is. */
export const PostsQuery = z
  .object({
    tab: z
      .enum(["all", "myGroups", "trending"])
      .default("all")
      .meta({ description: "`myGroups` is `all` for anonymous callers; `trending` sorts by upvotes" }),
    groupId: z
      .string()
      .optional()
      .meta({ description: "only posts of this group, also under `myGroups`; an unknown id matches nothing" }),
    q: text(0, 200).optional().meta({ description: "literal, case-insensitive match in title or content" }),
    sort: z.enum(["newest", "oldest", "upvotes"]).optional().meta({ description: "overrides the order of the tab" }),
    ...numberedPage,
  })
  .refine(isNumberedPage);

export const PostsReply = z.object({
  posts: z.array(PostView),
  hasMore: z.boolean().meta({ description: "always false without `limit`" }),
  total: z.number().meta({ description: "number of matching posts on all pages" }),
});
export const PostReply = z.object({ post: PostView });
export const PostDetailReply = z.object({ post: PostDetail });
export const ResolveReply = z.object({ isResolved: z.boolean() });
