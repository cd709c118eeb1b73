import { z } from "zod";
import { id, timestamp } from "../../lib/fields.js";

export const ImportBody = z.object({
  file: z
    .unknown()
    .optional()
    .meta({ type: "string", format: "binary", description: "CSV in UTF-8, up to 10 MiB and 20,000 rows" }),
});
export const ImportStartedReply = z.object({ importId: id });

const count = z.number();
const ImportView = z
  .object({
    state: z.enum(["running", "done"]),
    total: count.meta({ description: "rows of the file" }),
    granted: count,
    waiting: count,
    skipped: count.meta({ description: "already enrolled, or repeated from an earlier row" }),
    failed: count,
    startedAt: timestamp,
    finishedAt: timestamp.nullable(),
  })
  .meta({ id: "EnrollmentImport" });
export const ImportReply = z.object({ import: ImportView });
