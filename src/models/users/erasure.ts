import { Schema } from "mongoose";
import { z } from "zod";
import { timestamp } from "../../lib/fields.js";
import { defineCollection } from "../collection.js";

/** A request to erase a user's data. It is removed when the erasure is done; the audit trail still names it then. */
export interface Erasure {
  /** User id. */
  _id: string;
  /** Issued certificates stay as they are, and can be verified. */
  keepCertificates: boolean;
  requestedAt: Date;
  /** The user's e-mail addresses in lower case. They outlive the profile here, so that a repeated pass knows them. */
  addresses: string[];
  /** The addresses that the user has verified. */
  ownAddresses: string[];
  /** Set once the profile has been removed: a profile that is there later belongs to a user who came back. */
  isProfileRemoved?: boolean;
  /** When the first pass ended; absent before that. */
  erasedAt?: Date;
  attempts: number;
  /** When the job takes it on. */
  nextAttemptAt: Date;
  /** Since when the pass that comes next has been due. A failed attempt leaves it. */
  dueSince: Date;
}

const erasureSchema = new Schema<Erasure>({
  _id: { type: String, required: true },
  keepCertificates: { type: Boolean, required: true },
  requestedAt: { type: Date, required: true },
  addresses: { type: [String], default: [] },
  ownAddresses: { type: [String], default: [] },
  isProfileRemoved: Boolean,
  erasedAt: Date,
  attempts: { type: Number, required: true },
  nextAttemptAt: { type: Date, required: true },
  dueSince: { type: Date, required: true },
});
erasureSchema.index({ nextAttemptAt: 1 }); // what the job has to do
erasureSchema.index({ dueSince: 1 }); // how long the oldest has waited

export const erasureCollection = defineCollection<Erasure>({
  schema: erasureSchema,
  holds: "a request to erase a user's data, and the addresses to look for",
  kept: "until it is fulfilled",
  userData: {
    owner: "_id",
    section: "erasures",
    row: z.object({ keepCertificates: z.boolean(), requestedAt: timestamp }),
    erasure: "ownStep",
  },
});
