import { Schema } from "mongoose";

/** A user's data that are to be erased; removed when it is done. What remains is the entry in the audit trail. */
export interface Erasure {
  /** User id. */
  _id: string;
  /** Issued certificates stay as they are, and can be verified. */
  keepCertificates: boolean;
  requestedAt: Date;
  attempts: number;
  /** When the job takes it on. */
  nextAttemptAt: Date;
}

export const erasureSchema = new Schema<Erasure>(
  {
    _id: { type: String, required: true },
    keepCertificates: { type: Boolean, required: true },
    requestedAt: { type: Date, required: true },
    attempts: { type: Number, required: true },
    nextAttemptAt: { type: Date, required: true },
  },
  { versionKey: false },
);
erasureSchema.index({ nextAttemptAt: 1 }); // what the job has to do
erasureSchema.index({ requestedAt: 1 }); // how long the oldest has waited
