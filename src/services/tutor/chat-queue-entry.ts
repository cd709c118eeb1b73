import { randomUUID } from "node:crypto";
import type { Db } from "../../db/db.js";
import { type ChatMessage, type ChatSession, fullChatBytes } from "../../models/learning/chat-session.js";
import { AiFault } from "../../providers/openai/fault.js";

/** Questions that may wait for one chat; further ones are refused. */
const mostWaiting = 30;
/** Lifetime of a chat's lock, which is renewed three times in it. A process that died blocks its chat no longer. */
export const lockMs = 10_000;
/** Time for the next entry to notice that it is the first. It looks several times as often. */
const noticeMs = 2_000;

/** Lock and queue do not change the conversation: `updatedAt` stays. */
const untimed = { timestamps: false } as const;
const instanceOf = (holder: string): string => holder.split(":", 1)[0] ?? "";
const inMs = (ms: number): Date => new Date(Date.now() + ms);

/** The queue as a waiting request sees it. */
export interface QueueState {
  /** Number of entries before this one; negative when this one is not in the queue. */
  readonly ahead: number;
  /**
   * Removes the first entry if its lock has expired, and all others of its instance unless that is this one: that
   * instance has died, or is too slow to be distinguished from a dead one.
   * @returns whether the lock had expired.
   */
  removeExpired(): Promise<boolean>;
}

/**
 * One question's entry in the queue of a chat. The queue is stored in the chat; its first entry holds the chat's lock,
 * which expires. Every step is one conditional update.
 */
export interface ChatQueueEntry {
  /** Locks a chat whose queue is empty. @returns the chat's newest messages; undefined when it is not empty. */
  lockIdle(newest: number): Promise<ChatMessage[] | undefined>;
  /** Locks the chat as its first entry. @returns the chat's newest messages; undefined when it is not the first. */
  lock(newest: number): Promise<ChatMessage[] | undefined>;
  /** Appends the entry to the queue. @returns whether there is such a chat. @throws AiFault when too many wait. */
  enqueue(): Promise<boolean>;
  /** @returns undefined when the chat is gone. */
  look(): Promise<QueueState | undefined>;
  /** Renews the lock. @returns whether it is still held, which it counts as in a chat that is gone. */
  renew(): Promise<boolean>;
  /**
   * Stores messages and unlocks the chat by the same update: nothing is stored without the lock.
   * @returns the whole chat, or undefined when it is gone or full.
   * @throws AiFault when the lock was lost.
   */
  append(messages: ChatMessage[], bytes: number): Promise<ChatSession | undefined>;
  /** Removes the entry, and with it the lock. */
  remove(): Promise<void>;
}

/** @param instance identifies the server that works on the question. */
export function chatQueueEntry(
  { ChatSession }: Db,
  chat: { sessionId: string; userId: string },
  instance: string,
): ChatQueueEntry {
  const holder = `${instance}:${randomUUID()}`;
  const first = { ...chat, "queue.0": holder };
  const removed = () => ({ $pull: { queue: holder }, $set: { turnUntil: inMs(noticeMs) } });

  const locked = async (from: object, change: object, newest: number): Promise<ChatMessage[] | undefined> => {
    const options = { projection: { messages: { $slice: -newest } }, returnDocument: "after", ...untimed } as const;
    const update = { $set: { ...change, turnUntil: inMs(lockMs) } };
    return (await ChatSession.findOneAndUpdate(from, update, options).lean())?.messages;
  };

  return {
    lockIdle: (newest) => locked({ ...chat, "queue.0": { $exists: false } }, { queue: [holder] }, newest),
    lock: (newest) => locked(first, {}, newest),

    async enqueue() {
      const options = { projection: { queue: 1 }, returnDocument: "after", ...untimed } as const;
      const chatNow = await ChatSession.findOneAndUpdate(chat, { $push: { queue: holder } }, options).lean();
      if ((chatNow?.queue?.length ?? 0) > mostWaiting + 1)
        throw new AiFault("unavailable", "too many questions wait for this chat");
      return chatNow !== null;
    },

    async look() {
      const seen = await ChatSession.findOne(chat, { queue: 1, turnUntil: 1 }).lean();
      if (!seen) return undefined;
      const { queue = [], turnUntil = null } = seen;
      return {
        ahead: queue.indexOf(holder),
        async removeExpired() {
          if (turnUntil && turnUntil.getTime() > Date.now()) return false;
          const [head = ""] = queue;
          const died = instanceOf(head);
          const dead = queue.filter((other) => other === head || (instanceOf(other) === died && died !== instance));
          const next = { $pull: { queue: { $in: dead } }, $set: { turnUntil: inMs(noticeMs) } };
          await ChatSession.updateOne({ ...chat, "queue.0": head, turnUntil }, next, untimed);
          return true;
        },
      };
    },

    async renew() {
      const kept = await ChatSession.updateOne(first, { $set: { turnUntil: inMs(lockMs) } }, untimed);
      return kept.matchedCount > 0 || (await ChatSession.exists(chat)) === null;
    },

    async append(messages, bytes) {
      const { $pull, $set } = removed();
      const pair = { $push: { messages: { $each: messages } }, $inc: { bytes }, $pull, $set };
      const grown = await ChatSession.findOneAndUpdate({ ...first, bytes: { $lt: fullChatBytes } }, pair, {
        returnDocument: "after",
      }).lean();
      if (grown) return grown;
      const now = await ChatSession.findOne(chat, { queue: 1 }).lean();
      if (now && now.queue?.[0] !== holder) throw new AiFault("unavailable", "the lock of the chat was lost");
      return undefined;
    },

    async remove() {
      const { matchedCount } = await ChatSession.updateOne(first, removed(), untimed);
      if (matchedCount === 0) await ChatSession.updateOne(chat, { $pull: { queue: holder } }, untimed);
    },
  };
}
