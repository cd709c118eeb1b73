import { z } from "zod";
import { newestFirstPage, nextCursor } from "../../http/pages.js";
import { contrastWithWhite } from "../../lib/contrast-with-white.js";
import { list, objectId, text, timestamp } from "../../lib/fields.js";
import { certificateStates } from "../../services/certificates/certificate-state.js";
import { listedStates } from "../../services/certificates/managed-certificates.js";
import { certifiedItem } from "../certified-item.js";

export const ManagedCertificatesQuery = z.object({
  ...newestFirstPage,
  state: z.enum(listedStates).optional().meta({ description: "`expiring`: valid with at most 30 days left" }),
  q: text(0, 100).optional().meta({ description: "part of a name, or a whole e-mail address" }),
});

const ManagedCertificate = z
  .object({
    certificateId: z.string(),
    ...certifiedItem,
    userId: z.string(),
    studentName: z.string().nullable().meta({ description: "null while it is pending" }),
    state: z.enum(certificateStates),
    edition: z.int(),
    completionDate: timestamp,
    issuedAt: timestamp.nullable(),
    expiresAt: timestamp.nullable(),
    revokedAt: timestamp.nullable(),
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

/** A field that is null when it is absent. */
const orNull = <T extends z.ZodType>(field: T) => field.nullish().transform((value) => value ?? null);
const color = z
  .string()
  .regex(/^#[0-9a-fA-F]{6}$/, "not #rrggbb")
  .refine((value) => contrastWithWhite(value) >= 4.5, "must be darker: text of this colour stands on white")
  .meta({ description: "`#rrggbb`, readable on white", example: "#7c2d12" });

const signatory = z.object({
  name: text(1, 80),
  title: orNull(text(0, 120)),
  signature: orNull(objectId).meta({ description: "resource id of a picture" }),
});

export const TemplateBody = z.object({
  heading: orNull(text(1, 60)),
  statement: orNull(text(1, 160)),
  recognition: orNull(text(0, 200)).meta({ description: "null: the usual words; empty: no line" }),
  color: orNull(color),
  logo: orNull(objectId).meta({ description: "resource id of a picture" }),
  signatories: list(signatory, 3).default([]),
  validMonths: orNull(z.int().min(1).max(120)).meta({ description: "null: certificates do not expire" }),
});

const isEmpty = (body: unknown): boolean =>
  typeof body === "object" && body !== null && !Object.keys(body).some((key) => key in TemplateBody.shape);

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
