import { z } from "zod";
import { contrastWithWhite } from "../../env-values.js";
import { newestFirstPage, nextCursor } from "../../http/pages.js";
import { id, list, objectId, text, timestamp } from "../../lib/fields.js";
import { certificateStates } from "../../services/certificates/certificate-state.js";
import { listedStates } from "../../services/certificates/managed-certificates.js";

export const CertificatesQuery = z.object(newestFirstPage);

const facts = {
  certificateId: z.string(),
  studentName: z.string().nullable().meta({ description: "null while it is pending" }),
  state: z.enum(certificateStates),
  edition: z.int(),
  completionDate: timestamp,
  issuedAt: timestamp.nullable(),
  expiresAt: timestamp.nullable(),
  revokedAt: timestamp.nullable(),
};

const OwnCertificate = z
  .object({
    ...facts,
    courseId: id,
    courseTitle: z.string(),
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

export const ManagedCertificatesQuery = z.object({
  ...newestFirstPage,
  state: z.enum(listedStates).optional().meta({ description: "`expiring`: valid with at most 30 days left" }),
  q: text(0, 100).optional().meta({ description: "part of a name, or a whole e-mail address" }),
});

const ManagedCertificate = z
  .object({
    ...facts,
    userId: z.string(),
    reason: z.string().nullable().meta({ description: "why it is revoked" }),
  })
  .meta({ id: "ManagedCertificate" });

export const ManagedCertificateReply = z.object({ certificate: ManagedCertificate });
export const ManagedCertificatesReply = z.object({ certificates: z.array(ManagedCertificate), nextCursor });

const reason = text(1, 200);
export const ReissueBody = z.object({
  studentName: text(1, 200).optional().meta({ description: "absent: the name of the profile" }),
  reason,
});
export const RevokeBody = z.object({ reason });

const orDefault = <T extends z.ZodType>(field: T) => field.nullable().default(null as never);
const color = z
  .string()
  .regex(/^#[0-9a-fA-F]{6}$/, "not #rrggbb")
  .refine((value) => contrastWithWhite(value) >= 4.5, "must be darker: text of this colour stands on white")
  .meta({ description: "`#rrggbb`, readable on white", example: "#7c2d12" });

const signatory = z.object({
  name: text(1, 80),
  title: orDefault(text(0, 120)),
  signature: orDefault(objectId).meta({ description: "resource id of a picture" }),
});

export const TemplateBody = z.object({
  heading: orDefault(text(1, 60)),
  statement: orDefault(text(1, 160)),
  recognition: orDefault(text(0, 200)).meta({ description: "null: the usual words; empty: no line" }),
  color: orDefault(color),
  logo: orDefault(objectId).meta({ description: "resource id of a picture" }),
  signatories: list(signatory, 3).default([]),
  validMonths: orDefault(z.int().min(1).max(120)).meta({ description: "null: certificates do not expire" }),
});

const isEmpty = (body: unknown): boolean => typeof body === "object" && body !== null && Object.keys(body).length === 0;

/** Undefined for `{}`. */
export const PreviewBody = z.preprocess((body) => (isEmpty(body) ? undefined : body), TemplateBody.optional());

export const TemplateReply = z.object({
  template: z
    .object({
      heading: z.string().nullable(),
      statement: z.string().nullable(),
      recognition: z.string().nullable(),
      color: z.string().nullable(),
      logo: z.string().nullable(),
      signatories: z.array(
        z.object({ name: z.string(), title: z.string().nullable(), signature: z.string().nullable() }),
      ),
      validMonths: z.int().nullable(),
    })
    .meta({ id: "CertificateTemplate" }),
});
