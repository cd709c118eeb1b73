import { isTimeLimit } from "../../db/database-errors.js";
import type { Deps } from "../../deps.js";
import { forManagers } from "../../http/for-managers.js";
import { readPage } from "../../http/list-reply.js";
import { alreadySent, type RouteGroup, route } from "../../http/route.js";
import type { Course } from "../../models/courses/course.js";
import {
  CertificateNotFound,
  CertificateRevoked,
  NothingToChange,
  revokeManaged,
} from "../../services/certificates/change-certificate.js";
import { previewTemplate, removeTemplate, storeTemplate } from "../../services/certificates/manage-template.js";
import {
  describeManagedCertificate,
  listManagedCertificates,
} from "../../services/certificates/managed-certificates.js";
import { reissueManaged } from "../../services/certificates/reissue-certificate.js";
import { findTemplateFields } from "../../services/certificates/templates.js";
import { findManagedCourse } from "../../services/courses/managed-course.js";
import { CourseNotFound, NotTheOwner } from "../../services/failures.js";
import { ResourceNotFound } from "../../services/resources/resources.js";
import { type RunSearch, SearchBusy } from "../../services/search-limit.js";
import {
  ManagedCertificateReply,
  ManagedCertificatesQuery,
  ManagedCertificatesReply,
  PreviewBody,
  ReissueBody,
  RevokeBody,
  TemplateBody,
  TemplateReply,
} from "./managed-certificates.schemas.js";

/** The certificates of a course. */
export function managedCertificatesGroups(deps: Deps, runSearch: RunSearch): RouteGroup[] {
  const { db } = deps;
  return forManagers("certificates", ["educator", "admin"], ({ role, isAdmin, suffix }) => {
    const refusals = isAdmin ? [CourseNotFound] : [CourseNotFound, NotTheOwner];
    return [
      route("get", "/courses/:id/certificates", {
        operationId: `listCertificates${suffix}`,
        summary: "The certificates of a course, newest completion first",
        access: role,
        scope: "certificates:read",
        query: ManagedCertificatesQuery,
        reply: ManagedCertificatesReply,
        errors: [...refusals, SearchBusy],
        async handle({ params, query, manager, signal }) {
          const list = listManagedCertificates(db, await findManagedCourse(db, params.id, manager), query);
          const read = () => readPage(list, query);
          const isSearch = Boolean(query.q || query.state);
          try {
            const page = await (isSearch ? runSearch(`user:${manager.userId}`, read, signal) : read());
            return { certificates: page.items, nextCursor: page.nextCursor };
          } catch (error) {
            throw isSearch && isTimeLimit(error) ? SearchBusy(error) : error;
          }
        },
      }),
      route("post", "/courses/:id/certificates/:certificateId/reissue", {
        operationId: `reissueCertificate${suffix}`,
        summary: "Make a new edition of a certificate, with a corrected name or the present template",
        description: "A revoked certificate is valid again. The reissue and its reason are in the audit trail.",
        access: role,
        scope: "certificates:write",
        body: ReissueBody,
        reply: ManagedCertificateReply,
        errors: [...refusals, CertificateNotFound, NothingToChange],
        async handle({ params: { id, certificateId }, body, manager }) {
          const course = await findManagedCourse(db, id, manager);
          const reissued = await reissueManaged(deps, course, { ...body, certificateId, actor: manager });
          return { certificate: describeManagedCertificate(reissued) };
        },
      }),
      route("post", "/courses/:id/certificates/:certificateId/revoke", {
        operationId: `revokeCertificate${suffix}`,
        summary: "Revoke a certificate",
        description:
          "Its PDF is removed. The revocation and its reason are in the audit trail; learners see no reason.",
        access: role,
        scope: "certificates:write",
        body: RevokeBody,
        reply: ManagedCertificateReply,
        errors: [...refusals, CertificateNotFound, CertificateRevoked],
        async handle({ params: { id, certificateId }, body, manager }) {
          const course = await findManagedCourse(db, id, manager);
          const revoked = await revokeManaged(db, course, certificateId, { ...body, actor: manager });
          return { certificate: describeManagedCertificate(revoked) };
        },
      }),
    ];
  });
}

/** What the certificates of a course look like. */
export function templateGroups(deps: Deps): RouteGroup[] {
  const { db } = deps;
  return forManagers("certificates", ["educator", "admin"], ({ role, isAdmin, suffix }) => {
    const refusals = isAdmin ? [CourseNotFound] : [CourseNotFound, NotTheOwner];
    const path = "/courses/:id/certificate-template";
    return [
      route("get", path, {
        operationId: `getTemplate${suffix}`,
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
        operationId: `setTemplate${suffix}`,
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
        operationId: `removeTemplate${suffix}`,
        summary: "Give a course the default certificate template again",
        access: role,
        errors: refusals,
        async handle({ params, manager }) {
          await removeTemplate(db, await findManagedCourse(db, params.id, manager));
          return {};
        },
      }),
      route("post", "/courses/:id/certificate-template/preview", {
        operationId: `previewTemplate${suffix}`,
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
