import { z } from "zod";
import { timestamp } from "../lib/fields.js";
import { defineCollection } from "./collection.js";

/** When a periodic job runs next. */
const periodicRunRow = z.object({
  /** Name of the job. */
  _id: z.string(),
  /** Moved to the next period when the run has ended. */
  dueAt: timestamp,
});

export const periodicRunCollection = defineCollection({
  row: periodicRunRow,
  holds: "when a periodic job runs next",
  kept: "for good",
  userData: "none",
});
