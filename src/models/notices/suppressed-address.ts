import { z } from "zod";
import { defineCollection } from "../collection.js";
import { rowTimes } from "../row.js";

/** An address that a mail server has refused for good. No mail goes there. */
const suppressedAddressRow = z.object({
  /** The address in the form of `emailKey`. */
  _id: z.string(),
  /** The user whose mail was refused. */
  userId: z.string(),
  /** The answer of the mail server. */
  reason: z.string(),
  createdAt: rowTimes.createdAt,
});

export const suppressedAddressCollection = defineCollection({
  row: suppressedAddressRow,
  indexes: [[{ userId: 1 }]],
  holds: "an address that refuses mail",
  kept: "until an operator removes it; erasure",
  // An erasure also removes the addresses that the user has now, whoever had them before (erase-addresses.ts).
  userData: {
    owner: "userId",
    section: "suppressedAddresses",
    exported: ["_id", "reason", "createdAt"],
    erasure: "delete",
  },
});
