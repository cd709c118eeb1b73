import type { Request } from "express";
import type { Deps } from "../../deps.js";
import { readPage } from "../../http/list-reply.js";
import { type RouteGroup, route } from "../../http/route.js";
import type { Viewer } from "../../models/users/user.js";
import {
  CertificateNotFound,
  CertificateRevoked,
  NothingToChange,
} from "../../services/certificates/change-certificate.js";
import { describeOwnCertificates, listOwnCertificates } from "../../services/certificates/own-certificates.js";
import { ReissuedTooOften, reissueOwn } from "../../services/certificates/reissue-certificate.js";
import { NotExpiringSoon, renewCertificate } from "../../services/certificates/renew-certificate.js";
import { CourseNotPurchased, UserNotFound } from "../../services/failures.js";
import { CertificatesQuery, OwnCertificateReply, OwnCertificatesReply } from "./certificates.schemas.js";

const actorOf = ({ id: userId }: Viewer, { id: requestId }: Request) => ({ userId, requestId });

/** The caller's certificates of all courses, and what the caller may do with them. */
export function ownCertificatesGroup(deps: Deps): RouteGroup {
  return {
    name: "user",
    base: "/api/user",
    routes: [
      route("get", "/certificates", {
        operationId: "listOwnCertificates",
        summary: "The caller's certificates, newest completion first",
        access: "user",
        query: CertificatesQuery,
        reply: OwnCertificatesReply,
        async handle({ viewer, query }) {
          const { items, nextCursor } = await readPage(listOwnCertificates(deps, viewer.id), query);
          return { certificates: items, nextCursor };
        },
      }),
      route("post", "/certificates/:certificateId/reissue", {
        operationId: "reissueOwnCertificate",
        summary: "Make a new edition of a certificate with the name of the caller's profile",
        description: "The certificate keeps its id, and the former PDF is removed. A learner may do it three times.",
        access: "user",
        reply: OwnCertificateReply,
        errors: [CertificateNotFound, UserNotFound, CertificateRevoked, NothingToChange, ReissuedTooOften],
        async handle({ viewer, params, req }) {
          const reissued = await reissueOwn(deps, params.certificateId, actorOf(viewer, req));
          const [certificate] = await describeOwnCertificates(deps, viewer.id, [reissued]);
          if (!certificate) throw CertificateNotFound();
          return { certificate };
        },
      }),
      route("post", "/certificates/:certificateId/renew", {
        operationId: "renewCertificate",
        summary: "Begin the course of a certificate again that ends within 90 days, or has ended",
        description:
          "The progress goes back to nothing, and former attempts at assessments count no more. Completing the course " +
          "makes a further certificate. A repetition changes nothing.",
        access: "user",
        errors: [CertificateNotFound, CourseNotPurchased, CertificateRevoked, NotExpiringSoon],
        async handle({ viewer, params }) {
          await renewCertificate(deps.db, viewer.id, params.certificateId);
          return {};
        },
      }),
    ],
  };
}
