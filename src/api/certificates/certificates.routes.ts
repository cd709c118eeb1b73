import type { Deps } from "../../deps.js";
import { type RouteGroup, route } from "../../http/route.js";
import type { Issuer } from "../../services/certificates/issue-certificate.js";
import { CourseNotFound, CourseNotPurchased, UserNotFound } from "../../services/failures.js";
import { certificatesController, NotCompleted, NotGenerated } from "./certificates.controller.js";
import { CertificateParams, CheckReply, FetchReply, GenerateReply } from "./certificates.schemas.js";

/** The caller's certificates. */
export function certificatesGroup(deps: Deps, issue: Issuer): RouteGroup {
  const certificates = certificatesController(deps, issue);
  return {
    name: "user",
    base: "/api/user",
    access: "user",
    routes: [
      route({
        method: "get",
        path: "/certificate/check/:courseId",
        summary: "Whether the caller has earned the certificate of a course, and whether it exists",
        access: "user",
        params: CertificateParams,
        reply: CheckReply,
        errors: [CourseNotFound, CourseNotPurchased],
        handle: certificates.check,
      }),
      route({
        method: "post",
        path: "/certificate/generate/:courseId",
        summary: "Produce the certificate of a completed course",
        description: "Simultaneous calls produce one PDF; it is produced at completion without this call, too.",
        access: "user",
        params: CertificateParams,
        reply: GenerateReply,
        errors: [CourseNotFound, CourseNotPurchased, NotCompleted, UserNotFound],
        handle: certificates.generate,
      }),
      route({
        method: "get",
        path: "/certificate/:courseId",
        summary: "Where the certificate's PDF is",
        access: "user",
        params: CertificateParams,
        reply: FetchReply,
        errors: [CourseNotFound, CourseNotPurchased, NotGenerated],
        handle: certificates.show,
      }),
    ],
  };
}
