import { z } from "zod";
import type { Deps } from "../../deps.js";
import { type RouteGroup, route } from "../../http/route.js";
import { id, timestamp } from "../../lib/fields.js";
import { within } from "../../lib/within.js";
import { findCertificate, isIssued, issueCertificate } from "../../services/certificates/issue-certificate.js";
import { LectureNotOpen } from "../../services/courses/release.js";
import { CourseNotFound, CourseNotPurchased } from "../../services/failures.js";
import type { RecordedProgress } from "../../services/learning/completion.js";
import { findProgress, InvalidLecture, recordProgress } from "../../services/learning/record-progress.js";
import { CourseLocked } from "../../services/paths/course-lock.js";

const givenId = z.string().trim().min(1);

const ProgressBody = z.object({
  courseId: givenId,
  lectureId: givenId,
  positionSeconds: z
    .number()
    .min(0)
    .optional()
    .meta({ description: "seconds into the lecture, fractions allowed; absent: the learner continues at the start" }),
});

const ProgressReply = z.object({
  message: z.literal("Progress Updated"),
  isCourseCompleted: z.boolean(),
  certificateAvailable: z.boolean().meta({ description: "false while the PDF is still being produced" }),
});

const ProgressLookupReply = z.object({
  progressData: z
    .object({
      _id: id,
      userId: z.string(),
      courseId: id,
      lectureCompleted: z.array(z.string()),
      completed: z.boolean(),
      createdAt: timestamp,
      updatedAt: timestamp,
    })
    .meta({ id: "CourseProgress" })
    .nullable(),
});

/** How long a progress call waits for the certificate. Its production continues after that. */
const budgetMs = 4_000;

/** The caller's progress in courses. */
export function progressGroup(deps: Deps): RouteGroup {
  const { db, log } = deps;
  const produce = async ({
    progress: { userId, courseId },
    certificate: opened,
  }: RecordedProgress): Promise<boolean> => {
    let certificate = opened;
    const until = Date.now() + budgetMs;
    try {
      certificate ??= await findCertificate(db, userId, courseId);
      if (certificate?.revokedAt) return false;
      if (certificate && !isIssued(certificate)) await issueCertificate(deps, certificate, until);
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
    routes: [
      route("post", "/update-course-progress", {
        operationId: "completeLecture",
        summary: "Mark a lecture as completed",
        description: "The last lecture completes the course permanently and produces the certificate.",
        access: "user",
        body: ProgressBody,
        reply: ProgressReply,
        errors: [CourseNotFound, CourseNotPurchased, InvalidLecture, CourseLocked, LectureNotOpen],
        async handle({ viewer, body }) {
          const recorded = await recordProgress(db, { userId: viewer.id, ...body });
          const { completed } = recorded.progress;
          return {
            message: "Progress Updated" as const,
            isCourseCompleted: completed,
            certificateAvailable:
              completed && (await within({ ms: budgetMs, late: () => false }, () => produce(recorded))),
          };
        },
      }),
      route("post", "/get-course-progress", {
        operationId: "getCourseProgress",
        summary: "The caller's progress in a course",
        description: "`progressData` is null when nothing is stored. Any string is accepted as a course id.",
        access: "user",
        body: z.object({ courseId: givenId }),
        reply: ProgressLookupReply,
        handle: async ({ viewer, body }) => ({ progressData: await findProgress(db, viewer.id, body.courseId) }),
      }),
    ],
  };
}
