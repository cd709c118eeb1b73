import { Schema, type Types } from "mongoose";
import { emailKey } from "../../lib/email-address.js";
import { defineCollection } from "../collection.js";

export const importOutcomes = ["granted", "waiting", "skipped", "failed"] as const;
export type ImportOutcome = (typeof importOutcomes)[number];

/** An uploaded table of grants. All rows are stored first, and then take effect in their order. */
export interface EnrollmentImport {
  _id: Types.ObjectId;
  /** `receiving` while its rows are being stored. A job removes an import that a crash left in this state. */
  state: "receiving" | "running" | "done";
  /** The one course of an educator's table; null when each row names one. */
  courseId: Types.ObjectId | null;
  /** User id. */
  requestedBy: string;
  requestId: string;
  /** The API key that sent the table; null without one. */
  keyId: string | null;
  /** The only courses that the key saw; null: every course. */
  keyCourseIds: Types.ObjectId[] | null;
  total: number;
  granted: number;
  waiting: number;
  skipped: number;
  failed: number;
  /** The last row that has its outcome. */
  lastRow: number;
  startedAt: Date;
  finishedAt: Date | null;
}

const enrollmentImportSchema = new Schema<EnrollmentImport>({
  state: { type: String, required: true },
  courseId: { type: Schema.Types.ObjectId, default: null },
  requestedBy: { type: String, required: true },
  requestId: { type: String, required: true },
  keyId: { type: String, default: null },
  keyCourseIds: { type: [Schema.Types.ObjectId], default: null },
  total: { type: Number, default: 0 },
  granted: { type: Number, default: 0 },
  waiting: { type: Number, default: 0 },
  skipped: { type: Number, default: 0 },
  failed: { type: Number, default: 0 },
  lastRow: { type: Number, default: 0 },
  startedAt: { type: Date, required: true },
  finishedAt: { type: Date, default: null },
});
enrollmentImportSchema.index({ state: 1, startedAt: 1 }); // the job that works through them

export const enrollmentImportCollection = defineCollection<EnrollmentImport>({
  schema: enrollmentImportSchema,
  holds: "a table of grants that was sent, and how far it is",
  kept: "for good",
  userData: { erasure: { keep: "who imported, for the evidence" } },
});

/** One row, as it was sent. */
export interface EnrollmentImportRow {
  _id: Types.ObjectId;
  importId: Types.ObjectId;
  /** Line of the file, the header being the first. */
  row: number;
  email: string;
  courseId: string;
  expiresAt: string;
  /** Every e-mail address in the cells, in the form of `emailKey`: an erasure finds the row by them. */
  addresses: string[];
  /** Null until it was its turn. */
  outcome: ImportOutcome | null;
  message: string;
}

/** Finds the words in a row's cells that look like an e-mail address. An address may contain an apostrophe. */
function addressesOf({ email, courseId, expiresAt }: Pick<EnrollmentImportRow, "email" | "courseId" | "expiresAt">) {
  const words = [email, courseId, expiresAt].flatMap((cell) => cell.split(/[\s<>()[\],;:"]+/));
  return [...new Set(words.filter((word) => word.includes("@")).map(emailKey))];
}

const enrollmentImportRowSchema = new Schema<EnrollmentImportRow>({
  importId: { type: Schema.Types.ObjectId, required: true },
  row: { type: Number, required: true },
  email: { type: String, default: "" },
  courseId: { type: String, default: "" },
  expiresAt: { type: String, default: "" },
  addresses: {
    type: [String],
    default(this: EnrollmentImportRow) {
      return addressesOf(this);
    },
  },
  outcome: { type: String, default: null },
  message: { type: String, default: "" },
});
enrollmentImportRowSchema.index({ addresses: 1 }); // what an erasure takes out
enrollmentImportRowSchema.index({ importId: 1, row: 1 }, { unique: true });

export const enrollmentImportRowCollection = defineCollection<EnrollmentImportRow>({
  schema: enrollmentImportRowSchema,
  holds: "one row of a table of grants as it was sent, and its outcome",
  kept: "for good; erasure takes the address out",
  userData: { erasure: "ownStep" },
});
