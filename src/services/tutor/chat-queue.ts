import { randomUUID } from "node:crypto";
import { EventEmitter, once } from "node:events";
import type { Db } from "../../db/db.js";
import type { ChatMessage, ChatSession } from "../../models/learning/chat-session.js";
import { AiFault } from "../../providers/openai/fault.js";
import { type ChatQueueEntry, chatQueueEntry, lockMs } from "./chat-queue-entry.js";

/** The lock of one chat. No other request has it meanwhile, on this or any other instance. */
export interface ChatLock {
  /** The chat's newest messages, in order. */
  readonly messages: ChatMessage[];
  /** Aborts when the lock was lost: it could not be renewed in time, or another request reclaimed it. */
  readonly lost: AbortSignal;
  /** Stores messages and unlocks the chat; see `ChatQueueEntry.append`. */
  append(messages: ChatMessage[], bytes: number): Promise<ChatSession | undefined>;
  /** Unlocks the chat, unless it was unlocked before. */
  release(): Promise<void>;
}

export interface LockRequest {
  readonly userId: string;
  readonly sessionId: string;
  /** Aborts when the caller no longer waits for the lock. */
  readonly signal: AbortSignal;
}

/** Ids come from clients, and an event called `error` would be special. */
const nameOf = (sessionId: string): string => `chat ${sessionId}`;
const lookMs = { first: 25, most: 250 };

/**
 * Locks chats for questions in order of arrival over all instances. An idle chat is read and locked by one update.
 * Waiting requests poll it, and look at once when this instance unlocks it.
 * @param newest number of messages that come with the lock.
 * @param waitMs longest wait for a lock.
 * @returns a function that gives undefined when the learner has no such chat, and throws an AiFault when too many wait
 *   or this one waited too long.
 */
export function createChatQueue(
  db: Db,
  { newest, waitMs }: { newest: number; waitMs: number },
): (wanted: LockRequest) => Promise<ChatLock | undefined> {
  const ended = new EventEmitter().setMaxListeners(0);
  const instance = randomUUID();

  async function wait(entry: ChatQueueEntry, { sessionId, signal }: LockRequest): Promise<ChatMessage[] | undefined> {
    if (!(await entry.enqueue())) return undefined;
    const until = performance.now() + waitMs;
    for (let pause = lookMs.first; performance.now() < until; pause = Math.min(pause * 2, lookMs.most)) {
      const queue = await entry.look();
      signal.throwIfAborted();
      if (!queue) return undefined;
      if (queue.ahead === 0) {
        const messages = await entry.lock(newest);
        if (messages) return messages;
      } else if (queue.ahead < 0) {
        await entry.enqueue(); // another request removed it as expired
      } else if (!(await queue.removeExpired())) {
        const rest = AbortSignal.timeout(queue.ahead === 1 ? pause : pause * 2);
        await once(ended, nameOf(sessionId), { signal: AbortSignal.any([signal, rest]) }).catch(() => undefined);
      }
    }
    throw new AiFault("unavailable", "waited too long for the lock of the chat");
  }

  return async (wanted) => {
    const { userId, sessionId } = wanted;
    const entry = chatQueueEntry(db, { sessionId, userId }, instance);
    const unlock = async (): Promise<void> => {
      await entry.remove().catch(() => undefined); // it expires all the same
      ended.emit(nameOf(sessionId));
    };
    let messages: ChatMessage[] | undefined;
    try {
      messages = (await entry.lockIdle(newest)) ?? (await wait(entry, wanted));
    } catch (error) {
      await unlock();
      throw error;
    }
    if (!messages) return undefined;
    const renewal = keepLock(entry);
    return {
      messages,
      lost: renewal.lost,
      async append(pair, bytes) {
        const chat = await entry.append(pair, bytes);
        if (chat) {
          renewal.end();
          ended.emit(nameOf(sessionId));
        }
        return chat;
      },
      async release() {
        if (renewal.end()) await unlock();
      },
    };
  };
}

/** Renews a lock until `end` is called; `lost` aborts when another request may have it. */
function keepLock(entry: ChatQueueEntry): { lost: AbortSignal; end(): boolean } {
  const lost = new AbortController();
  let heldUntil = Date.now() + lockMs;
  const renew = async (): Promise<void> => {
    const next = Date.now() + lockMs;
    if (await entry.renew()) heldUntil = next;
    else lost.abort();
  };
  const timer = setInterval(() => {
    renew().catch(() => Date.now() < heldUntil || lost.abort());
  }, lockMs / 3);
  timer.unref();
  let ending = false;
  return {
    lost: lost.signal,
    /** @returns false when it had ended before. */
    end() {
      clearInterval(timer);
      const now = !ending;
      ending = true;
      return now;
    },
  };
}
