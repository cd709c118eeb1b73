import { randomUUID } from "node:crypto";
import { setTimeout as pause } from "node:timers/promises";
import { Types } from "mongoose";
import type { Db } from "../../db/db.js";
import { withLease } from "../../db/lease.js";
import { newestFirst } from "../../db/ordered-list.js";
import { toWellFormed } from "../../lib/fields.js";
import { type ChatMessage, type ChatSession, fullChatBytes } from "../../models/learning/chat-session.js";
import { AiFault } from "../../providers/openai/fault.js";
import type { Ai, AiRequest } from "../../providers/openai/openai.js";
import { promptText } from "../ai/model-text.js";
import { tutorContext } from "./tutor-context.js";

/** Messages sent to the model, including the new question. */
const sentMessages = 20;
/** Longest part of an earlier message that is sent, in UTF-16 units. */
const maxSentLength = 8_000;
/** Longest accepted answer in UTF-16 units. */
const maxAnswerLength = 100_000;
/** How long a crash during an answer blocks its chat. */
const leaseMs = 10_000;
const pollMs = 200;

interface TutorQuestion {
  readonly userId: string;
  /** The chat to continue. Without it, or when it is not the learner's, the question opens a new chat. */
  readonly sessionId: string | undefined;
  readonly question: string;
  /** Aborts when the learner goes away: the provider's call is cancelled and nothing is stored. */
  readonly signal: AbortSignal;
  /** Takes the text as it comes; without it the answer comes in one piece. */
  readonly onText?: (text: string) => Promise<void>;
}

interface Tutor {
  readonly db: Db;
  readonly ai: Ai;
  readonly platform: string;
}

/**
 * Asks the tutor one question and stores it with its answer, both or neither. A lease lets one question at a time into a
 * chat, so that each answer knows the one before. When the chat is full, or was deleted meanwhile, question and answer
 * open a new chat.
 */
export async function askTutor(tutor: Tutor, question: TutorQuestion) {
  const { sessionId, userId, signal } = question;
  const chat = sessionId ? await tutor.db.ChatSession.findOne({ sessionId, userId }, { _id: 1 }).lean() : null;
  if (!chat) return answer(tutor, question, undefined, signal);
  const endsAt = performance.now() + tutor.ai.longestMs;
  while (performance.now() < endsAt) {
    const work = (lost: AbortSignal) => answer(tutor, question, chat._id, AbortSignal.any([signal, lost]));
    const answered = await withLease(tutor.db, `chat:${chat._id}`, work, { ttlMs: leaseMs });
    if (answered) return answered;
    await pause(pollMs, undefined, { signal });
  }
  throw new AiFault("unavailable", "waited too long for the chat");
}

async function answer(
  { db, ai, platform }: Tutor,
  { userId, onText, ...asked }: TutorQuestion,
  chatId: Types.ObjectId | undefined,
  signal: AbortSignal,
) {
  const question = toWellFormed(asked.question);
  const earlier = chatId && (await db.ChatSession.findById(chatId, { messages: { $slice: 1 - sentMessages } }).lean());
  const { system, sources, hasProfile } = await tutorContext(db, userId, question, platform);
  const request: AiRequest<string> = {
    purpose: "chat",
    messages: [
      system,
      ...(earlier?.messages ?? []).map(({ role, content }) => ({ role, content: promptText(content, maxSentLength) })),
      { role: "user", content: promptText(question, maxSentLength) },
    ],
    maxTokens: 4_096,
    maxLength: maxAnswerLength,
    signal,
    read: (text) => text,
  };
  const response = toWellFormed(await (onText ? ai.askStreaming(request, onText) : ai.ask(request)));
  if (signal.aborted) throw new AiFault("cancelled", "caller went away");
  const pair = createPair(question, response);
  let chat = chatId && (await appendPair(db, chatId, pair));
  if (!chat) {
    // The account was erased while the model worked: nothing is stored.
    if (hasProfile && !(await db.User.exists({ _id: userId }))) throw new AiFault("cancelled", "account erased");
    chat = await db.ChatSession.create({ ...pair, userId, sessionId: randomUUID(), opening: question });
  }
  return {
    activeSessionId: chat.sessionId,
    response,
    conversationHistory: chat.messages,
    ...(sources.length > 0 && { sources }),
  };
}

type Pair = Pick<ChatSession, "messages" | "bytes">;

/** Appends a pair to a chat. Returns `null` when the chat is full or gone. */
function appendPair(db: Db, _id: Types.ObjectId, { messages, bytes }: Pair): Promise<ChatSession | null> {
  return db.ChatSession.findOneAndUpdate(
    { _id, bytes: { $lt: fullChatBytes } },
    { $push: { messages: { $each: messages } }, $inc: { bytes } },
    { returnDocument: "after" },
  ).lean<ChatSession>();
}

function createPair(question: string, response: string): Pair {
  const now = new Date();
  const message = (role: ChatMessage["role"], content: string): ChatMessage => ({
    _id: new Types.ObjectId(),
    role,
    content,
    createdAt: now,
    updatedAt: now,
  });
  return {
    messages: [message("user", question), message("assistant", response)],
    bytes: Buffer.byteLength(question) + Buffer.byteLength(response),
  };
}

type ListedChat = Pick<ChatSession, "_id" | "sessionId" | "opening" | "createdAt" | "updatedAt">;

/** Lists a learner's chats without their messages, newest created first. */
export const listChats = (db: Db, userId: string) =>
  newestFirst(db.ChatSession, {
    filter: { userId },
    fields: { sessionId: 1, opening: 1, createdAt: 1, updatedAt: 1 },
    describe: (chats: readonly ListedChat[]) => chats.map(({ opening, ...chat }) => ({ ...chat, messages: opening })),
  });

export const findChat = (db: Db, userId: string, sessionId: string) =>
  db.ChatSession.findOne({ sessionId, userId }).lean();

/** @returns whether the learner had this chat. */
export async function deleteChat(db: Db, userId: string, sessionId: string): Promise<boolean> {
  const { deletedCount } = await db.ChatSession.deleteOne({ sessionId, userId });
  return deletedCount > 0;
}
