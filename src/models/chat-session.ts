import { Schema, type Types } from "mongoose";

export interface ChatMessage {
  _id: Types.ObjectId;
  role: "user" | "assistant";
  /** A question is plain text, an answer Markdown. */
  content: string;
  createdAt: Date;
  updatedAt: Date;
}

/**
 * One conversation of one learner with the tutor. Questions and answers come in pairs, appended by one update, so there is
 * never an empty chat and never a question without its answer.
 */
export interface ChatSession {
  _id: Types.ObjectId;
  userId: string;
  /** uuid, unique over all learners. */
  sessionId: string;
  /** The first question: lists of chats show it without reading the messages. */
  opening: string;
  /** At most `maxMessagesPerChat`. */
  messages: ChatMessage[];
  createdAt: Date;
  updatedAt: Date;
}

/**
 * 200 questions with their answers. At 4,000 characters a question (16 kB) and 20,000 UTF-16 units an answer (60 kB) the
 * largest possible chat stays under the 16 MiB that one document may have.
 */
export const maxMessagesPerChat = 400;

const messageSchema = new Schema<ChatMessage>({
  role: { type: String, enum: ["user", "assistant"], required: true },
  content: { type: String, required: true },
  createdAt: { type: Date, required: true },
  updatedAt: { type: Date, required: true },
});

export const chatSessionSchema = new Schema<ChatSession>(
  {
    userId: { type: String, required: true },
    sessionId: { type: String, required: true },
    opening: { type: String, required: true },
    messages: [messageSchema],
  },
  { timestamps: true, versionKey: false },
);
chatSessionSchema.index({ sessionId: 1 }, { unique: true });
chatSessionSchema.index({ userId: 1, createdAt: -1, _id: -1 }); // a learner's own list, newest first
