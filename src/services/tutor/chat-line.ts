import { randomUUID } from "node:crypto";
import type { Db } from "../../db/db.js";
import { type ChatMessage, type ChatSession, fullChatBytes } from "../../models/chat-session.js";
import { AiFault } from "../../providers/openai/fault.js";

/** Questions that may wait for one chat; further ones are refused. */
const mostWaiting = 30;
/** A turn is renewed three times in this time; a process that died holds up its chat no longer. */
export const turnMs = 10_000;
/** Time for the next in line to notice that it is its turn. It looks several times as often. */
const noticeMs = 2_000;

/** Lease and line are none of the conversation's changes. */
const untimed = { timestamps: false } as const;
const instanceOf = (holder: string): string => holder.split(":", 1)[0] ?? "";
const inMs = (ms: number): Date => new Date(Date.now() + ms);

/** What a waiting request sees of the line. */
export interface LineSeen {
  /** How many are ahead; negative when this one is not in line. */
  readonly ahead: number;
  /**
   * Takes the first out of the line, if the lease has expired, with all others of its instance unless that is this one:
   * it is dead, or too slow to be told from dead.
   */
  evictDead(): Promise<boolean>;
}

/**
 * One question's place in the line for a chat's next turn. The line stands in the chat itself; the first in it holds a
 * lease on the turn. Every step is one conditional update.
 */
export interface PlaceInLine {
  /** Takes the turn of a chat that is not in use. */
  takeFree(newest: number): Promise<ChatMessage[] | undefined>;
  /** Takes the turn when first in line. @returns the chat's newest messages. */
  take(newest: number): Promise<ChatMessage[] | undefined>;
  /** Goes to the end of the line. @returns whether there is such a chat. @throws AiFault when too many wait. */
  lineUp(): Promise<boolean>;
  /** @returns undefined when the chat is gone. */
  look(): Promise<LineSeen | undefined>;
  /** Prolongs the turn. @returns whether it is still held; a chat that is gone has no other request to lose it to. */
  renew(): Promise<boolean>;
  /**
   * Stores messages and gives the turn back by the same update: nothing is stored out of turn.
   * @returns the whole chat, or undefined when it is gone or full.
   * @throws AiFault when the turn was lost.
   */
  append(messages: ChatMessage[], bytes: number): Promise<ChatSession | undefined>;
  leave(): Promise<void>;
}

/** @param instance names the server whose question it is. */
export function placeInLine(
  { ChatSession }: Db,
  chat: { sessionId: string; userId: string },
  instance: string,
): PlaceInLine {
  const holder = `${instance}:${randomUUID()}`;
  const first = { ...chat, "queue.0": holder };
  const given = () => ({ $pull: { queue: holder }, $set: { turnUntil: inMs(noticeMs) } });

  const taken = async (from: object, change: object, newest: number): Promise<ChatMessage[] | undefined> => {
    const options = { projection: { messages: { $slice: -newest } }, returnDocument: "after", ...untimed } as const;
    const update = { $set: { ...change, turnUntil: inMs(turnMs) } };
    return (await ChatSession.findOneAndUpdate(from, update, options).lean())?.messages;
  };

  return {
    takeFree: (newest) => taken({ ...chat, "queue.0": { $exists: false } }, { queue: [holder] }, newest),
    take: (newest) => taken(first, {}, newest),

    async lineUp() {
      const options = { projection: { queue: 1 }, returnDocument: "after", ...untimed } as const;
      const line = await ChatSession.findOneAndUpdate(chat, { $push: { queue: holder } }, options).lean();
      if ((line?.queue?.length ?? 0) > mostWaiting + 1) throw new AiFault("unavailable", "too many turns of one chat");
      return line !== null;
    },

    async look() {
      const seen = await ChatSession.findOne(chat, { queue: 1, turnUntil: 1 }).lean();
      if (!seen) return undefined;
      const { queue = [], turnUntil = null } = seen;
      return {
        ahead: queue.indexOf(holder),
        async evictDead() {
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
      const kept = await ChatSession.updateOne(first, { $set: { turnUntil: inMs(turnMs) } }, untimed);
      return kept.matchedCount > 0 || (await ChatSession.exists(chat)) === null;
    },

    async append(messages, bytes) {
      const { $pull, $set } = given();
      const pair = { $push: { messages: { $each: messages } }, $inc: { bytes }, $pull, $set };
      const grown = await ChatSession.findOneAndUpdate({ ...first, bytes: { $lt: fullChatBytes } }, pair, {
        returnDocument: "after",
      }).lean();
      if (grown) return grown;
      const now = await ChatSession.findOne(chat, { queue: 1 }).lean();
      if (now && now.queue?.[0] !== holder) throw new AiFault("unavailable", "the turn was lost");
      return undefined;
    },

    async leave() {
      const { matchedCount } = await ChatSession.updateOne(first, given(), untimed);
      if (matchedCount === 0) await ChatSession.updateOne(chat, { $pull: { queue: holder } }, untimed);
    },
  };
}
