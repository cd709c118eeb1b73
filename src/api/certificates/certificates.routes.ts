import { Types } from "mongoose";
import { z } from "zod";
import type { Deps } from "../../deps.js";
import { type RouteGroup, route } from "../../http/route.js";
import { failure } from "../../lib/errors.js";
import { objectId } from "../../lib/fields.js";
import { findCourseLectures } from "../../models/courses/course-queries.js";
import type { Certificate } from "../../models/learning/certificate.js";
import type { CourseProgress } from "../../models/learning/course-progress.js";
import { findCertificate, isIssued, issueCertificate } from "../../services/certificates/issue-certificate.js";
import { isEnrolled } from "../../services/enrollments/enrollment.js";
import { CourseNotFound, CourseNotPurchased, UserNotFound } from "../../services/failures.js";
import { completeCourse, isComplete } from "../../services/learning/record-progress.js";

const CertificateParams = z.object({ courseId: objectId });

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
  const requireEnrollment = async (userId: string, courseId: string): Promise<void> => {
    if (await isEnrolled(db, userId, courseId)) return;
    throw (await db.Course.exists({ _id: courseId })) ? CourseNotPurchased() : CourseNotFound();
  };
  /** Finds a learner's progress in a course and the course's lectures; null when either is missing. */
  const progressIn = async (userId: string, courseId: string) => {
    const [progress, course] = await Promise.all([
      db.CourseProgress.findOne({ userId, courseId }).lean<CourseProgress>(),
      findCourseLectures(db, new Types.ObjectId(courseId)),
    ]);
    return progress && course && { progress, course };
  };
  /** Finds the certificate. Completes a course that lost its missing lectures since the learner's last call. */
  const certificateOf = async (userId: string, courseId: string): Promise<Certificate | null> => {
    const certificate = await findCertificate(db, userId, courseId);
    if (certificate) return certificate;
    const found = await progressIn(userId, courseId);
    if (!found) return null;
    const now = await completeCourse(db, found.progress, found.course);
    return now.certificate ?? (now.progress.completed ? findCertificate(db, userId, courseId) : null);
  };
  return {
    name: "user",
    base: "/api/user",
    access: "user",
    routes: [
      route({
        method: "get",
        path: "/certificate/check/:courseId",
        operationId: "checkCertificate",
        summary: "Whether the caller has earned the certificate of a course, and whether it exists",
        access: "user",
        params: CertificateParams,
        reply: CheckReply,
        errors: [CourseNotFound, CourseNotPurchased],
        async handle({ viewer, params: { courseId } }) {
          await requireEnrollment(viewer.id, courseId);
          const certificate = await findCertificate(db, viewer.id, courseId);
          // A check writes nothing. Generating, the next progress call or a job completes a course that lost lectures.
          const found = await progressIn(viewer.id, courseId);
          const eligible =
            found !== null && (found.progress.completed || (await isComplete(db, found.progress, found.course)));
          return { eligible, certificateExists: isIssued(certificate) };
        },
      }),
      route({
        method: "post",
        path: "/certificate/generate/:courseId",
        operationId: "generateCertificate",
        summary: "Produce the certificate of a completed course",
        description: "Simultaneous calls produce one PDF. Completing the course produces it too.",
        access: "user",
        params: CertificateParams,
        reply: GenerateReply,
        errors: [CourseNotFound, CourseNotPurchased, NotCompleted, UserNotFound],
        async handle({ viewer, params: { courseId } }) {
          const until = Date.now() + waitMs;
          await requireEnrollment(viewer.id, courseId);
          const opened = await certificateOf(viewer.id, courseId);
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
      route({
        method: "get",
        path: "/certificate/:courseId",
        operationId: "getCertificate",
        summary: "The address of the certificate's PDF",
        access: "user",
        params: CertificateParams,
        reply: FetchReply,
        errors: [CourseNotFound, CourseNotPurchased, NotGenerated],
        async handle({ viewer, params: { courseId } }) {
          await requireEnrollment(viewer.id, courseId);
          const certificate = await findCertificate(db, viewer.id, courseId);
          if (!isIssued(certificate)) throw NotGenerated();
          return { message: "Certificate fetched successfully" as const, pdfUrl: certificate.pdfUrl };
        },
      }),
    ],
  };
}
