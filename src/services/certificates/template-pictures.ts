import type { Deps } from "../../deps.js";
import { BrokenRule } from "../../lib/errors.js";
import type { TemplateFields, TemplatePicture } from "../../models/courses/certificate-template.js";
import type { CourseResource } from "../../models/courses/course-resource.js";
import { fileOf, findResource } from "../resources/resources.js";
import { coursesOf, type ManagedItem } from "./managed-item.js";
import { shrinkPicture } from "./shrink-picture.js";

const accepted = new Set(["image/png", "image/jpeg"]);
const maxBytes = 1024 * 1024;

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
    // One at a time, because a large picture takes a second of CPU.
    const content = await renderInTurn(item.educatorId, () => shrinkPicture(bytes, field), signal);
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
