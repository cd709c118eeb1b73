import { z } from "zod";
import { requiredText } from "../../../http/required.js";
import { objectId } from "../../../lib/fields.js";
import { ReplyView } from "../community-shapes.js";

export const ReplyParams = z.object({ postId: objectId, replyId: objectId });

export const ReplyBody = z.object({ content: requiredText(3000) });

export const ReplyReply = z.object({ reply: ReplyView });
export const AcceptReply = z.object({ isAcceptedAnswer: z.boolean(), postResolved: z.boolean() });
