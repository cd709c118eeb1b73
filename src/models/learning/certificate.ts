import type { Model } from "mongoose";
import { z } from "zod";
import { timestamp } from "../../lib/fields.js";
import { defineCollection } from "../collection.js";
import { objectIdField, rowTimes, withDefault } from "../row.js";

/** An edition of a certificate that a later one has replaced. */
const formerEditionRow = z.object({
  edition: z.number(),
  studentName: z.string(),
  /** When its PDF was stored. */
  issuedAt: timestamp,
  replacedAt: timestamp,
});

/**
 * What one learner is certified to have completed. The title is as it was at completion; a reissue changes the name.
 * `pending` until the first PDF is stored; then `issued` for good. `certificateState` says whether it holds now.
 */
export type Certificate = z.input<typeof certificateRow>;
const certificateRow = z.object({
  _id: objectIdField,
  userId: z.string(),
  /** Null in the certificate of a path. */
  courseId: objectIdField.nullable(),
  pathId: objectIdField.exactOptional(),
  /** Id of the course or path as text: these take turns when PDFs are produced. Rows of version 1.0 lack it. */
  itemId: z.string().exactOptional(),
  /** UUID v4: in the public address, and in the stored file's name. */
  certificateId: z.string(),
  /** Null while the learner has no name that shows something: then the certificate waits. */
  studentName: z.string().nullable(),
  /** Title of the course, or of the path. */
  courseTitle: z.string(),
  /** When the course, or the path, was completed. */
  completionDate: timestamp,
  status: z.enum(["pending", "issued"]),
  issuedAt: timestamp.nullable(),
  pdfUrl: z.string().nullable(),
  /** Productions that failed or had to wait; lengthens the pause before the background job's next one. */
  attempts: withDefault(z.number(), 0),
  nextAttemptAt: timestamp,
  /** Number of the learner's certificate of this course or path. Absent in the first one. */
  ordinal: z.number().exactOptional(),
  /** When it runs out; absent: never. */
  expiresAt: timestamp.exactOptional(),
  /** When the learner is told that it runs out. */
  noticeDueAt: timestamp.exactOptional(),
  /** When the learner began the course again because this certificate runs out. */
  renewedAt: timestamp.exactOptional(),
  /** Number of the edition that holds; absent: 1. */
  edition: z.number().exactOptional(),
  /** When the edition that holds was made; absent in the first one. */
  reissuedAt: timestamp.exactOptional(),
  /** The oldest first; absent without any. */
  formerEditions: z.array(formerEditionRow).exactOptional(),
  /** Editions that the learner has made. */
  learnerEditions: z.number().exactOptional(),
  /** Name of the PDF in the media storage; absent: the fixed name of the first edition. */
  file: z.string().exactOptional(),
  /** Hash of the template of the PDF; absent: the default template. */
  templateHash: z.string().exactOptional(),
  /** Absent unless it is revoked. The PDF is gone then. */
  revokedAt: timestamp.exactOptional(),
  /** Why it is revoked. Only educators and administrators see it. */
  revokedReason: z.string().exactOptional(),
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
    [{ userId: 1, courseId: 1, pathId: 1, ordinal: 1 }, { unique: true }], // two completions at once make one
    [{ userId: 1, completionDate: -1, _id: -1 }], // the learner's list
    [{ courseId: 1, completionDate: -1, _id: -1 }], // the course's list
    [{ pathId: 1, completionDate: -1, _id: -1 }], // the path's list
    [{ noticeDueAt: 1 }, { sparse: true }], // the job that tells of the end
    [{ certificateId: 1 }, { unique: true }],
    [{ itemId: 1, nextAttemptAt: 1 }, { partialFilterExpression: { status: "pending" } }], // what the job produces
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
      "pathId",
      "studentName",
      "courseTitle",
      "completionDate",
      "status",
      "issuedAt",
      "pdfUrl",
      "edition",
      "reissuedAt",
      "expiresAt",
      "renewedAt",
      "revokedAt",
      "formerEditions",
      "credential",
    ],
    erasure: "ownStep",
  },
});

/** What a certificate is about: a course, or a path. */
export type CertifiedItem = Pick<Certificate, "courseId" | "pathId">;

/** Filters the certificates of a course or of a path. */
export const certificatesOf = ({ courseId, pathId }: CertifiedItem) => (pathId ? { pathId } : { courseId });

/** The key of a learner's certificates of a course or of a path. */
export const certificateKey = ({ userId, courseId, pathId }: CertifiedItem & { readonly userId: string }) => ({
  userId,
  courseId,
  pathId: pathId ?? null,
});

/** What lists and replies show of the item. */
export const describeItem = ({ courseId, pathId }: CertifiedItem) => ({
  kind: pathId ? ("path" as const) : ("course" as const),
  courseId,
  pathId: pathId ?? null,
});

/** Drops a unique key of a version before. */
export async function dropFormerKey(
  { Certificate }: { readonly Certificate: Model<Certificate> },
  formerKey: string,
): Promise<void> {
  const indexes = await Certificate.collection.indexes();
  if (indexes.some(({ name }) => name === formerKey)) await Certificate.collection.dropIndex(formerKey);
}
