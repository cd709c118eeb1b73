import type { Db } from "../../db/db.js";
import { failure } from "../../lib/errors.js";
import { type Enrollment, isInForce } from "../../models/enrollments/enrollment.js";
import type { Certificate } from "../../models/learning/certificate.js";
import { CourseNotPurchased } from "../failures.js";
import { resetProgress } from "../learners/reset-learner.js";
import { endsSoon } from "./certificate-state.js";
import { CertificateNotFound, CertificateRevoked } from "./change-certificate.js";
import { findCertificate } from "./issue-certificate.js";

export const NotExpiringSoon = failure("certificate_not_expiring", 409, "Certificate does not expire soon");

/**
 * Begins the course of a learner's certificate again: as a reset, and attempts at assessments count no more. A repetition
 * for the same certificate changes nothing.
 * @throws CertificateNotFound, CourseNotPurchased, CertificateRevoked, NotExpiringSoon, which is told of every path.
 */
export async function renewCertificate(db: Db, userId: string, certificateId: string): Promise<void> {
  await db.transaction(async (session) => {
    const certificate = await db.Certificate.findOne({ certificateId, userId, status: "issued" })
      .session(session)
      .lean<Certificate>();
    if (!certificate) throw CertificateNotFound();
    const { _id, courseId, revokedAt } = certificate;
    if (!courseId) throw revokedAt ? CertificateRevoked() : NotExpiringSoon();
    const own = { userId, courseId };
    const enrollment = await db.Enrollment.findOne(own).session(session).lean<Enrollment>();
    if (!enrollment || !isInForce(enrollment)) throw CourseNotPurchased();
    if (revokedAt) throw CertificateRevoked();
    const newest = await findCertificate(db, userId, courseId, session);
    if (!endsSoon(certificate) || !newest?._id.equals(_id)) throw NotExpiringSoon();
    if (certificate.renewedAt) return;
    await db.Certificate.updateOne({ _id }, { $set: { renewedAt: new Date() } }, { session });
    await resetProgress(db, own, session);
    await db.AssessmentAttempt.updateMany(own, { $set: { isFormer: true } }, { session });
  });
}
