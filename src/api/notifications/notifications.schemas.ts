import { z } from "zod";
import { nextCursor, orderedPage } from "../../http/pages.js";
import { id, list, timestamp } from "../../lib/fields.js";
import { noticeTypeNames, noticeTypes } from "../../services/notices/notice-types.js";

const unread = z.int().meta({ description: "number of all unread notifications" });

export const NotificationView = z
  .object({
    _id: id,
    type: z.enum(noticeTypeNames),
    title: z.string(),
    body: z.string().meta({ description: "plain text; Markdown of an announcement" }),
    link: z.string().nullable().meta({ description: "an address of the frontend" }),
    createdAt: timestamp,
    readAt: timestamp.nullable(),
    count: z.int().meta({ description: "number of events that the notification stands for" }),
  })
  .meta({ id: "Notification" });

export const NotificationsQuery = z.object({
  unread: z.enum(["true", "false"]).default("false").meta({ description: "`true`: only unread ones" }),
  ...orderedPage(z.tuple([z.number()])),
});

export const NotificationsReply = z.object({ notifications: z.array(NotificationView), unread, nextCursor });

export const ReadBody = z.object({
  ids: list(z.string(), 100, 1).optional().meta({ description: "absent: all" }),
});
export const ReadReply = z.object({ unread });

const channels = z.object({ app: z.boolean(), mail: z.boolean() });
const someChannels = z.object({ app: z.boolean().optional(), mail: z.boolean().optional() });
const fixedChannels = z.object({ app: z.literal(false).optional(), mail: z.literal(true).optional() });

/** An object with a field for each type of notice. */
const ofEachType = <Field extends z.ZodType>(fieldOf: (type: (typeof noticeTypeNames)[number]) => Field) =>
  Object.fromEntries(
    noticeTypeNames.map((type) => [type, fieldOf(type).meta({ description: noticeTypes[type].description })]),
  ) as Record<(typeof noticeTypeNames)[number], Field>;

export const PreferencesReply = z.object({ preferences: z.object(ofEachType(() => channels)) });

export const PreferencesBody = z.object({
  preferences: z.strictObject(
    ofEachType((type) => (noticeTypes[type].mail.when === "always" ? fixedChannels : someChannels).optional()),
  ),
});
