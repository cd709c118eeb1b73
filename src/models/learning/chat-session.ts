import { z } from "zod";
import { timestamp } from "../../lib/fields.js";
import { defineCollection } from "../collection.js";
import { objectIdField, rowTimes } from "../row.js";

export type ChatMessage = z.input<typeof chatMessageRow>;
export const chatMessageRow = z.object({
  _id: objectIdField,
  role: z.enum(["user", "assistant"]),
  /** A question is plain text, an answer Markdown. */
  content: z.string(),
  createdAt: timestamp,
  updatedAt: timestamp,
});

/**
 * One conversation of a learner with the tutor. One update appends a question with its answer, so there is no empty chat
 * and no question without an answer.
 */
export type ChatSession = z.input<typeof chatSessionRow>;
const chatSessionRow = z.object({
  _id: objectIdField,
  userId: z.string(),
  /** uuid, unique over all learners. */
  sessionId: z.string(),
  /** The first question: lists of chats show it without reading the messages. */
  opening: z.string(),
  messages: z.array(chatMessageRow),
  /** UTF-8 bytes of all contents. */
  bytes: z.number(),
  ...rowTimes,
});

/**
 * A chat of this size takes no further pair, and the conversation continues in a new chat. The largest pair has about
 * 0.4 MB, so a chat stays far below the 16 MiB of a document.
 */
export const fullChatBytes = 4 * 1024 * 1024;

export const chatSessionCollection = defineCollection({
  row: chatSessionRow,
  indexes: [
    [{ sessionId: 1 }, { unique: true }],
    [{ userId: 1, createdAt: -1, _id: -1 }], // a learner's own list, newest first
  ],
  holds: "messages of one chat with the tutor; sent to the AI provider to answer",
  kept: "until the user deletes it, or erasure",
  userData: {
    owner: "userId",
    section: "chats",
    batchSize: 4,
    exported: ["sessionId", "messages", "createdAt", "updatedAt"],
    exportedAs: {
      messages: z.array(z.object({ role: z.string(), content: z.string(), createdAt: timestamp })),
    },
    erasure: "delete",
  },
});
