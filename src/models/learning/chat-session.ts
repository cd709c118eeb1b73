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
 * One conversation of one learner with the tutor. Questions and answers come in pairs, appended by one update, so there
 * is never an empty chat and never a question without its answer.
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
  /** Requests that wait to answer in this chat, in order of arrival; the first holds the lock. See chat-queue-entry.ts. */
  queue?: string[];
  /** When the lock of the first entry expires. */
  turnUntil?: Date;
  createdAt: Date;
  updatedAt: Date;
}

/**
 * A chat of this size takes no further pair: the conversation continues in a new chat. With the largest pair (about 0.4
 * MB) it stays far below the 16 MiB that one document may have.
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
    queue: { type: [String], default: undefined },
    turnUntil: { type: Date },
  },
  { timestamps: true, versionKey: false },
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
