import { z } from "zod";
import { newestFirstPage, nextCursor } from "../../http/pages.js";
import { timestamp } from "../../lib/fields.js";
import { certificateStates } from "../../services/certificates/certificate-state.js";
import { certifiedItem } from "../certified-item.js";

export const OwnCertificatesQuery = z.object(newestFirstPage);

const OwnCertificate = z
  .object({
    certificateId: z.string(),
    studentName: z.string().nullable().meta({ description: "null while it is pending" }),
    state: z.enum(certificateStates),
    edition: z.int(),
    completionDate: timestamp,
    issuedAt: timestamp.nullable(),
    expiresAt: timestamp.nullable(),
    revokedAt: timestamp.nullable(),
    ...certifiedItem,
    courseTitle: z.string().meta({ description: "title of the course or path" }),
    reissuedAt: timestamp.nullable(),
    pdfUrl: z.string().nullable().meta({ description: "null while it is pending, and once it is revoked" }),
    verifyUrl: z.string(),
    linkedinUrl: z.string().nullable().meta({ description: "adds a valid certificate to a profile on LinkedIn" }),
    canReissue: z.boolean().meta({ description: "whether a reissue would succeed now" }),
    canRenew: z.boolean().meta({ description: "whether a renewal would begin the course again now" }),
  })
  .meta({ id: "OwnCertificate" });

export const OwnCertificateReply = z.object({ certificate: OwnCertificate });
export const OwnCertificatesReply = z.object({ certificates: z.array(OwnCertificate), nextCursor });
