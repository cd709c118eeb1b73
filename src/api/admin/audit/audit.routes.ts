import { z } from "zod";
import type { Deps } from "../../../deps.js";
import { id, isObjectId, timestamp } from "../../../http/fields.js";
import { cutPage } from "../../../http/pages.js";
import { type Route, route } from "../../../http/route.js";
import type { AuditEntry } from "../../../models/audit-entry.js";

const AuditQuery = z.object({
  limit: z.coerce.number().int().min(1).max(200).default(50),
  before: z.string().optional().meta({ description: "`_id` of the last entry of the page before" }),
});

const Entry = z
  .object({
    _id: id,
    actorId: z.string().meta({ description: "user id of who acted, or `system`" }),
    action: z.string(),
    targetKind: z.string(),
    targetId: z.string(),
    before: z.unknown(),
    after: z.unknown(),
    requestId: z.string().nullable(),
    createdAt: timestamp,
  })
  .meta({ id: "AuditEntry" });

const AuditReply = z.object({
  entries: z.array(Entry),
  nextBefore: z.string().nullable().meta({ description: "`before` of the next page; null at the end" }),
});

/** The trail of what administrators did and of how roles changed. Nothing changes or removes an entry. */
export function auditRoutes({ db }: Deps): Route[] {
  return [
    route({
      method: "get",
      path: "/audit",
      summary: "Administrative actions and changes of roles, newest first",
      access: "admin",
      query: AuditQuery,
      reply: AuditReply,
      errors: [],
      async handle({ query: { limit, before } }) {
        const nothing = { entries: [], nextBefore: null };
        const last =
          before === undefined
            ? undefined
            : isObjectId(before) && (await db.AuditEntry.findById(before, { createdAt: 1 }).lean());
        if (last === null || last === false) return nothing;
        const older = last && {
          createdAt: { $lte: last.createdAt },
          $or: [{ createdAt: { $lt: last.createdAt } }, { _id: { $lt: last._id } }],
        };
        const found = await db.AuditEntry.find(older ?? {})
          .sort({ createdAt: -1, _id: -1 })
          .limit(limit + 1)
          .lean<AuditEntry[]>();
        const { rows: entries, hasMore } = cutPage(found, limit);
        return { entries, nextBefore: hasMore ? String(entries.at(-1)?._id) : null };
      },
    }),
  ];
}
