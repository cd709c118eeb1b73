import { z } from "zod";
import { timestamp } from "../../lib/fields.js";

export const VerifyParams = z.object({ certificateId: z.string() });

export const VerifyReply = z.object({
  valid: z.literal(true),
  certificate: z
    .object({
      certificateId: z.string(),
      studentName: z.string(),
      courseTitle: z.string(),
      completionDate: timestamp,
      issuedAt: timestamp,
    })
    .meta({ id: "VerifiedCertificate" }),
});
