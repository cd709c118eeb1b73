import { Types } from "mongoose";
import type { Deps } from "../../deps.js";
import { readPage } from "../../http/list-reply.js";
import { EventStream } from "../../http/replies/event-stream.js";
import { alreadySent, type RouteGroup, route } from "../../http/route.js";
import { isObjectId } from "../../lib/fields.js";
import { UserNotFound } from "../../services/failures.js";
import { listNotices, markRead, readInbox } from "../../services/notices/list-notices.js";
import { TooManyStreams } from "../../services/notices/notice-streams.js";
import { changePreferences, readPreferences } from "../../services/notices/preferences.js";
import {
  NotificationsQuery,
  NotificationsReply,
  PreferencesBody,
  PreferencesReply,
  ReadBody,
  ReadReply,
} from "./notifications.schemas.js";

/** What users are told of, and where. */
export function notificationsGroup({ db, noticeStreams }: Deps): RouteGroup {
  return {
    name: "notifications",
    base: "/api/user",
    routes: [
      route("get", "/notifications", {
        operationId: "listNotifications",
        summary: "The caller's notifications, newest first",
        access: "user",
        query: NotificationsQuery,
        reply: NotificationsReply,
        async handle({ viewer, query }) {
          const inbox = await readInbox(db, viewer.id);
          const list = listNotices(db, viewer.id, inbox, { isUnread: query.unread === "true" });
          const { items: notifications, nextCursor } = await readPage(list, query);
          return { notifications, unread: inbox.unread, nextCursor };
        },
      }),
      route("get", "/notifications/stream", {
        operationId: "streamNotifications",
        summary: "The caller's notifications as they are made",
        description:
          "Server-Sent Events: `notification` with a notification, and a comment every 25 seconds. With `Last-Event-ID` the " +
          "stream begins behind that event; after 500 missed events it ends, and the client resumes it. A stream ends after " +
          "an hour. A user has three streams at most on each instance.",
        access: "user",
        errors: [TooManyStreams, UserNotFound],
        alsoProduces: ["text/event-stream"],
        async handle({ viewer, req, res }) {
          const id = req.get("last-event-id") ?? "";
          const after = /^\d{1,15}$/.test(id) ? Number(id) : undefined;
          const reader = new EventStream(res);
          if (req.method === "HEAD") {
            reader.comment();
            reader.end();
          } else await noticeStreams.open(viewer.id, reader, after);
          return alreadySent;
        },
      }),
      route("post", "/notifications/read", {
        operationId: "readNotifications",
        summary: "Mark notifications as read: some of them, or all",
        description: "Ids that are not the caller's own change nothing.",
        access: "user",
        body: ReadBody,
        reply: ReadReply,
        async handle({ viewer, body }) {
          const ids = body.ids?.filter(isObjectId).map((id) => new Types.ObjectId(id));
          return { unread: await markRead(db, viewer.id, ids) };
        },
      }),
      route("get", "/notification-preferences", {
        operationId: "getPreferences",
        summary: "Where the caller is told of what",
        access: "user",
        reply: PreferencesReply,
        handle: async ({ viewer }) => ({ preferences: await readPreferences(db, viewer.id) }),
      }),
      route("put", "/notification-preferences", {
        operationId: "setPreferences",
        summary: "Change where the caller is told of what",
        description:
          "Types and channels that are not named stay. `purchase_receipt` is a mail only, which cannot be switched off.",
        access: "user",
        body: PreferencesBody,
        reply: PreferencesReply,
        handle: async ({ viewer, body }) => ({
          preferences: await changePreferences(db, viewer.id, body.preferences),
        }),
      }),
    ],
  };
}
