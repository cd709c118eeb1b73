import { Schema } from "mongoose";
import { defineCollection } from "./collection.js";

/** Which instance does a piece of work, and until when. An expired lease can be taken by any instance. */
export interface Lease {
  /** What is leased. */
  _id: string;
  holder: string;
  expiresAt: Date;
}

const leaseSchema = new Schema<Lease>(
  {
    _id: { type: String, required: true },
    holder: { type: String, required: true },
    expiresAt: { type: Date, required: true },
  },
  { versionKey: false },
);
/** Removes leases that no instance takes any more. A day is much longer than any difference between clocks. */
leaseSchema.index({ expiresAt: 1 }, { expireAfterSeconds: 24 * 60 * 60 });

export const leaseCollection = defineCollection<Lease>({
  schema: leaseSchema,
  holds: "which instance works on a thing",
  kept: "a day",
  userData: "none",
});
