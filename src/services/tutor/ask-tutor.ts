import { randomUUID } from "node:crypto";
import { Types } from "mongoose";
import type { Db } from "../../db/db.js";
import { toWellFormed } from "../../lib/fields.js";
import type { ChatMessage } from "../../models/learning/chat-session.js";
import { AiFault } from "../../providers/openai/fault.js";
import type { Ai } from "../../providers/openai/openai.js";
import type { AiMessage } from "../../providers/openai/provider.js";
import type { Question } from "../../providers/openai/question.js";
import { promptText } from "../ai/prompt-data.js";
import type { CourseOutlines } from "../courses/course-outlines.js";
import { createChatQueue } from "./chat-queue.js";
import { type Source, tutorContext } from "./tutor-context.js";

/** Messages sent to the model, the new question among them. */
const sentMessages = 20;
/** Longest part of an earlier message that is sent, in UTF-16 units. */
const sentLength = 8_000;
/** Longest answer that is taken, in UTF-16 units. */
const longestAnswer = 100_000;

export interface TutorQuestion {
  readonly userId: string;
  /** The chat to continue; a new one when it is not the learner's. */
  readonly sessionId: string | undefined;
  readonly question: string;
  /** Aborts when the learner went away: the provider's call is cancelled and nothing is stored. */
  readonly signal: AbortSignal;
  /** Takes the answer's text as it comes; without it the answer comes in one piece. */
  readonly onText?: (text: string) => Promise<void>;
}

export interface TutorAnswer {
  activeSessionId: string;
  response: string;
  /** The whole chat in order. */
  conversationHistory: ChatMessage[];
  /** Absent when the question touches no lecture. */
  sources?: Source[];
}

/**
 * Asks the tutor one question and stores it with its answer, both or neither. Questions of one chat are answered one
 * after the other over all instances, so that each answer knows the one before. When the chat is full, or was deleted
 * while the model worked, question and answer become a new chat.
 */
export function createTutor({
  db,
  ai,
  outlines,
  platform,
}: {
  db: Db;
  ai: Ai;
  outlines: CourseOutlines;
  /** What the platform calls itself. */
  platform: string;
}): (asked: TutorQuestion) => Promise<TutorAnswer> {
  const lockChat = createChatQueue(db, { newest: sentMessages - 1, waitMs: ai.longestMs });

  return async ({ userId, sessionId, signal, onText, ...given }) => {
    const question = toWellFormed(given.question);
    const lock = sessionId ? await lockChat({ userId, sessionId, signal }) : undefined;
    try {
      const { system, sources, hasProfile } = await tutorContext(db, outlines, userId, question, platform);
      const stopped = lock ? AbortSignal.any([signal, lock.lost]) : signal;
      const asked: Question<string> = {
        purpose: "chat",
        messages: [
          system,
          ...(lock?.messages ?? []).map(
            ({ role, content }): AiMessage => ({ role, content: promptText(content, sentLength) }),
          ),
          { role: "user", content: promptText(question, sentLength) },
        ],
        maxTokens: 4_096,
        longest: longestAnswer,
        signal: stopped,
        read: (answer) => answer,
      };
      const response = toWellFormed(await (onText ? ai.askStreaming(asked, onText) : ai.ask(asked)));
      if (stopped.aborted) throw new AiFault("cancelled", "caller went away");
      const pair = pairOf(question, response);
      let chat = await lock?.append(pair.messages, pair.bytes);
      if (!chat) {
        // Erased while the model worked, with the user's chats: nothing is stored anew.
        if (hasProfile && !(await db.User.exists({ _id: userId }))) throw new AiFault("cancelled", "account erased");
        chat = await db.ChatSession.create({ ...pair, userId, sessionId: randomUUID(), opening: question });
      }
      return {
        activeSessionId: chat.sessionId,
        response,
        conversationHistory: chat.messages,
        ...(sources.length > 0 ? { sources } : {}),
      };
    } finally {
      await lock?.release();
    }
  };
}

/** A question and its answer as they are stored. */
function pairOf(question: string, answer: string): { messages: ChatMessage[]; bytes: number } {
  const now = new Date();
  const message = (role: ChatMessage["role"], content: string): ChatMessage => ({
    _id: new Types.ObjectId(),
    role,
    content,
    createdAt: now,
    updatedAt: now,
  });
  return {
    messages: [message("user", question), message("assistant", answer)],
    bytes: Buffer.byteLength(question) + Buffer.byteLength(answer),
  };
}
