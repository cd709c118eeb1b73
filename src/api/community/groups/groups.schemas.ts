import { z } from "zod";
import { listReply } from "../../../http/list-reply.js";
import { nextCursorOfPage, pageOrAll } from "../../../http/pages.js";
import { requiredText } from "../../../http/required.js";
import { id, text, timestamp } from "../../../lib/fields.js";

export const GroupView = z
  .object({
    _id: id,
    name: z.string(),
    slug: z.string(),
    description: z.string(),
    icon: z.string(),
    memberCount: z.number(),
    postCount: z.number(),
    isOfficial: z.boolean(),
    isMember: z.boolean().meta({ description: "false for anonymous callers" }),
    createdAt: timestamp,
    updatedAt: timestamp,
  })
  .meta({ id: "CommunityGroup" });

const defaultIcon = "💬";

export const GroupBody = z.object({
  name: requiredText(60),
  description: text(0, 200).default(""),
  icon: text(0, 16)
    .default(defaultIcon)
    .transform((icon) => icon || defaultIcon),
});

/** `after` holds what the list is ordered by. */
export const GroupsQuery = z.object(pageOrAll(z.tuple([z.boolean(), z.int().min(0), z.string()]), 100));

export const GroupsReply = listReply("groups", GroupView, nextCursorOfPage);
export const GroupReply = z.object({ group: GroupView });
export const MembershipReply = z.object({ isMember: z.boolean() });
