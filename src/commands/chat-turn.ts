import { randomUUID } from "node:crypto";
import { Types } from "mongoose";
import { type ChatMessage, type ChatSession, fullChatBytes } from "../models/chat-session.js";
import type { Models } from "../models/index.js";
import { AiFault } from "../services/ai/fault.js";
import { createKeyedGate } from "../services/ai/gate.js";
import type { AiMessage } from "../services/ai/provider.js";
import type { Ai, Question } from "../services/ai.js";
import { createCourseOutlines } from "./course-outlines.js";
import { promptText } from "./prompt-data.js";
import { type Source, tutorContext } from "./tutor-context.js";

/** Messages sent to the model, the new question among them. */
const sentMessages = 20;
/** Longest part of an earlier message that is sent, in UTF-16 units. */
const sentLength = 8_000;
/** Longest answer that is taken, in UTF-16 units. */
const longestAnswer = 100_000;

export interface Turn {
  readonly userId: string;
  /** The chat to go on with; a new one when it is not the learner's. */
  readonly sessionId: string | undefined;
  readonly question: string;
  /** Aborts when the learner went away: the provider's call is cancelled and nothing is stored. */
  readonly signal: AbortSignal;
  /** Takes the answer's text as it comes; without it the answer comes in one piece. */
  readonly onText?: (text: string) => Promise<void>;
}

export interface TurnTaken {
  activeSessionId: string;
  response: string;
  /** The whole chat in order. */
  conversationHistory: ChatMessage[];
  /** Absent when the question touches no lecture. */
  sources?: Source[];
}

/**
 * Asks the tutor one question and stores it with its answer, both or neither. Turns of one chat are taken one after the
 * other, so that each knows the one before.
 */
export function createTutor({ models, ai }: { models: Models; ai: Ai }): (turn: Turn) => Promise<TurnTaken> {
  const outlines = createCourseOutlines(models);
  const chats = createKeyedGate(30);

  return async (turn) => {
    const { userId, sessionId, question, signal, onText } = turn;
    const leave = sessionId ? await chats.enter(`${userId} ${sessionId}`, signal) : undefined;
    try {
      const [earlier, { system, sources }] = await Promise.all([
        sessionId ? newestMessages(models, userId, sessionId) : undefined,
        tutorContext(models, outlines, userId, question),
      ]);
      const asked: Question<string> = {
        purpose: "chat",
        messages: [
          system,
          ...(earlier ?? []).map(
            ({ role, content }): AiMessage => ({ role, content: promptText(content, sentLength) }),
          ),
          { role: "user", content: promptText(question, sentLength) },
        ],
        maxTokens: 4_096,
        longest: longestAnswer,
        signal,
        read: (answer) => answer,
      };
      const response = await (onText ? ai.askStreaming(asked, onText) : ai.ask(asked));
      if (signal.aborted) throw new AiFault("cancelled", "caller went away");
      const chat = await append(models, userId, earlier && sessionId, question, response);
      return {
        activeSessionId: chat.sessionId,
        response,
        conversationHistory: chat.messages,
        ...(sources.length > 0 ? { sources } : {}),
      };
    } finally {
      leave?.();
    }
  };
}

async function newestMessages(models: Models, userId: string, sessionId: string): Promise<ChatMessage[] | undefined> {
  const chat = await models.ChatSession.findOne(
    { sessionId, userId },
    { messages: { $slice: -(sentMessages - 1) } },
  ).lean();
  return chat?.messages;
}

/**
 * Stores a question and its answer as one pair. A chat that is full, or was deleted while the model was thinking, goes on
 * as a new one.
 */
async function append(
  models: Models,
  userId: string,
  sessionId: string | undefined,
  question: string,
  answer: string,
): Promise<Pick<ChatSession, "sessionId" | "messages">> {
  const now = new Date();
  const message = (role: ChatMessage["role"], content: string): ChatMessage => ({
    _id: new Types.ObjectId(),
    role,
    content,
    createdAt: now,
    updatedAt: now,
  });
  const messages = [message("user", question), message("assistant", answer)];
  const bytes = Buffer.byteLength(question) + Buffer.byteLength(answer);
  if (sessionId) {
    const grown = await models.ChatSession.findOneAndUpdate(
      { sessionId, userId, bytes: { $lt: fullChatBytes } },
      { $push: { messages: { $each: messages } }, $inc: { bytes } },
      { returnDocument: "after" },
    ).lean();
    if (grown) return grown;
  }
  const created = await models.ChatSession.create({
    userId,
    sessionId: randomUUID(),
    opening: question,
    messages,
    bytes,
  });
  return created.toObject();
}
