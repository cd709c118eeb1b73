import { z } from "zod";
import { timestamp } from "../lib/fields.js";
import { defineCollection } from "./collection.js";
import { objectIdField, rowTimes, withDefault } from "./row.js";

/** One action of an administrator or one change of a role. Nothing but an erasure of personal data changes it. */
export type AuditEntry = z.input<typeof auditEntryRow>;
export const auditEntryRow = z.object({
  _id: objectIdField,
  /** User id of who acted, or `system`. */
  actorId: z.string(),
  /** For example `application.approve`, `purchase.refund`, `role.change`. */
  action: z.string(),
  targetKind: z.string(),
  targetId: z.string(),
  before: withDefault(z.unknown(), null),
  after: withDefault(z.unknown(), null),
  requestId: z.string().nullable(),
  /** The API key with which the actor acted; absent without one. */
  by: z.object({ kind: z.literal("key"), id: z.string() }).exactOptional(),
  createdAt: rowTimes.createdAt,
});

export const auditEntryCollection = defineCollection({
  row: auditEntryRow,
  options: { minimize: false },
  indexes: [[{ createdAt: -1, _id: -1 }], [{ targetKind: 1, targetId: 1, createdAt: -1 }]],
  holds: "actions of administrators, changes of roles, erasures; only erasures change it",
  kept: "for good; erasure takes addresses and reasons out",
  userData: {
    owner: "targetId",
    section: "auditEntries",
    where: { targetKind: "user" },
    exported: ["action", "createdAt"],
    exportedAs: { createdAt: timestamp },
    erasure: { keep: "the evidence of who did what" },
  },
});
