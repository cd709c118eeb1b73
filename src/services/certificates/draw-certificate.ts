import { createBrand } from "@lyceum/certificate-pdf/brand";
import type { Config } from "../../config.js";
import type { Deps } from "../../deps.js";
import { within } from "../../lib/within.js";
import type { Certificate } from "../../models/learning/certificate.js";
import { findTemplate, type LoadedTemplate, templateHash } from "./templates.js";

/** Time after which an upload counts as failed, so that the next attempt can begin. */
const storageMs = 10_000;

/** The media storage did not take a PDF. */
export class StorageFailed extends Error {}

/** A file of certificates in the media storage. */
export const pdfFile = (publicId: string) => ({ publicId, kind: "raw" }) as const;

/** The place of the PDF of a certificate in the media storage. */
export const certificateFile = ({ certificateId, file }: Pick<Certificate, "certificateId" | "file">) =>
  pdfFile(file ?? `certificates/${certificateId}.pdf`);

/** The public page on which a certificate is verified. */
export const verifyUrl = ({ backendUrl }: Pick<Config, "backendUrl">, certificateId: string): string =>
  `${backendUrl}/api/certificate/verify/${certificateId}`;

type Drawn = Pick<Certificate, "certificateId" | "courseTitle" | "completionDate" | "expiresAt">;

/** The usual words of a path's certificate, in place of those that speak of lectures. */
const pathWords = {
  statement: "has successfully completed the learning path",
  recognition: "In recognition of the dedication shown in completing every course of this path.",
};

/** Draws a PDF with a template, when the turn of the user has come. */
export async function renderWithTemplate(
  { config, renderInTurn }: Pick<Deps, "config" | "renderInTurn">,
  userId: string,
  { isPath, ...certificate }: Drawn & { isPath: boolean; studentName: string; isSpecimen?: true },
  { fields, pictureOf }: LoadedTemplate,
): Promise<Buffer> {
  const usual = isPath ? pathWords : { statement: null, recognition: null };
  const { color, heading, statement, recognition, logo, signatories } = fields;
  const brand = createBrand({ ...config.platform, ...(color && { color }) });
  const design = {
    heading,
    statement: statement ?? usual.statement,
    recognition: recognition ?? usual.recognition,
    logo: pictureOf(logo),
    signatories: signatories.map(({ name, title, signature }) => ({ name, title, signature: pictureOf(signature) })),
  };
  // Drawing takes much memory, so it is loaded with the first certificate.
  const { renderCertificate } = await import("@lyceum/certificate-pdf");
  const facts = { ...certificate, verifyUrl: verifyUrl(config, certificate.certificateId) };
  return renderInTurn(userId, () => renderCertificate(facts, brand, design));
}

/** Draws the PDF of a certificate with the present template of its course or path. */
export async function drawCertificate(
  deps: Pick<Deps, "db" | "config" | "renderInTurn">,
  { userId, courseId, pathId, certificateId, courseTitle, completionDate, expiresAt }: Certificate,
  studentName: string,
): Promise<{ content: Buffer; templateHash: string | undefined }> {
  const template = await findTemplate(deps.db, pathId ?? courseId);
  const isPath = pathId !== undefined;
  const facts = { certificateId, studentName, courseTitle, completionDate, ...(expiresAt && { expiresAt }), isPath };
  const content = await renderWithTemplate(deps, userId, facts, template);
  return { content, templateHash: templateHash(template.fields) };
}

/** Stores a PDF. @returns its public address. @throws StorageFailed; the file may exist nevertheless. */
export function storePdf(
  { storage }: Pick<Deps, "storage">,
  file: ReturnType<typeof pdfFile>,
  content: Buffer,
): Promise<string> {
  const put = () => storage.put({ ...file, content }, storageMs);
  return within({ ms: storageMs, late: tooSlow }, put).catch((error: Error) => {
    throw new StorageFailed(error.message, { cause: error });
  });
}

function tooSlow(): never {
  throw new Error(`the media storage took over ${storageMs} ms`);
}
