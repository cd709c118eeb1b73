import type { Deps } from "../../deps.js";
import { type RouteGroup, route } from "../../http/route.js";
import type { CourseOutlines } from "../../services/courses/course-outlines.js";
import {
  ChatFailed,
  ChatNotFound,
  ChatSessionNotFound,
  chatController,
  DeleteFailed,
  InvalidChat,
  ListFailed,
  MissingMessage,
  ReadFailed,
} from "./chat.controller.js";
import { ChatBody, ChatParams, ChatReply, ChatsReply, DeletedReply, StoredChatReply } from "./chat.schemas.js";

/** Conversations with the AI tutor. A chat that is not the caller's does not exist for them. */
export function chatGroup(deps: Deps, outlines: CourseOutlines): RouteGroup {
  const chat = chatController(deps, outlines);
  return {
    name: "chat",
    base: "/api/user",
    access: "user",
    routes: [
      route({
        method: "post",
        path: "/ai-chat",
        summary: "Ask the tutor",
        description:
          "With `Accept: text/event-stream` the answer comes as Server-Sent Events: `delta` `{text}` as the model " +
          "writes, then `done` with the JSON reply, or `error` with `{success, message}`. Failures before the " +
          "first text have their usual status. A failed turn stores nothing.",
        access: "user",
        limit: "aiChat",
        body: ChatBody,
        reply: ChatReply,
        errors: [MissingMessage],
        invalid: InvalidChat,
        fallbackError: ChatFailed,
        alsoProduces: ["text/event-stream"],
        handle: chat.send,
      }),
      route({
        method: "post",
        path: "/previous-chats",
        summary: "The caller's chats, newest created first",
        access: "user",
        reply: ChatsReply,
        errors: [],
        fallbackError: ListFailed,
        handle: chat.list,
      }),
      route({
        method: "get",
        path: "/chat/:sessionId",
        summary: "One of the caller's chats",
        access: "user",
        params: ChatParams,
        reply: StoredChatReply,
        errors: [ChatSessionNotFound],
        fallbackError: ReadFailed,
        handle: chat.show,
      }),
      route({
        method: "delete",
        path: "/chat/:sessionId",
        summary: "Delete one of the caller's chats",
        access: "user",
        params: ChatParams,
        reply: DeletedReply,
        errors: [ChatNotFound],
        fallbackError: DeleteFailed,
        handle: chat.remove,
      }),
    ],
  };
}
