import { isTimeLimit } from "../../db/database-errors.js";
import type { Deps } from "../../deps.js";
import { forManagers } from "../../http/for-managers.js";
import { readPage } from "../../http/list-reply.js";
import { type RouteGroup, route } from "../../http/route.js";
import {
  CertificateNotFound,
  CertificateRevoked,
  NothingToChange,
  revokeManaged,
} from "../../services/certificates/change-certificate.js";
import {
  describeManagedCertificate,
  listManagedCertificates,
} from "../../services/certificates/managed-certificates.js";
import { reissueManaged } from "../../services/certificates/reissue-certificate.js";
import { findManagedCourse } from "../../services/courses/managed-course.js";
import { CourseNotFound, NotTheOwner } from "../../services/failures.js";
import { type RunSearch, SearchBusy } from "../../services/search-limit.js";
import {
  ManagedCertificateReply,
  ManagedCertificatesQuery,
  ManagedCertificatesReply,
  ReissueBody,
  RevokeBody,
} from "./certificates.schemas.js";

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
          const isSearch = Boolean(query.q ?? query.state);
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
