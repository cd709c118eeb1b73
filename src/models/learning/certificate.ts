import { Schema, type Types } from "mongoose";
import { z } from "zod";
import { id, timestamp } from "../../lib/fields.js";
import { defineCollection, optional } from "../collection.js";

/**
 * What one learner is certified to have completed. Name and title are as they were at completion and never change.
 * `pending` until the PDF is stored; then `issued` for good.
 */
export interface Certificate {
  _id: Types.ObjectId;
  userId: string;
  courseId: Types.ObjectId;
  /** UUID v4: in the public address, and in the stored file's name. */
  certificateId: string;
  /** Null while the learner has no user record yet: then the certificate waits. */
  studentName: string | null;
  courseTitle: string;
  /** When the progress was completed. */
  completionDate: Date;
  status: "pending" | "issued";
  issuedAt: Date | null;
  pdfUrl: string | null;
  /** Productions that failed or had to wait; lengthens the pause before the background job's next one. */
  attempts: number;
  nextAttemptAt: Date;
  createdAt: Date;
  updatedAt: Date;
}

const certificateSchema = new Schema<Certificate>(
  {
    userId: { type: String, required: true },
    courseId: { type: Schema.Types.ObjectId, required: true },
    certificateId: { type: String, required: true },
    studentName: { type: String, default: null },
    courseTitle: { type: String, required: true },
    completionDate: { type: Date, required: true },
    status: { type: String, enum: ["pending", "issued"], required: true },
    issuedAt: { type: Date, default: null },
    pdfUrl: { type: String, default: null },
    attempts: { type: Number, default: 0 },
    nextAttemptAt: { type: Date, required: true },
  },
  { timestamps: true },
);
certificateSchema.index({ userId: 1, courseId: 1 }, { unique: true });
certificateSchema.index({ certificateId: 1 }, { unique: true });
certificateSchema.index({ attempts: 1, nextAttemptAt: 1 }, { partialFilterExpression: { status: "pending" } }); // what the job produces
certificateSchema.index({ nextAttemptAt: 1 }, { partialFilterExpression: { status: "pending" } }); // when it has to
certificateSchema.index({ createdAt: 1 }, { partialFilterExpression: { status: "pending" } }); // how long the oldest has waited
// The gauge of certificates that wait for a name.
certificateSchema.index({ studentName: 1 }, { partialFilterExpression: { status: "pending", studentName: null } });

export const certificateCollection = defineCollection<Certificate>({
  schema: certificateSchema,
  holds: "proof of completion: snapshot of name and title, address of the PDF",
  kept: "erasure, unless the user wants to keep it",
  userData: {
    owner: "userId",
    section: "certificates",
    row: z.object({
      certificateId: z.string(),
      courseId: id,
      studentName: z.string().nullable().optional(),
      courseTitle: z.string(),
      completionDate: timestamp,
      status: z.string(),
      issuedAt: optional.time,
      pdfUrl: z.string().nullable().optional(),
    }),
    erasure: "ownStep",
  },
});
