import type { Db } from "../../db/db.js";
import { newestFirst } from "../../db/ordered-list.js";
import type { ChatSession } from "../../models/learning/chat-session.js";

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
