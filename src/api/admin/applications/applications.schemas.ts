import { z } from "zod";
import { listReply } from "../../../http/list-reply.js";
import { byDateOrAll, nextCursorOfPage } from "../../../http/pages.js";
import { text } from "../../../lib/fields.js";
import { educatorApplicationRow, shownStatuses } from "../../../models/users/educator-application.js";

export const StatusQuery = z.object({
  status: z
    .string()
    .optional()
    .meta({ description: `all, ${shownStatuses.join(", ")}; any other matches nothing` }),
  ...byDateOrAll,
});

export const ApplicationsReply = listReply(
  "applications",
  educatorApplicationRow
    .omit({ appliedAsAdmin: true, nextAttemptAt: true, attempts: true })
    .extend({ status: z.enum(shownStatuses) })
    .meta({ id: "Application" }),
  nextCursorOfPage,
);

export const ApprovedReply = z.object({ message: z.literal("Application approved. Educator role granted.") });

export const RejectionBody = z.object({ reason: text(0, 500).default("") });
export const RejectedReply = z.object({ message: z.literal("Application rejected.") });
