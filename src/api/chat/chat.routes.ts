import type { Deps } from "../../deps.js";
import { EventStream, wantsEventStream } from "../../http/replies/event-stream.js";
import { missingOr } from "../../http/required.js";
import { alreadySent, type RouteGroup, route } from "../../http/route.js";
import { failure } from "../../lib/errors.js";
import { askTutor, deleteChat, findChat, listChats } from "../../services/tutor/ask-tutor.js";
import { ChatBody, ChatReply, ChatsReply, DeletedReply, StoredChatReply } from "./chat.schemas.js";

const MissingMessage = failure("missing_message", 400, "Missing message");
const ChatFailed = failure("chat_failed", 500, "Failed to generate AI response.");
const ListFailed = failure("chat_list_failed", 500, "Error while fetching conversations");
const ReadFailed = failure("chat_read_failed", 500, "Error while fetching conversation");
const DeleteFailed = failure("chat_delete_failed", 500, "Error while deleting conversation");
const ChatSessionNotFound = failure("chat_not_found", 404, "Chat session not found");
const ChatNotFound = failure("chat_not_found", 404, "Chat not found");

/** Conversations with the AI tutor. A chat that is not the caller's does not exist for them. */
export function chatGroup({ db, ai, log, config }: Deps): RouteGroup {
  const tutor = { db, ai, platform: config.platform.name };
  return {
    name: "chat",
    base: "/api/user",
    routes: [
      route("post", "/ai-chat", {
        operationId: "askTutor",
        summary: "Ask the tutor",
        description:
          "With `Accept: text/event-stream` the answer comes as Server-Sent Events: `delta` `{text}` as the model " +
          "writes, then `done` with the JSON reply, or `error` with `{success, message}`. Failures before the " +
          "first text have their usual status. A failed question stores nothing.",
        access: "user",
        limit: "aiChat",
        body: ChatBody,
        reply: ChatReply,
        errors: [MissingMessage],
        invalid: missingOr(MissingMessage, "some"),
        fallbackError: ChatFailed,
        alsoProduces: ["text/event-stream"],
        async handle({ viewer, body, req, res, signal }) {
          const events = wantsEventStream(req) ? new EventStream(res) : undefined;
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
            log.warn(
              { eventId: "chat_stream_failed", requestId: req.id, cause: String(error) },
              "a chat stream failed",
            );
            await events.send("error", { success: false, message: ChatFailed.message });
          }
          events.end();
          return alreadySent;
        },
      }),
      route("post", "/previous-chats", {
        operationId: "listChats",
        summary: "The caller's chats, newest created first",
        access: "user",
        reply: ChatsReply.schema,
        fallbackError: ListFailed,
        handle: (request) => ChatsReply.answer(request, listChats(db, request.viewer.id)),
      }),
      route("get", "/chat/:sessionId", {
        operationId: "getChat",
        summary: "One of the caller's chats",
        access: "user",
        reply: StoredChatReply,
        errors: [ChatSessionNotFound],
        fallbackError: ReadFailed,
        async handle({ viewer, params }) {
          const chat = await findChat(db, viewer.id, params.sessionId);
          if (!chat) throw ChatSessionNotFound();
          return chat;
        },
      }),
      route("delete", "/chat/:sessionId", {
        operationId: "deleteChat",
        summary: "Delete one of the caller's chats",
        access: "user",
        reply: DeletedReply,
        errors: [ChatNotFound],
        fallbackError: DeleteFailed,
        async handle({ viewer, params }) {
          if (!(await deleteChat(db, viewer.id, params.sessionId))) throw ChatNotFound();
          return { message: "Chat deleted successfully" as const };
        },
      }),
    ],
  };
}
