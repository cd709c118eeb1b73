import { Schema, type Types } from "mongoose";
import { z } from "zod";
import { timestamp } from "../../lib/fields.js";
import { defineCollection, rowTimes } from "../collection.js";

export interface ChatMessage {
  _id: Types.ObjectId;
  role: "user" | "assistant";
  /** A question is plain text, an answer Markdown. */
  content: string;
  createdAt: Date;
  updatedAt: Date;
}

/**
 * One conversation of a learner with the tutor. One update appends a question with its answer, so there is no empty chat
 * and no question without an answer.
 */
export interface ChatSession {
  _id: Types.ObjectId;
  userId: string;
  /** uuid, unique over all learners. */
  sessionId: string;
  /** The first question: lists of chats show it without reading the messages. */
  opening: string;
  messages: ChatMessage[];
  /** UTF-8 bytes of all contents. */
  bytes: number;
  createdAt: Date;
  updatedAt: Date;
}

/**
 * A chat of this size takes no further pair, and the conversation continues in a new chat. The largest pair has about
 * 0.4 MB, so a chat stays far below the 16 MiB of a document.
 */
export const fullChatBytes = 4 * 1024 * 1024;

const messageSchema = new Schema<ChatMessage>({
  role: { type: String, enum: ["user", "assistant"], required: true },
  content: { type: String, required: true },
  createdAt: { type: Date, required: true },
  updatedAt: { type: Date, required: true },
});

const chatSessionSchema = new Schema<ChatSession>(
  {
    userId: { type: String, required: true },
    sessionId: { type: String, required: true },
    opening: { type: String, required: true },
    messages: [messageSchema],
    bytes: { type: Number, required: true },
  },
  { timestamps: true },
);
chatSessionSchema.index({ sessionId: 1 }, { unique: true });
chatSessionSchema.index({ userId: 1, createdAt: -1, _id: -1 }); // a learner's own list, newest first

export const chatSessionCollection = defineCollection<ChatSession>({
  schema: chatSessionSchema,
  holds: "messages of one chat with the tutor; sent to the AI provider to answer",
  kept: "until the user deletes it, or erasure",
  userData: {
    owner: "userId",
    section: "chats",
    batchSize: 4,
    row: z.object({
      sessionId: z.string(),
      messages: z.array(z.object({ role: z.string(), content: z.string(), createdAt: timestamp })),
      ...rowTimes,
    }),
    erasure: "delete",
  },
});
