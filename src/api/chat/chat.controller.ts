import type { Types } from "mongoose";
import { z } from "zod";
import type { Db } from "../../db/db.js";
import { findAfter } from "../../db/find-after.js";
import type { Deps } from "../../deps.js";
import { eventStream, wantsEventStream } from "../../http/replies/event-stream.js";
import { describedBatches, type OrderedList, sendWholeList } from "../../http/reply-with-list.js";
import { alreadySent, type RouteRequest } from "../../http/route.js";
import { failure, InvalidRequest } from "../../lib/errors.js";
import type { ChatSession } from "../../models/learning/chat-session.js";
import type { CourseOutlines } from "../../services/courses/course-outlines.js";
import { askTutor } from "../../services/tutor/ask-tutor.js";
import { type ChatBody, type ChatParams, ChatReply, missing } from "./chat.schemas.js";

export const MissingMessage = failure("missing_message", 400, "Missing message");
export const ChatFailed = failure("chat_failed", 500, "Failed to generate AI response.");
export const ListFailed = failure("list_failed", 500, "Error while fetching conversations");
export const ReadFailed = failure("read_failed", 500, "Error while fetching conversation");
export const DeleteFailed = failure("delete_failed", 500, "Error while deleting conversation");
export const ChatSessionNotFound = failure("chat_session_not_found", 404, "Chat session not found");
export const ChatNotFound = failure("chat_not_found", 404, "Chat not found");

/** Answers an absent or blank question with a message of its own. */
export const InvalidChat = Object.assign(
  (cause?: unknown) => {
    const absent = cause instanceof z.ZodError && cause.issues.some(({ message }) => message === missing);
    return absent ? MissingMessage(cause) : InvalidRequest(cause);
  },
  { id: InvalidRequest.id, status: InvalidRequest.status, message: InvalidRequest.message },
);

type Owned = RouteRequest<z.output<typeof ChatParams>, undefined, undefined, "user">;

export function chatController({ db, ai, log, config }: Deps, outlines: CourseOutlines) {
  const tutor = { db, ai, outlines, platform: config.platform.name };

  return {
    async send({
      viewer,
      body,
      req,
      res,
      signal,
    }: RouteRequest<undefined, undefined, z.output<typeof ChatBody>, "user">) {
      const events = wantsEventStream(req) ? eventStream(res) : undefined;
      res.vary("Accept");
      try {
        const reply = await askTutor(tutor, {
          userId: viewer.id,
          sessionId: body.sessionId || undefined,
          question: body.content,
          signal,
          ...(events && { onText: (text: string) => events.send("delta", { text }) }),
        });
        if (!events) return reply;
        await events.send("done", { success: true, ...ChatReply.parse(reply) });
      } catch (error) {
        if (signal.aborted) return alreadySent; // the client is gone
        if (!events?.started) throw error;
        log.warn({ eventId: "chat_stream_failed", requestId: req.id, cause: String(error) }, "a chat stream failed");
        await events.send("error", { success: false, message: ChatFailed.message });
      }
      events.end();
      return alreadySent;
    },

    list: (request: RouteRequest<undefined, undefined, undefined, "user">) =>
      sendWholeList(request, describedBatches(chatsNewestFirst(db, request.viewer.id)), (chats) => ({ chats })),

    async show({ viewer, params }: Owned) {
      const chat = await db.ChatSession.findOne({ sessionId: params.sessionId, userId: viewer.id }).lean();
      if (!chat) throw ChatSessionNotFound();
      return chat;
    },

    async remove({ viewer, params }: Owned) {
      const own = { sessionId: params.sessionId, userId: viewer.id };
      const { deletedCount } = await db.ChatSession.deleteOne(own);
      if (deletedCount === 0) throw ChatNotFound();
      return { message: "Chat deleted successfully" as const };
    },
  };
}

type ListedChat = Pick<ChatSession, "_id" | "sessionId" | "opening" | "createdAt" | "updatedAt">;

/** Lists a learner's chats without their messages, newest created first. */
function chatsNewestFirst(db: Db, userId: string) {
  const fields = { sessionId: 1, opening: 1, createdAt: 1, updatedAt: 1 } as const;
  const sort = { createdAt: -1, _id: -1 } as const;
  return {
    find: (after, limit) =>
      findAfter<ChatSession, ListedChat>(db.ChatSession, { filter: { userId }, fields, sort, after, limit }),
    keyOf: ({ createdAt, _id }) => [createdAt, _id],
    describe: async (chats) => chats.map(({ opening, ...chat }) => ({ ...chat, messages: opening })),
  } satisfies OrderedList<ListedChat, [Date, Types.ObjectId], unknown>;
}
