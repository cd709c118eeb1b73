import { z } from "zod";
import { newestFirstOrAll, nextCursorOfPage } from "../../../http/pages.js";
import { id, objectId, text, timestamp } from "../../../lib/fields.js";

export const PostParams = z.object({ postId: objectId });
export const ReplyParams = z.object({ replyId: objectId });

export const ReportsQuery = z.object({
  state: text(0, 20)
    .optional()
    .meta({ description: "`open` or `resolved`; absent or `all`: both; anything else matches nothing" }),
  ...newestFirstOrAll,
});

export const ReportView = z
  .object({
    _id: id,
    targetKind: z.enum(["post", "reply"]),
    targetId: id,
    postId: id.meta({ description: "the post itself, or the reply's post" }),
    reason: z.string(),
    state: z.enum(["open", "resolved"]),
    reporter: z.object({ _id: z.string(), name: z.string(), imageUrl: z.string() }),
    target: z
      .object({ authorId: z.string(), authorName: z.string(), title: z.string().nullable(), content: z.string() })
      .nullable()
      .meta({
        description: "the reported post or reply as it is now; null when it was removed. Replies have no title",
      }),
    resolvedBy: z.string().nullable(),
    resolvedAt: timestamp.nullable(),
    createdAt: timestamp,
  })
  .meta({ id: "CommunityReport" });

export const ReportsReply = z.object({ reports: z.array(ReportView), nextCursor: nextCursorOfPage });
