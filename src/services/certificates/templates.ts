import { createHash } from "node:crypto";
import type { Types } from "mongoose";
import type { Db } from "../../db/db.js";
import {
  type CertificateTemplate,
  type TemplateFields,
  type TemplatePicture,
  templateFields,
} from "../../models/courses/certificate-template.js";

/** The template of a course or path without one. */
export const defaultTemplate: TemplateFields = {
  heading: null,
  statement: null,
  recognition: null,
  color: null,
  logo: null,
  signatories: [],
  validMonths: null,
};

/** A template with the pictures that it names. */
export interface LoadedTemplate {
  readonly fields: TemplateFields;
  pictureOf(resourceId: string | null): Buffer | null;
}

export const loadedTemplate = (fields: TemplateFields, pictures: readonly TemplatePicture[]): LoadedTemplate => ({
  fields,
  pictureOf(resourceId) {
    const picture = pictures.find((each) => each.resourceId === resourceId);
    return picture ? Buffer.from(picture.content, "base64") : null;
  },
});

/** Reads the fields of the template of a course or path. */
export async function findTemplateFields(db: Db, itemId: Types.ObjectId): Promise<TemplateFields> {
  const stored = await db.CertificateTemplate.findById(itemId, { pictures: 0 }).lean<CertificateTemplate>();
  return stored ? templateFields.parse(stored) : defaultTemplate;
}

/** Reads the template of a course or path with its pictures. */
export async function findTemplate(db: Db, itemId: Types.ObjectId | null): Promise<LoadedTemplate> {
  const stored = await db.CertificateTemplate.findById(itemId).lean<CertificateTemplate>();
  return stored ? loadedTemplate(templateFields.parse(stored), stored.pictures) : loadedTemplate(defaultTemplate, []);
}

/** Tells templates apart by their fields; undefined for the default template. */
export function templateHash(fields: TemplateFields): string | undefined {
  const text = JSON.stringify(templateFields.parse(fields));
  if (text === JSON.stringify(defaultTemplate)) return undefined;
  return createHash("sha256").update(text).digest("base64url");
}
