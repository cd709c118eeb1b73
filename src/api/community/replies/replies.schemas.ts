import { z } from "zod";
import { requiredText } from "../../../http/required.js";
import { id, objectId, timestamp } from "../../../lib/fields.js";
import { editedAt } from "../views.js";

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

export const ReplyParams = z.object({ postId: objectId, replyId: objectId });
export const ReplyBody = z.object({ content: requiredText(3000) });
export const ReplyReply = z.object({ reply: ReplyView });
export const AcceptReply = z.object({ isAcceptedAnswer: z.boolean(), postResolved: z.boolean() });
