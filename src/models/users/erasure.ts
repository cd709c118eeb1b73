import { z } from "zod";
import { timestamp } from "../../lib/fields.js";
import { defineCollection } from "../collection.js";
import { withDefault } from "../row.js";

/** A request to erase a user's data. It is removed when the erasure is done; the audit trail still names it then. */
export type Erasure = z.input<typeof erasureRow>;
const erasureRow = z.object({
  /** User id. */
  _id: z.string(),
  /** Issued certificates stay as they are, and can be verified. */
  keepCertificates: z.boolean(),
  requestedAt: timestamp,
  /** The user's e-mail addresses in lower case. They outlive the profile here, so that a repeated pass knows them. */
  addresses: withDefault(z.array(z.string()), []),
  /** The addresses that the user has verified. */
  ownAddresses: withDefault(z.array(z.string()), []),
  /** Set once the profile has been removed: a profile that is there later belongs to a user who came back. */
  isProfileRemoved: z.boolean().exactOptional(),
  /** When the first pass ended; absent before that. */
  erasedAt: timestamp.exactOptional(),
  attempts: z.number(),
  /** When the job takes it on. */
  nextAttemptAt: timestamp,
  /** Since when the pass that comes next has been due. A failed attempt leaves it. */
  dueSince: timestamp,
});

export const erasureCollection = defineCollection({
  row: erasureRow,
  indexes: [
    [{ nextAttemptAt: 1 }], // what the job has to do
    [{ dueSince: 1 }], // how long the oldest has waited
  ],
  holds: "a request to erase a user's data, and the addresses to look for",
  kept: "until it is fulfilled",
  userData: {
    owner: "_id",
    section: "erasures",
    exported: ["keepCertificates", "requestedAt"],
    erasure: "ownStep",
  },
});
