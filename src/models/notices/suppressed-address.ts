import { z } from "zod";
import { defineCollection } from "../collection.js";
import { rowTimes } from "../row.js";

/** An address that a mail server has refused for good. No mail goes there. */
const suppressedAddressRow = z.object({
  /** The address in the form of `emailKey`. */
  _id: z.string(),
  /** The answer of the mail server. */
  reason: z.string(),
  createdAt: rowTimes.createdAt,
});

export const suppressedAddressCollection = defineCollection({
  row: suppressedAddressRow,
  holds: "an address that refuses mail",
  kept: "until an operator removes it; erasure",
  userData: { erasure: "ownStep" },
});
