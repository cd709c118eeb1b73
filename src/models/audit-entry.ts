import { Schema, type Types } from "mongoose";
import { z } from "zod";
import { timestamp } from "../lib/fields.js";
import { defineCollection } from "./collection.js";

/** One action of an administrator or one change of a role. Nothing but an erasure of personal data changes it. */
export interface AuditEntry {
  _id: Types.ObjectId;
  /** User id of who acted, or `system`. */
  actorId: string;
  /** For example `application.approve`, `purchase.refund`, `role.change`. */
  action: string;
  targetKind: string;
  targetId: string;
  before: unknown;
  after: unknown;
  requestId: string | null;
  /** The API key with which the actor acted; absent without one. */
  by?: { kind: "key"; id: string };
  createdAt: Date;
}

const auditEntrySchema = new Schema<AuditEntry>(
  {
    actorId: { type: String, required: true },
    action: { type: String, required: true },
    targetKind: { type: String, required: true },
    targetId: { type: String, required: true },
    before: { type: Schema.Types.Mixed, default: null },
    after: { type: Schema.Types.Mixed, default: null },
    requestId: { type: String, default: null },
    by: { type: new Schema({ kind: String, id: String }, { _id: false, id: false }), required: false },
  },
  { timestamps: { createdAt: true, updatedAt: false }, minimize: false },
);
auditEntrySchema.index({ createdAt: -1, _id: -1 });
auditEntrySchema.index({ targetKind: 1, targetId: 1, createdAt: -1 });

export const auditEntryCollection = defineCollection<AuditEntry>({
  schema: auditEntrySchema,
  holds: "actions of administrators, changes of roles, erasures; only erasures change it",
  kept: "for good; erasure takes addresses and reasons out",
  userData: {
    owner: "targetId",
    section: "auditEntries",
    where: { targetKind: "user" },
    row: z.object({ action: z.string(), createdAt: timestamp }),
    erasure: { keep: "the evidence of who did what" },
  },
});
