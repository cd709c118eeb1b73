import { Types } from "mongoose";
import type { Deps } from "../../deps.js";
import { readPage } from "../../http/reply-with-list.js";
import { type RouteGroup, route } from "../../http/route.js";
import { isObjectId } from "../../lib/fields.js";
import { listNotices, markRead, readInbox } from "../../services/notices/list-notices.js";
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
export function notificationsGroup({ db }: Deps): RouteGroup {
  return {
    name: "notifications",
    base: "/api/user",
    routes: [
      route({
        method: "get",
        path: "/notifications",
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
      route({
        method: "post",
        path: "/notifications/read",
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
      route({
        method: "get",
        path: "/notification-preferences",
        operationId: "getPreferences",
        summary: "Where the caller is told of what",
        access: "user",
        reply: PreferencesReply,
        handle: async ({ viewer }) => ({ preferences: await readPreferences(db, viewer.id) }),
      }),
      route({
        method: "put",
        path: "/notification-preferences",
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
