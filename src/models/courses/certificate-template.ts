import { z } from "zod";
import { defineCollection } from "../collection.js";
import { objectIdField, rowTimes } from "../row.js";

/** What the certificates of a course or path look like. Null: as the platform's. */
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

/** A picture as the PDF embeds it: made once from a resource of the course, or of a course of the path. */
export type TemplatePicture = z.output<typeof pictureRow>;
const pictureRow = z.object({
  resourceId: z.string(),
  /** JPEG, or PNG without transparency, in base64. */
  content: z.string(),
});

/** The certificate template of one course or path. Without one, the default template holds. */
export type CertificateTemplate = z.input<typeof certificateTemplateRow>;
const certificateTemplateRow = z.object({
  /** The course, or the path. */
  _id: objectIdField,
  /** The educator of the course or path. */
  educatorId: z.string(),
  ...templateFields.shape,
  /** The pictures that the fields name. */
  pictures: z.array(pictureRow),
  ...rowTimes,
});

export const certificateTemplateCollection = defineCollection({
  row: certificateTemplateRow,
  indexes: [[{ educatorId: 1 }]], // the export, and whether a template names a resource
  holds: "the look of the certificates of a course or path: words, colour, logo, signatories, validity",
  kept: "as long as the course or path, unless the educator removes it",
  userData: {
    owner: "educatorId",
    section: "certificateTemplates",
    exported: ["_id", ...(Object.keys(templateFields.shape) as (keyof TemplateFields)[]), "createdAt", "updatedAt"],
    unread: { pictures: 0 },
    erasure: { keep: "the certificates of the course go on looking alike" },
  },
});
