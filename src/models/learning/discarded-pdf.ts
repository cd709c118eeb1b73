import { z } from "zod";
import { timestamp } from "../../lib/fields.js";
import { defineCollection } from "../collection.js";
import { withDefault } from "../row.js";

/** A PDF of a certificate that no edition has, or that an edition may not get. A job removes it. */
export type DiscardedPdf = z.input<typeof discardedPdfRow>;
const discardedPdfRow = z.object({
  /** Its name in the media storage. */
  _id: z.string(),
  certificateId: z.string(),
  /** When the job tries to remove it. In the future while an edition may still get it. */
  discardAt: timestamp,
  /** Failed attempts to remove it. */
  attempts: withDefault(z.number(), 0),
});

export const discardedPdfCollection = defineCollection({
  row: discardedPdfRow,
  indexes: [[{ discardAt: 1 }], [{ certificateId: 1 }]],
  holds: "a PDF of a former edition or a revoked certificate that the media storage still has",
  kept: "until the media storage has removed the file",
  userData: "none",
});
