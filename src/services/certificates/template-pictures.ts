import type { Deps } from "../../deps.js";
import { BrokenRule } from "../../lib/errors.js";
import type { TemplateFields, TemplatePicture } from "../../models/courses/certificate-template.js";
import type { CourseResource } from "../../models/courses/course-resource.js";
import { fileOf, findResource } from "../resources/resources.js";
import { coursesOf, type ManagedItem } from "./managed-item.js";
import { type PictureSize, pictureSize } from "./picture-size.js";

const accepted = new Set(["image/png", "image/jpeg"]);
const maxBytes = 1024 * 1024;
const maxSide = 4_096;

/** Size in pixels up to which a picture is kept: 300 dpi in its place on the certificate. */
const keptSize = { width: 600, height: 240 };

/** The pictures that a template names, with the field of each one. */
export const picturesOf = ({ logo, signatories }: TemplateFields): { field: string; resourceId: string }[] =>
  [
    { field: "body.logo", resourceId: logo },
    ...signatories.map(({ signature }, i) => ({ field: `body.signatories[${i}].signature`, resourceId: signature })),
  ].flatMap(({ field, resourceId }) => (resourceId === null ? [] : [{ field, resourceId }]));

/**
 * Makes the pictures that a template names from resources of the course, or of the courses of the path.
 * @throws ResourceNotFound; InvalidRequest for a resource that is no PNG or JPEG, or too large.
 */
export async function makePictures(
  { db, storage, renderInTurn }: Pick<Deps, "db" | "storage" | "renderInTurn">,
  item: ManagedItem,
  fields: TemplateFields,
  signal: AbortSignal,
): Promise<TemplatePicture[]> {
  const wanted = [];
  for (const { field, resourceId } of picturesOf(fields)) {
    const resource = await findResource(db, { $in: coursesOf(item) }, resourceId);
    if (!accepted.has(resource.contentType)) throw BrokenRule(`${field}: not a PNG or JPEG`);
    if (resource.size > maxBytes) throw BrokenRule(`${field}: over 1 MiB`);
    wanted.push({ field, resourceId, resource });
  }
  const pictures: TemplatePicture[] = [];
  for (const { field, resourceId, resource } of wanted) {
    if (pictures.some((picture) => picture.resourceId === resourceId)) continue;
    const bytes = await readFile(storage, resource, signal);
    const size = pictureSize(bytes);
    if (!size) throw BrokenRule(`${field}: not a PNG or JPEG`);
    if (Math.max(size.width, size.height) > maxSide) throw BrokenRule(`${field}: over ${maxSide} pixels a side`);
    // One at a time, because a large picture takes much memory.
    const content = await renderInTurn(item.educatorId, () => shrink(bytes, size), signal);
    if (!content) throw BrokenRule(`${field}: shows nothing`);
    pictures.push({ resourceId, content: content.toString("base64") });
  }
  return pictures;
}

async function readFile(storage: Deps["storage"], resource: CourseResource, signal: AbortSignal): Promise<Buffer> {
  const { body } = await storage.open(fileOf(resource), { signal });
  const pieces: Buffer[] = [];
  let size = 0;
  for await (const piece of body as AsyncIterable<Buffer>) {
    size += piece.length;
    if (size > maxBytes) throw new Error("the media storage sends more than the resource has");
    pieces.push(piece);
  }
  return Buffer.concat(pieces);
}

/** Draws a picture on white, in the size that is kept. @returns a PNG; undefined when nothing is to be seen in it. */
async function shrink(bytes: Buffer, { type, ...size }: PictureSize): Promise<Buffer | undefined> {
  const scale = Math.min(1, keptSize.width / size.width, keptSize.height / size.height);
  const [width, height] = [size.width, size.height].map((side) => Math.max(1, Math.round(side * scale)));
  const box = `width="${width}" height="${height}"`;
  const image = `<image ${box} href="data:image/${type};base64,${bytes.toString("base64")}"/>`;
  // It takes much memory, so it is loaded with the first picture.
  const { renderAsync } = await import("@resvg/resvg-js");
  const drawn = await renderAsync(`<svg xmlns="http://www.w3.org/2000/svg" ${box}>${image}</svg>`, {
    background: "#ffffff",
    font: { loadSystemFonts: false },
  });
  return drawn.pixels.every((value) => value === 255) ? undefined : drawn.asPng();
}
