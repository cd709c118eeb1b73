import { z } from "zod";
import { defineCollection } from "../collection.js";
import { rowTimes } from "../row.js";

/** The secret in an address that switches off one user's mails of one type, as long as they go to one e-mail address. */
const unsubscribeTokenRow = z.object({
  /** The secret. */
  _id: z.string(),
  userId: z.string(),
  /** The type of the notices. */
  type: z.string(),
  /** The e-mail address in the form of `emailKey`. */
  email: z.string(),
  createdAt: rowTimes.createdAt,
});

export const unsubscribeTokenCollection = defineCollection({
  row: unsubscribeTokenRow,
  indexes: [[{ userId: 1, type: 1, email: 1 }, { unique: true }]],
  holds: "a secret that switches off a user's mails of a type",
  kept: "until the address changes; erasure",
  userData: {
    owner: "userId",
    section: "unsubscribeTokens",
    exported: ["type", "email", "createdAt"],
    erasure: "delete",
  },
});
