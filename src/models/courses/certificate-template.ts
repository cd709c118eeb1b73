import { z } from "zod";
import { defineCollection } from "../collection.js";
import { objectIdField, rowTimes } from "../row.js";

/** What the certificates of a course look like. Null: as the platform's. */
export type TemplateFields = z.output<typeof templateFields>;
export const templateFields = z.object({
  heading: z.string().nullable(),
  statement: z.string().nullable(),
  recognition: z.string().nullable(),
  /** `#rrggbb`, readable on white. */
  color: z.string().nullable(),
  /** Resource id of a picture. */
  logo: z.string().nullable(),
  signatories: z.array(z.object({ name: z.string(), title: z.string().nullable(), signature: z.string().nullable() })),
  /** How long a certificate is valid; null: for good. */
  validMonths: z.number().nullable(),
});

/** A picture as the PDF embeds it: made once from a resource of the course. */
export type TemplatePicture = z.output<typeof pictureRow>;
const pictureRow = z.object({
  resourceId: z.string(),
  /** JPEG, or PNG without transparency, in base64. */
  content: z.string(),
});

/** The certificate template of one course. A course without one has the default template. */
export type CertificateTemplate = z.input<typeof certificateTemplateRow>;
const certificateTemplateRow = z.object({
  /** The course. */
  _id: objectIdField,
  /** The course's educator. */
  educatorId: z.string(),
  ...templateFields.shape,
  /** The pictures that the fields name. */
  pictures: z.array(pictureRow),
  ...rowTimes,
});

export const certificateTemplateCollection = defineCollection({
  row: certificateTemplateRow,
  indexes: [[{ educatorId: 1 }]], // the export
  holds: "the look of a course's certificates: words, colour, logo, signatories, validity",
  kept: "as long as the course, unless the educator removes it",
  userData: {
    owner: "educatorId",
    section: "certificateTemplates",
    exported: ["_id", ...(Object.keys(templateFields.shape) as (keyof TemplateFields)[]), "createdAt", "updatedAt"],
    unread: { pictures: 0 },
    erasure: { keep: "the certificates of the course go on looking alike" },
  },
});
