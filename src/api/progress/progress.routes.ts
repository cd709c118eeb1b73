import { Types } from "mongoose";
import pTimeout from "p-timeout";
import type { Deps } from "../../deps.js";
import { type RouteGroup, route } from "../../http/route.js";
import { isObjectId } from "../../lib/fields.js";
import { findCertificate, type Issuer, isIssued } from "../../services/certificates/issue-certificate.js";
import { LectureNotOpen } from "../../services/courses/release.js";
import { CourseNotFound, CourseNotPurchased } from "../../services/failures.js";
import { InvalidLecture, type Recorded, recordProgress } from "../../services/learning/record-progress.js";
import { ProgressBody, ProgressLookup, ProgressLookupReply, ProgressReply } from "./progress.schemas.js";

/** How long a progress call waits for the certificate. Its production continues after that. */
const budgetMs = 4_000;

/** The caller's progress in courses. */
export function progressGroup({ db, log }: Deps, issue: Issuer): RouteGroup {
  const produce = async ({ progress: { userId, courseId }, certificate: opened }: Recorded): Promise<boolean> => {
    let certificate = opened;
    const until = Date.now() + budgetMs;
    try {
      certificate ??= await findCertificate(db, userId, courseId);
      if (certificate && !isIssued(certificate)) await issue(certificate, until);
      return certificate !== null;
    } catch (error) {
      const ids = { certificateId: certificate?.certificateId, userId, courseId: String(courseId) };
      log.warn({ eventId: "certificate_delayed", ...ids, cause: String(error) }, "certificate not produced in time");
      return false;
    }
  };
  return {
    name: "user",
    base: "/api/user",
    access: "user",
    routes: [
      route({
        method: "post",
        path: "/update-course-progress",
        operationId: "completeLecture",
        summary: "Mark a lecture as completed",
        description: "The last lecture completes the course permanently and produces the certificate.",
        access: "user",
        body: ProgressBody,
        reply: ProgressReply,
        errors: [CourseNotFound, CourseNotPurchased, InvalidLecture, LectureNotOpen],
        async handle({ viewer, body }) {
          const recorded = await recordProgress(db, { userId: viewer.id, ...body });
          const { completed } = recorded.progress;
          return {
            message: "Progress Updated" as const,
            isCourseCompleted: completed,
            certificateAvailable:
              completed && (await pTimeout(produce(recorded), { milliseconds: budgetMs, fallback: () => false })),
          };
        },
      }),
      route({
        method: "post",
        path: "/get-course-progress",
        operationId: "getCourseProgress",
        summary: "The caller's progress in a course",
        description: "`progressData` is null when nothing is stored. Any string is accepted as a course id.",
        access: "user",
        body: ProgressLookup,
        reply: ProgressLookupReply,
        async handle({ viewer, body }) {
          const { courseId } = body;
          if (!isObjectId(courseId)) return { progressData: null };
          const own = { userId: viewer.id, courseId: new Types.ObjectId(courseId) };
          return { progressData: await db.CourseProgress.findOne(own).lean() };
        },
      }),
    ],
  };
}
