import { z } from "zod";
import { id, objectId, text, timestamp } from "../../lib/fields.js";

export const PostParams = z.object({ postId: objectId });

export const editedAt = timestamp
  .optional()
  .meta({ description: "when its author last changed the text; absent if never" });

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

export const ReportBody = z.object({ reason: text(1, 500) });

export const UpvoteReply = z.object({ upvoteCount: z.number(), isUpvoted: z.boolean() });
export const Done = z.object({});
