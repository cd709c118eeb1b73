import { randomUUID } from "node:crypto";
import { EventEmitter, once } from "node:events";
import type { Db } from "../../db/db.js";
import type { ChatMessage, ChatSession } from "../../models/chat-session.js";
import { AiFault } from "../../providers/openai/fault.js";
import { type PlaceInLine, placeInLine, turnMs } from "./chat-line.js";

/** The turn of one chat. No other request has it meanwhile, on this or any other instance. */
export interface ChatTurn {
  /** The chat's newest messages, in order. */
  readonly messages: ChatMessage[];
  /** Aborts when the turn was lost: it could not be renewed in time, or was taken for abandoned. */
  readonly lost: AbortSignal;
  /** Stores messages and ends the turn; see `PlaceInLine.append`. */
  append(messages: ChatMessage[], bytes: number): Promise<ChatSession | undefined>;
  /** Ends the turn, unless it has ended. */
  leave(): Promise<void>;
}

export interface WantedTurn {
  readonly userId: string;
  readonly sessionId: string;
  /** Aborts when the caller no longer waits for the turn. */
  readonly signal: AbortSignal;
}

/** Ids come from clients, and an event called `error` is no usual one. */
const nameOf = (sessionId: string): string => `chat ${sessionId}`;
const lookMs = { first: 25, most: 250 };

/**
 * Gives out the turns of chats in order of arrival over all instances. A chat that is not in use is read and taken by one
 * update. Waiters look at it now and then, and at once when a turn on this instance ends.
 * @param newest messages that a turn is given.
 * @param waitMs longest wait for a turn.
 * @returns gives undefined when the learner has no such chat, and an AiFault when too many wait or this one did too
 * long.
 */
export function createChatQueue(
  db: Db,
  { newest, waitMs }: { newest: number; waitMs: number },
): (wanted: WantedTurn) => Promise<ChatTurn | undefined> {
  const ended = new EventEmitter().setMaxListeners(0);
  const instance = randomUUID();

  async function wait(place: PlaceInLine, { sessionId, signal }: WantedTurn): Promise<ChatMessage[] | undefined> {
    if (!(await place.lineUp())) return undefined;
    const until = performance.now() + waitMs;
    for (let pause = lookMs.first; performance.now() < until; pause = Math.min(pause * 2, lookMs.most)) {
      const line = await place.look();
      signal.throwIfAborted();
      if (!line) return undefined;
      if (line.ahead === 0) {
        const messages = await place.take(newest);
        if (messages) return messages;
      } else if (line.ahead < 0) {
        await place.lineUp(); // it was taken for dead
      } else if (!(await line.evictDead())) {
        const rest = AbortSignal.timeout(line.ahead === 1 ? pause : pause * 2);
        await once(ended, nameOf(sessionId), { signal: AbortSignal.any([signal, rest]) }).catch(() => undefined);
      }
    }
    throw new AiFault("unavailable", "waited too long for a turn");
  }

  return async (wanted) => {
    const { userId, sessionId } = wanted;
    const place = placeInLine(db, { sessionId, userId }, instance);
    const leave = async (): Promise<void> => {
      await place.leave().catch(() => undefined); // it expires all the same
      ended.emit(nameOf(sessionId));
    };
    let messages: ChatMessage[] | undefined;
    try {
      messages = (await place.takeFree(newest)) ?? (await wait(place, wanted));
    } catch (error) {
      await leave();
      throw error;
    }
    if (!messages) return undefined;
    const lease = keepTurn(place);
    return {
      messages,
      lost: lease.lost,
      async append(pair, bytes) {
        const chat = await place.append(pair, bytes);
        if (chat) {
          lease.end();
          ended.emit(nameOf(sessionId));
        }
        return chat;
      },
      async leave() {
        if (lease.end()) await leave();
      },
    };
  };
}

/** Renews a turn until told to end, and tells when another request may have it. */
function keepTurn(place: PlaceInLine): { lost: AbortSignal; end(): boolean } {
  const lost = new AbortController();
  let heldUntil = Date.now() + turnMs;
  const renew = async (): Promise<void> => {
    const next = Date.now() + turnMs;
    if (await place.renew()) heldUntil = next;
    else lost.abort();
  };
  const renewal = setInterval(() => {
    renew().catch(() => Date.now() < heldUntil || lost.abort());
  }, turnMs / 3);
  renewal.unref();
  let ending = false;
  return {
    lost: lost.signal,
    /** @returns false when it had ended before. */
    end() {
      clearInterval(renewal);
      const now = !ending;
      ending = true;
      return now;
    },
  };
}
