import { z } from "zod";
import { timestamp } from "../../lib/fields.js";
import { defineCollection } from "../collection.js";
import { objectIdField, rowTimes, withDefault } from "../row.js";

/**
 * What one learner is certified to have completed. Name and title are as they were at completion and never change.
 * `pending` until the PDF is stored; then `issued` for good.
 */
export type Certificate = z.input<typeof certificateRow>;
const certificateRow = z.object({
  _id: objectIdField,
  userId: z.string(),
  courseId: objectIdField,
  /** UUID v4: in the public address, and in the stored file's name. */
  certificateId: z.string(),
  /** Null while the learner has no name that shows something: then the certificate waits. */
  studentName: z.string().nullable(),
  courseTitle: z.string(),
  /** When the progress was completed. */
  completionDate: timestamp,
  status: z.enum(["pending", "issued"]),
  issuedAt: timestamp.nullable(),
  pdfUrl: z.string().nullable(),
  /** Productions that failed or had to wait; lengthens the pause before the background job's next one. */
  attempts: withDefault(z.number(), 0),
  nextAttemptAt: timestamp,
  /** The Open Badge of the present edition. Its place is fixed before it is signed, and its text never changes. */
  credential: z
    .object({
      /** The UUID in the credential's id. */
      id: z.string(),
      /** Status list, and the entry in the list. */
      list: z.number(),
      index: z.number(),
      /** The signed JSON. */
      text: z.string().exactOptional(),
    })
    .exactOptional(),
  ...rowTimes,
});

export const certificateCollection = defineCollection({
  row: certificateRow,
  indexes: [
    [{ userId: 1, courseId: 1 }, { unique: true }],
    [{ certificateId: 1 }, { unique: true }],
    [{ attempts: 1, nextAttemptAt: 1 }, { partialFilterExpression: { status: "pending" } }], // what the job produces
    [{ nextAttemptAt: 1 }, { partialFilterExpression: { status: "pending" } }], // when it has to
    [{ createdAt: 1 }, { partialFilterExpression: { status: "pending" } }], // how long the oldest has waited
    // The gauge of certificates that wait for a name.
    [{ studentName: 1 }, { partialFilterExpression: { status: "pending", studentName: null } }],
  ],
  holds: "proof of completion: snapshot of name and title, address of the PDF",
  kept: "erasure, unless the user wants to keep it",
  userData: {
    owner: "userId",
    section: "certificates",
    exported: [
      "certificateId",
      "courseId",
      "studentName",
      "courseTitle",
      "completionDate",
      "status",
      "issuedAt",
      "pdfUrl",
      "credential",
    ],
    erasure: "ownStep",
  },
});
