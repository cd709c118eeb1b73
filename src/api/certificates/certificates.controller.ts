import { Types } from "mongoose";
import type { z } from "zod";
import type { Deps } from "../../deps.js";
import type { RouteRequest } from "../../http/route.js";
import { failure } from "../../lib/errors.js";
import { findCourseLectures } from "../../models/courses/course-queries.js";
import type { Certificate } from "../../models/learning/certificate.js";
import type { CourseProgress } from "../../models/learning/course-progress.js";
import { findCertificate, type Issuer, isIssued } from "../../services/certificates/issue-certificate.js";
import { isEnrolled } from "../../services/enrollments/enrollment.js";
import { CourseNotFound, CourseNotPurchased } from "../../services/failures.js";
import { completeCourse, hasAllLectures } from "../../services/learning/record-progress.js";
import type { CertificateParams } from "./certificates.schemas.js";

export const NotCompleted = failure("not_completed", 404, "Certificate not available yet");
export const NotGenerated = failure(
  "not_generated",
  404,
  "Certificate not generated yet. Click Get Certificate to generate it.",
);

/** How long generate waits for another production: longer than the storage may take. */
const waitMs = 25_000;

type ForCourse = RouteRequest<z.output<typeof CertificateParams>, undefined, undefined, "user">;

export function certificatesController({ db }: Deps, issue: Issuer) {
  const requireEnrollment = async (userId: string, courseId: string): Promise<void> => {
    if (await isEnrolled(db, userId, courseId)) return;
    throw (await db.Course.exists({ _id: courseId })) ? CourseNotPurchased() : CourseNotFound();
  };

  /** What a learner has done in a course, and the lectures of the course; null when one of the two is missing. */
  const progressIn = async (userId: string, courseId: string) => {
    const [progress, course] = await Promise.all([
      db.CourseProgress.findOne({ userId, courseId }).lean<CourseProgress>(),
      findCourseLectures(db, new Types.ObjectId(courseId)),
    ]);
    return progress && course && { progress, course };
  };

  /** The certificate's row. A course that lost lectures since the learner's last call is completed now. */
  const certificateOf = async (userId: string, courseId: string): Promise<Certificate | null> => {
    const certificate = await findCertificate(db, userId, courseId);
    if (certificate) return certificate;
    const found = await progressIn(userId, courseId);
    if (!found) return null;
    const now = await completeCourse(db, found.progress, found.course);
    return now.certificate ?? (now.progress.completed ? findCertificate(db, userId, courseId) : null);
  };

  return {
    async check({ viewer, params: { courseId } }: ForCourse) {
      await requireEnrollment(viewer.id, courseId);
      const certificate = await findCertificate(db, viewer.id, courseId);
      // Completing the course creates the row.
      if (certificate) return { eligible: true, certificateExists: isIssued(certificate) };
      // A check writes nothing: generating, the next progress call or a job completes a course that lost lectures.
      const found = await progressIn(viewer.id, courseId);
      return { eligible: found !== null && hasAllLectures(found.progress, found.course), certificateExists: false };
    },

    async generate({ viewer, params: { courseId } }: ForCourse) {
      const until = Date.now() + waitMs;
      await requireEnrollment(viewer.id, courseId);
      const opened = await certificateOf(viewer.id, courseId);
      if (!opened) throw NotCompleted();
      const { created, certificate } = await issue(opened, until);
      return {
        created,
        message: created ? ("Certificate generated successfully" as const) : ("Certificate already exists" as const),
        pdfUrl: certificate.pdfUrl,
      };
    },

    async show({ viewer, params: { courseId } }: ForCourse) {
      await requireEnrollment(viewer.id, courseId);
      const certificate = await findCertificate(db, viewer.id, courseId);
      if (!isIssued(certificate)) throw NotGenerated();
      return { message: "Certificate fetched successfully" as const, pdfUrl: certificate.pdfUrl };
    },
  };
}
