import { z } from "zod";
import { listReply } from "../../http/list-reply.js";
import { requiredText } from "../../http/required.js";
import { id, timestamp } from "../../lib/fields.js";
import { chatMessageRow } from "../../models/learning/chat-session.js";

export const ChatBody = z.object({
  content: requiredText(4_000),
  sessionId: z
    .string()
    .nullish()
    .meta({ description: "the chat to continue; absent, empty or not the caller's: a new chat" }),
});

const Message = chatMessageRow
  .extend({ content: z.string().meta({ description: "Markdown in answers" }) })
  .meta({ id: "ChatMessage" });

export const ChatReply = z.object({
  activeSessionId: z.string(),
  response: z.string().meta({ description: "Markdown" }),
  conversationHistory: z.array(Message).meta({ description: "the whole chat, in order" }),
  sources: z
    .array(z.object({ courseId: z.string(), lectureId: z.string(), title: z.string() }))
    .optional()
    .meta({
      description: "lectures of the learner's courses that match the question, best first; absent if none match",
    }),
});

export const ChatsReply = listReply(
  "chats",
  z.object({
    _id: id,
    sessionId: z.string(),
    messages: z.string().meta({ description: "text of the first message" }),
    updatedAt: timestamp,
  }),
);

export const StoredChatReply = z.object({ _id: id, messages: z.array(Message) });
export const DeletedReply = z.object({ message: z.literal("Chat deleted successfully") });
