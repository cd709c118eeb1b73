import { z } from "zod";
import { emailKey } from "../../lib/email-address.js";
import { timestamp } from "../../lib/fields.js";
import { defineCollection } from "../collection.js";
import { objectIdField, withDefault } from "../row.js";

export const importOutcomes = ["granted", "waiting", "skipped", "failed"] as const;
export type ImportOutcome = (typeof importOutcomes)[number];

/** An uploaded table of grants. All rows are stored first, and then take effect in their order. */
export type EnrollmentImport = z.input<typeof enrollmentImportRow>;
const enrollmentImportRow = z.object({
  _id: objectIdField,
  /** `receiving` while its rows are being stored. A job removes an import that a crash left in this state. */
  state: z.enum(["receiving", "running", "done"]),
  /** The one course of an educator's table; null when each row names one. */
  courseId: objectIdField.nullable(),
  /** User id. */
  requestedBy: z.string(),
  requestId: z.string(),
  /** The API key that sent the table; null without one. */
  keyId: z.string().nullable(),
  /** The only courses that the key saw; null: every course. */
  keyCourseIds: z.array(objectIdField).nullable(),
  total: withDefault(z.number(), 0),
  granted: withDefault(z.number(), 0),
  waiting: withDefault(z.number(), 0),
  skipped: withDefault(z.number(), 0),
  failed: withDefault(z.number(), 0),
  /** The last row that has its outcome. */
  lastRow: withDefault(z.number(), 0),
  startedAt: timestamp,
  finishedAt: timestamp.nullable(),
});

export const enrollmentImportCollection = defineCollection({
  row: enrollmentImportRow,
  indexes: [
    [{ state: 1, startedAt: 1 }], // when the job has work
    [{ state: 1, requestedBy: 1, startedAt: 1 }], // whose turn it is
  ],
  holds: "a table of grants that was sent, and how far it is",
  kept: "for good",
  userData: { erasure: { keep: "who imported, for the evidence" } },
});

/** One row, as it was sent. */
export type EnrollmentImportRow = z.input<typeof importRowRow>;
const importRowRow = z.object({
  _id: objectIdField,
  importId: objectIdField,
  /** Line of the file, the header being the first. */
  row: z.number(),
  email: withDefault(z.string(), ""),
  courseId: withDefault(z.string(), ""),
  expiresAt: withDefault(z.string(), ""),
  /** Every e-mail address in the cells, in the form of `emailKey`: an erasure finds the row by them. */
  addresses: withDefault(z.array(z.string()), function (this: Cells) {
    return addressesOf(this);
  }),
  /** Null until it was its turn. */
  outcome: z.enum(importOutcomes).nullable(),
  message: withDefault(z.string(), ""),
});

interface Cells {
  readonly email: string;
  readonly courseId: string;
  readonly expiresAt: string;
}

/** Finds the words in a row's cells that look like an e-mail address. An address may contain an apostrophe. */
function addressesOf({ email, courseId, expiresAt }: Cells) {
  const words = [email, courseId, expiresAt].flatMap((cell) => cell.split(/[\s<>()[\],;:"]+/));
  return [...new Set(words.filter((word) => word.includes("@")).map(emailKey))];
}

export const enrollmentImportRowCollection = defineCollection({
  row: importRowRow,
  indexes: [
    [{ addresses: 1 }], // what an erasure takes out
    [{ importId: 1, row: 1 }, { unique: true }],
  ],
  holds: "one row of a table of grants as it was sent, and its outcome",
  kept: "for good; erasure takes the address out",
  userData: { erasure: "ownStep" },
});
