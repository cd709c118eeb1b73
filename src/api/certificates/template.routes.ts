import type { Deps } from "../../deps.js";
import { forManagers } from "../../http/for-managers.js";
import { alreadySent, type RouteGroup, route } from "../../http/route.js";
import type { Course } from "../../models/courses/course.js";
import { previewTemplate, removeTemplate, storeTemplate } from "../../services/certificates/manage-template.js";
import { findTemplateFields } from "../../services/certificates/templates.js";
import { findManagedCourse } from "../../services/courses/managed-course.js";
import { CourseNotFound, NotTheOwner } from "../../services/failures.js";
import { ResourceNotFound } from "../../services/resources/resources.js";
import { PreviewBody, TemplateBody, TemplateReply } from "./certificates.schemas.js";

/** What the certificates of a course look like. */
export function templateGroups(deps: Deps): RouteGroup[] {
  const { db } = deps;
  return forManagers("certificates", ["educator", "admin"], ({ role, isAdmin, suffix }) => {
    const refusals = isAdmin ? [CourseNotFound] : [CourseNotFound, NotTheOwner];
    const path = "/courses/:id/certificate-template";
    return [
      route("get", path, {
        operationId: `getCertificateTemplate${suffix}`,
        summary: "The certificate template of a course",
        access: role,
        reply: TemplateReply,
        errors: refusals,
        async handle({ params, manager }) {
          const course = await findManagedCourse(db, params.id, manager);
          return { template: await findTemplateFields(db, course._id) };
        },
      }),
      route("put", path, {
        operationId: `setCertificateTemplate${suffix}`,
        summary: "Set the certificate template of a course",
        description:
          "The whole template: an absent field takes its default. Pictures are resources of the course: PNG or JPEG of " +
          "at most 1 MiB and 4,096 pixels a side. Certificates that exist keep their look and their end.",
        access: role,
        body: TemplateBody,
        reply: TemplateReply,
        errors: [...refusals, ResourceNotFound],
        async handle({ params, body, manager, signal }) {
          const course = await findManagedCourse(db, params.id, manager);
          await storeTemplate(deps, course, body, signal);
          return { template: body };
        },
      }),
      route("delete", path, {
        operationId: `removeCertificateTemplate${suffix}`,
        summary: "Give a course the default certificate template again",
        access: role,
        errors: refusals,
        async handle({ params, manager }) {
          await removeTemplate(db, await findManagedCourse(db, params.id, manager));
          return {};
        },
      }),
      route("post", "/courses/:id/certificate-template/preview", {
        operationId: `previewCertificate${suffix}`,
        summary: "A specimen of a course's certificate, as PDF",
        description: "With the caller's name and today's date, without QR code. `{}` shows the stored template.",
        access: role,
        body: PreviewBody,
        file: "application/pdf",
        errors: [...refusals, ResourceNotFound],
        async handle({ params, body, manager, res, signal }) {
          const fields = { educatorId: 1, courseTitle: 1 } as const;
          type Titled = Pick<Course, "_id" | "educatorId" | "courseTitle">;
          const course = await findManagedCourse<Titled>(db, params.id, manager, fields);
          res.type("application/pdf").send(await previewTemplate(deps, course, manager.userId, body, signal));
          return alreadySent;
        },
      }),
    ];
  });
}
