import type { Db } from "../../db/db.js";
import type { Deps } from "../../deps.js";
import { distinct } from "../../lib/distinct.js";
import type { TemplateFields } from "../../models/courses/certificate-template.js";
import { touchResources } from "../../models/courses/course-queries.js";
import { keepPath } from "../../models/paths/path.js";
import { PathNotFound } from "../failures.js";
import { ResourceNotFound } from "../resources/resources.js";
import { addMonths } from "./certificate-state.js";
import { renderWithTemplate } from "./draw-certificate.js";
import { certifiedItem, coursesOf, type ManagedItem, titleOf } from "./managed-item.js";
import { makePictures, picturesOf } from "./template-pictures.js";
import { findTemplate, loadedTemplate } from "./templates.js";

/**
 * Stores the template of a course or path. Certificates that exist keep their look. The courses of its pictures are
 * written too, because a removal of a resource writes the course.
 * @throws as `makePictures`.
 */
export async function storeTemplate(
  deps: Pick<Deps, "db" | "storage" | "renderInTurn">,
  item: ManagedItem,
  fields: TemplateFields,
  signal: AbortSignal,
): Promise<void> {
  const { db } = deps;
  const { _id, educatorId } = item;
  const pictures = await makePictures(deps, item, fields, signal);
  const named = new Set(picturesOf(fields).map(({ resourceId }) => resourceId));
  await db.transaction(
    async (session) => {
      const present = { _id: { $in: [...named] }, courseId: { $in: coursesOf(item) }, state: "stored" as const };
      const { pathId } = certifiedItem(item);
      if (pathId && !(await keepPath(db, pathId, session))) throw PathNotFound();
      const found = await db.CourseResource.find(present, { courseId: 1 }).session(session).lean();
      if (found.length < named.size) throw ResourceNotFound();
      for (const courseId of distinct(found.map((resource) => resource.courseId)))
        await touchResources(db, courseId, session);
      const template = { educatorId, ...fields, pictures };
      await db.CertificateTemplate.updateOne({ _id }, { $set: template }, { session, upsert: true });
    },
    { mutex: `course:${_id}` },
  );
}

/** Gives a course or path the default template again. */
export async function removeTemplate(db: Db, { _id }: ManagedItem): Promise<void> {
  await db.CertificateTemplate.deleteOne({ _id });
}

/**
 * Draws a specimen for the caller's own name and today. Stores nothing.
 * @param fields of a template that is not stored; undefined: the stored template. @throws as `makePictures`.
 */
export async function previewTemplate(
  deps: Pick<Deps, "db" | "storage" | "config" | "renderInTurn">,
  item: ManagedItem,
  userId: string,
  fields: TemplateFields | undefined,
  signal: AbortSignal,
): Promise<Buffer> {
  const { db } = deps;
  const template = fields
    ? loadedTemplate(fields, await makePictures(deps, item, fields, signal))
    : await findTemplate(db, item._id);
  const user = await db.User.findById(userId, { name: 1 }).lean();
  const { validMonths } = template.fields;
  const completionDate = new Date();
  const facts = {
    certificateId: "00000000-0000-0000-0000-000000000000",
    studentName: user?.name ?? "",
    courseTitle: titleOf(item),
    completionDate,
    isPath: certifiedItem(item).pathId !== undefined,
    ...(validMonths !== null && { expiresAt: addMonths(completionDate, validMonths) }),
    isSpecimen: true as const,
  };
  return renderWithTemplate(deps, userId, facts, template);
}
