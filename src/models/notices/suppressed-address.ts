import { z } from "zod";
import { defineCollection } from "../collection.js";
import { rowTimes } from "../row.js";

/** Time after which an address that was refused may get mail again. */
const keptDays = 90;

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
  indexes: [[{ userId: 1 }], [{ createdAt: 1 }, { expireAfterSeconds: keptDays * 86_400 }]],
  holds: "an address that refuses mail",
  kept: `${keptDays} days; until the user changes the address; erasure`,
  // An erasure also removes the addresses that the user has now, whoever had them before (erase-addresses.ts).
  userData: {
    owner: "userId",
    section: "suppressedAddresses",
    exported: ["_id", "reason", "createdAt"],
    erasure: "delete",
  },
});
