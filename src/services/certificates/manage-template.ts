import type { Db } from "../../db/db.js";
import type { Deps } from "../../deps.js";
import type { TemplateFields } from "../../models/courses/certificate-template.js";
import type { Course } from "../../models/courses/course.js";
import { touchResources } from "../../models/courses/course-queries.js";
import type { ManagedCourse } from "../courses/managed-course.js";
import { ResourceNotFound } from "../resources/resources.js";
import { addMonths } from "./certificate-state.js";
import { renderWithTemplate } from "./draw-certificate.js";
import { makePictures, picturesOf } from "./template-pictures.js";
import { findTemplate, loadedTemplate } from "./templates.js";

/**
 * Stores the template of a course. Certificates that exist keep their look. The course is written too, because a removal
 * of a resource writes the course.
 * @throws as `makePictures`.
 */
export async function storeTemplate(
  deps: Pick<Deps, "db" | "storage" | "renderInTurn">,
  { _id: courseId, educatorId }: ManagedCourse,
  fields: TemplateFields,
  signal: AbortSignal,
): Promise<void> {
  const { db } = deps;
  const pictures = await makePictures(deps, { _id: courseId, educatorId }, fields, signal);
  const named = new Set(picturesOf(fields).map(({ resourceId }) => resourceId));
  await db.transaction(
    async (session) => {
      await touchResources(db, courseId, session);
      const present = { _id: { $in: [...named] }, courseId, state: "stored" as const };
      const count = await db.CourseResource.countDocuments(present).session(session);
      if (count < named.size) throw ResourceNotFound();
      const template = { educatorId, ...fields, pictures };
      await db.CertificateTemplate.updateOne({ _id: courseId }, { $set: template }, { session, upsert: true });
    },
    { mutex: `course:${courseId}` },
  );
}

/** Gives a course the default template again. */
export async function removeTemplate(db: Db, { _id }: ManagedCourse): Promise<void> {
  await db.CertificateTemplate.deleteOne({ _id });
}

/**
 * Draws a specimen for the caller's own name and today. Stores nothing.
 * @param fields of a template that is not stored; undefined: the stored template. @throws as `makePictures`.
 */
export async function previewTemplate(
  deps: Pick<Deps, "db" | "storage" | "config" | "renderInTurn">,
  course: ManagedCourse<Pick<Course, "_id" | "educatorId" | "courseTitle">>,
  userId: string,
  fields: TemplateFields | undefined,
  signal: AbortSignal,
): Promise<Buffer> {
  const { db } = deps;
  const { _id: courseId, courseTitle } = course;
  const template = fields
    ? loadedTemplate(fields, await makePictures(deps, course, fields, signal))
    : await findTemplate(db, courseId);
  const user = await db.User.findById(userId, { name: 1 }).lean();
  const { validMonths } = template.fields;
  const completionDate = new Date();
  const facts = {
    certificateId: "00000000-0000-0000-0000-000000000000",
    studentName: user?.name ?? "",
    courseTitle,
    completionDate,
    ...(validMonths !== null && { expiresAt: addMonths(completionDate, validMonths) }),
    isSpecimen: true as const,
  };
  return renderWithTemplate(deps, userId, facts, template);
}
