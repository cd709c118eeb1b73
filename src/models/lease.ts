import { Schema } from "mongoose";

/** Who may do a piece of background work until when; an expired lease is free. */
export interface Lease {
  /** What is leased. */
  _id: string;
  holder: string;
  expiresAt: Date;
}

export const leaseSchema = new Schema<Lease>(
  {
    _id: { type: String, required: true },
    holder: { type: String, required: true },
    expiresAt: { type: Date, required: true },
  },
  { versionKey: false },
);
/** One of a process that died, of work that nobody has any more. Much later than any difference between clocks. */
leaseSchema.index({ expiresAt: 1 }, { expireAfterSeconds: 24 * 60 * 60 });
