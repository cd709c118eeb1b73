import { z } from "zod";
import { objectId } from "../../lib/fields.js";

export const CertificateParams = z.object({ courseId: objectId });

export const CheckReply = z.object({
  eligible: z.boolean().meta({ description: "the course is completed" }),
  certificateExists: z.boolean().meta({ description: "the PDF can be fetched" }),
});

const pdfUrl = z.string().meta({ description: "public address of the PDF" });

export const GenerateReply = z.object({
  created: z.boolean().meta({ description: "this very call produced the PDF" }),
  message: z.enum(["Certificate generated successfully", "Certificate already exists"]),
  pdfUrl,
});

export const FetchReply = z.object({ message: z.literal("Certificate fetched successfully"), pdfUrl });
