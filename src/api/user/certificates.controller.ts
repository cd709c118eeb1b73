import type { z } from "zod";
import { CourseNotFound } from "../../commands/course-view.js";
import { isEnrolled } from "../../commands/is-enrolled.js";
import { findCertificate, type Issuer, isIssued, openCertificate } from "../../commands/issue-certificate.js";
import { CourseNotPurchased, findLectureIds, latchCompletion } from "../../commands/record-progress.js";
import type { Deps } from "../../deps.js";
import { failure } from "../../http/errors.js";
import type { RouteRequest } from "../../http/route.js";
import type { CourseProgress } from "../../models/enrollment.js";
import type { CertificateParams } from "./certificates.schemas.js";

export const NotCompleted = failure(404, "Certificate not available yet");
export const NotGenerated = failure(404, "Certificate not generated yet. Click Get Certificate to generate it.");

/** How long generate waits for another runner: longer than the storage may take. */
const waitMs = 25_000;

type ForCourse = RouteRequest<z.output<typeof CertificateParams>, undefined, undefined, "user">;

export function certificatesController({ db }: Deps, issue: Issuer) {
  /** What is asked of the course, once it is there and the learner holds a seat in it. */
  const enrolledIn = async <T>(userId: string, courseId: string, course: PromiseLike<T | null>): Promise<T> => {
    const [found, enrolled] = await Promise.all([course, isEnrolled(db, userId, courseId)]);
    if (found === null) throw CourseNotFound();
    if (!enrolled) throw CourseNotPurchased();
    return found;
  };
  const existing = (courseId: string) => db.Course.exists({ _id: courseId });
  const progressOf = (userId: string, courseId: string) =>
    db.CourseProgress.findOne({ userId, courseId }).lean<CourseProgress>();

  return {
    async check({ viewer, params: { courseId } }: ForCourse) {
      await enrolledIn(viewer.id, courseId, existing(courseId));
      const [progress, certificate] = await Promise.all([
        progressOf(viewer.id, courseId),
        findCertificate(db, viewer.id, courseId),
      ]);
      return { eligible: progress?.completed ?? false, certificateExists: isIssued(certificate) };
    },

    async generate({ viewer, params: { courseId } }: ForCourse) {
      const until = Date.now() + waitMs;
      const lectureIds = await enrolledIn(viewer.id, courseId, findLectureIds(db, courseId));
      const found = await progressOf(viewer.id, courseId);
      const progress = found && (await latchCompletion(db, found, lectureIds));
      if (!progress?.completed) throw NotCompleted();
      const opened = await openCertificate(db, progress);
      const { created, certificate } = await issue(opened._id, until);
      return {
        created,
        message: created ? ("Certificate generated successfully" as const) : ("Certificate already exists" as const),
        pdfUrl: certificate.pdfUrl,
      };
    },

    async show({ viewer, params: { courseId } }: ForCourse) {
      await enrolledIn(viewer.id, courseId, existing(courseId));
      const certificate = await findCertificate(db, viewer.id, courseId);
      if (!isIssued(certificate)) throw NotGenerated();
      return { message: "Certificate fetched successfully" as const, pdfUrl: certificate.pdfUrl };
    },
  };
}
