import type { Request } from "express";
import { z } from "zod";
import type { Deps } from "../../deps.js";
import { readPage } from "../../http/list-reply.js";
import { type RouteGroup, route } from "../../http/route.js";
import { failure } from "../../lib/errors.js";
import type { Viewer } from "../../models/users/user.js";
import {
  CertificateNotFound,
  CertificateRevoked,
  NothingToChange,
} from "../../services/certificates/change-certificate.js";
import {
  findCertificate,
  isIssued,
  issueCertificate,
  NameMissing,
  NoLongerValid,
} from "../../services/certificates/issue-certificate.js";
import { describeOwnCertificates, listOwnCertificates } from "../../services/certificates/own-certificates.js";
import { ReissuedTooOften, reissueOwn } from "../../services/certificates/reissue-certificate.js";
import { NotExpiringSoon, renewCertificate } from "../../services/certificates/renew-certificate.js";
import { requireEnrolled } from "../../services/enrollments/enrollment.js";
import { CourseNotFound, CourseNotPurchased, UserNotFound } from "../../services/failures.js";
import { findEarnedCertificate, hasCompleted } from "../../services/learning/complete-courses.js";
import { OwnCertificateReply, OwnCertificatesQuery, OwnCertificatesReply } from "./certificates.schemas.js";

const actorOf = ({ id: userId }: Viewer, { id: requestId }: Request) => ({ userId, requestId });

const CheckReply = z.object({
  eligible: z.boolean().meta({ description: "whether the course is completed" }),
  certificateExists: z.boolean().meta({ description: "whether the PDF exists" }),
});

const pdfUrl = z.string().meta({ description: "public address of the PDF" });

const GenerateReply = z.object({
  created: z.boolean().meta({ description: "whether this call produced the PDF" }),
  message: z.enum(["Certificate generated successfully", "Certificate already exists"]),
  pdfUrl,
});

const FetchReply = z.object({ message: z.literal("Certificate fetched successfully"), pdfUrl });
const NotCompleted = failure("course_not_completed", 404, "Certificate not available yet");

const NotGenerated = failure(
  "certificate_not_generated",
  404,
  "Certificate not generated yet. Click Get Certificate to generate it.",
);

/** How long a request waits for a PDF that another request produces. The storage may take less. */
const waitMs = 25_000;

/** The caller's certificates. */
export function certificatesGroup(deps: Deps): RouteGroup {
  const { db } = deps;
  const requireEnrollment = (userId: string, courseId: string) =>
    requireEnrolled(db, { userId, courseId }, { missing: CourseNotFound, refused: CourseNotPurchased });
  return {
    name: "user",
    base: "/api/user",
    routes: [
      route("get", "/certificate/check/:courseId", {
        operationId: "checkCertificate",
        summary: "Whether the caller has earned the certificate of a course, and whether it exists",
        access: "user",
        reply: CheckReply,
        errors: [CourseNotFound, CourseNotPurchased],
        async handle({ viewer, params: { courseId } }) {
          await requireEnrollment(viewer.id, courseId);
          const certificate = await findCertificate(db, viewer.id, courseId);
          return { eligible: await hasCompleted(db, viewer.id, courseId), certificateExists: isIssued(certificate) };
        },
      }),
      route("post", "/certificate/generate/:courseId", {
        operationId: "generateCertificate",
        summary: "Produce the certificate of a completed course",
        description: "Simultaneous calls produce one PDF. Completing the course produces it too.",
        access: "user",
        reply: GenerateReply,
        errors: [CourseNotFound, CourseNotPurchased, NotCompleted, NoLongerValid, UserNotFound, NameMissing],
        async handle({ viewer, params: { courseId } }) {
          const until = Date.now() + waitMs;
          await requireEnrollment(viewer.id, courseId);
          const opened = await findEarnedCertificate(db, viewer.id, courseId);
          if (!opened) throw NotCompleted();
          const { created, certificate } = await issueCertificate(deps, opened, until);
          return {
            created,
            message: created
              ? ("Certificate generated successfully" as const)
              : ("Certificate already exists" as const),
            pdfUrl: certificate.pdfUrl,
          };
        },
      }),
      route("get", "/certificate/:courseId", {
        operationId: "getCertificate",
        summary: "The address of the certificate's PDF",
        access: "user",
        reply: FetchReply,
        errors: [CourseNotFound, CourseNotPurchased, NoLongerValid, NotGenerated],
        async handle({ viewer, params: { courseId } }) {
          await requireEnrollment(viewer.id, courseId);
          const certificate = await findCertificate(db, viewer.id, courseId);
          if (certificate?.revokedAt) throw NoLongerValid();
          if (!isIssued(certificate)) throw NotGenerated();
          return { message: "Certificate fetched successfully" as const, pdfUrl: certificate.pdfUrl };
        },
      }),
      route("get", "/certificates", {
        operationId: "listOwnCertificates",
        summary: "The caller's certificates, newest completion first",
        access: "user",
        query: OwnCertificatesQuery,
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
