import { Schema, type Types } from "mongoose";

/** `approving` is never shown: see commands/application-view.ts. */
export type ApplicationStatus = "pending" | "approving" | "approved" | "rejected";

/** The newest decision: what the audit trail is told, also when a crash came in between. */
export interface Decision {
  outcome: "approved" | "rejected";
  /** Which submission was decided. */
  submission: number;
  reason: string;
  /** The applicant's role record at that moment. */
  roleBefore: string | null;
  /** User id of the administrator. */
  by: string;
  at: Date;
  requestId: string | null;
}

/** One person's wish to teach; a re-application after a rejection is the same record. */
export interface EducatorApplication {
  _id: Types.ObjectId;
  userId: string;
  professionalTitle: string;
  bio: string;
  expertise: string[];
  linkedinUrl: string;
  status: ApplicationStatus;
  rejectionReason: string;
  /** Whether the applicant held the admin role when applying: the only trace of an admin whom only the token names. */
  appliedAsAdmin: boolean;
  /** Raised by every submission: names its decision in the audit trail. */
  submission: number;
  decision: Decision | null;
  /** True from the decision until it is in the audit trail. */
  unaudited: boolean;
  /** While approving: when the next attempt at the identity provider is due, and how many there were. */
  nextAttemptAt: Date | null;
  attempts: number;
  createdAt: Date;
  updatedAt: Date;
}

const decisionSchema = new Schema<Decision>(
  {
    outcome: { type: String, enum: ["approved", "rejected"], required: true },
    submission: { type: Number, required: true },
    reason: { type: String, default: "" },
    roleBefore: { type: String, default: null },
    by: { type: String, required: true },
    at: { type: Date, required: true },
    requestId: { type: String, default: null },
  },
  { _id: false },
);

export const educatorApplicationSchema = new Schema<EducatorApplication>(
  {
    userId: { type: String, required: true },
    professionalTitle: { type: String, required: true },
    bio: { type: String, required: true },
    expertise: { type: [String], required: true },
    linkedinUrl: { type: String, default: "" },
    status: { type: String, enum: ["pending", "approving", "approved", "rejected"], required: true },
    rejectionReason: { type: String, default: "" },
    appliedAsAdmin: { type: Boolean, default: false },
    submission: { type: Number, default: 1 },
    decision: { type: decisionSchema, default: null },
    unaudited: { type: Boolean, default: false },
    nextAttemptAt: { type: Date, default: null },
    attempts: { type: Number, default: 0 },
  },
  { timestamps: true, versionKey: false },
);
educatorApplicationSchema.index({ userId: 1 }, { unique: true });
educatorApplicationSchema.index({ createdAt: -1, _id: -1 }); // the admin list, newest first
educatorApplicationSchema.index({ status: 1, createdAt: -1, _id: -1 }); // the filtered list, the count of pending ones
educatorApplicationSchema.index({ status: 1, nextAttemptAt: 1 }); // what the role job has to do
// What it has to audit.
educatorApplicationSchema.index({ unaudited: 1 }, { partialFilterExpression: { unaudited: true } });
