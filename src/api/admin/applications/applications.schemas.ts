import { z } from "zod";
import { newestFirstOrAll, nextCursorOfPage } from "../../../http/pages.js";
import { id, text, timestamp } from "../../../lib/fields.js";
import { shownStatuses } from "../../../models/users/educator-application.js";

export const StatusQuery = z.object({
  status: z
    .string()
    .optional()
    .meta({ description: `all, ${shownStatuses.join(", ")}; any other matches nothing` }),
  ...newestFirstOrAll,
});

export const ApplicationsReply = z.object({
  applications: z.array(
    z
      .object({
        _id: id,
        userId: z.string(),
        professionalTitle: z.string(),
        bio: z.string(),
        expertise: z.array(z.string()),
        linkedinUrl: z.string(),
        status: z.enum(shownStatuses),
        rejectionReason: z.string(),
        createdAt: timestamp,
        updatedAt: timestamp,
      })
      .meta({ id: "Application" }),
  ),
  nextCursor: nextCursorOfPage,
});

export const ApprovedReply = z.object({ message: z.literal("Application approved. Educator role granted.") });

export const RejectionBody = z.object({ reason: text(0, 500).default("") });
export const RejectedReply = z.object({ message: z.literal("Application rejected.") });
