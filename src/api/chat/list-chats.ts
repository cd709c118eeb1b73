import type { Types } from "mongoose";
import type { Db } from "../../db/db.js";
import { readInOrder } from "../../db/read-in-order.js";
import type { OrderedList } from "../../http/reply-with-list.js";
import type { ChatSession } from "../../models/learning/chat-session.js";

type ListedChat = Pick<ChatSession, "_id" | "sessionId" | "opening" | "createdAt" | "updatedAt">;

/** A learner's chats without their messages, newest created first. */
export function chatsNewestFirst(db: Db, userId: string) {
  const fields = { sessionId: 1, opening: 1, createdAt: 1, updatedAt: 1 } as const;
  return {
    read: (after, size) =>
      readInOrder<ChatSession, ListedChat>(db.ChatSession, {
        ...{ filter: { userId }, fields, sort: { createdAt: -1, _id: -1 }, after, size },
      }),
    keyOf: ({ createdAt, _id }) => [createdAt, _id],
    describe: async (chats) => chats.map(({ opening, ...chat }) => ({ ...chat, messages: opening })),
  } satisfies OrderedList<ListedChat, [Date, Types.ObjectId], unknown>;
}
