import type { Deps } from "../deps.js";
import { gradeExpiredAttempt, gradeRemovedAssessment } from "../services/assessments/grade-due-attempts.js";
import { discardPdf } from "../services/certificates/discard-pdf.js";
import { StorageFailed } from "../services/certificates/draw-certificate.js";
import { attemptPauses, produceCertificate } from "../services/certificates/issue-certificate.js";
import { unlinkRemovedGroup } from "../services/community/remove-group.js";
import { writeRoleAtProvider } from "../services/educators/write-role-at-provider.js";
import { completeDueCourse } from "../services/learning/complete-courses.js";
import { renderedBefore, renderStoredLessons } from "../services/lessons/render-lessons.js";
import { eraseUserData } from "../services/privacy/erase-user-data.js";
import { discardResource } from "../services/resources/resources.js";
import { createJob } from "./create-job.js";
import { dueRows, usualPauses } from "./due-rows.js";
import type { Job } from "./job.js";
import { noticeJobs } from "./notice-jobs.js";
import { sellingJobs } from "./selling-jobs.js";

/** Creates every background job. */
export const backgroundJobs = (deps: Deps): Job[] => [...sellingJobs(deps), ...teachingJobs(deps), ...noticeJobs(deps)];

/** Pauses after failures of something outside that may be away for long. */
const slowPauses = { firstMs: 5_000, maxMs: 10 * 60_000 };

/** Jobs of courses, learners and users. */
function teachingJobs(deps: Deps): Job[] {
  const { db, identity } = deps;
  return [
    // Completes courses for learners who had only lectures or assessments left that the educator has removed.
    createJob(deps, {
      name: "complete-courses",
      work: dueRows(
        db.Course,
        "completionsDueAt",
        { fields: { completionsDueAt: 1 }, pauses: usualPauses },
        async (course, { signal, count }) => {
          count("courses of learners completed", await completeDueCourse(db, course, signal));
          return "moved";
        },
      ),
    }),
    // Grades open attempts whose time is over, or whose assessment was removed.
    createJob(deps, {
      name: "grade-attempts",
      work: [
        dueRows(
          db.AssessmentAttempt,
          "gradeAt",
          { fields: { gradeAt: 1 }, pauses: usualPauses, done: "attempts graded" },
          async ({ _id }) => {
            await gradeExpiredAttempt(db, _id);
            return "done";
          },
        ),
        dueRows(
          db.Assessment,
          "sweepAt",
          { fields: { sweepAt: 1, removedAt: 1 }, pauses: usualPauses },
          async (assessment, { signal, count }) => {
            count("attempts graded", await gradeRemovedAssessment(db, assessment, signal));
            return "moved";
          },
        ),
      ],
    }),
    // Produces the PDFs that a crash, the media storage or a missing profile has held up.
    createJob(deps, {
      name: "produce-certificates",
      work: dueRows(
        db.Certificate,
        "nextAttemptAt",
        {
          filter: { status: "pending" },
          // The gauge of certificates without a name counts the others.
          counted: { studentName: { $ne: null } },
          since: "createdAt",
          // Neither many certificates of one course, nor those that go on failing, delay the others.
          turnsBy: "itemId",
          perRun: 100,
          pauses: attemptPauses,
          isAway: (error) => error instanceof StorageFailed,
          done: "certificates issued",
          failed: {
            eventId: "certificate_not_produced",
            says: "certificate not produced",
            about: ({ certificateId, userId, courseId, pathId }) => ({
              certificateId,
              userId,
              ...(pathId ? { pathId: String(pathId) } : { courseId: String(courseId) }),
            }),
          },
        },
        (certificate) => produceCertificate(deps, certificate),
      ),
    }),
    // Removes the PDFs of replaced editions and revoked certificates, and those of productions that broke off.
    createJob(deps, {
      name: "discard-certificates",
      work: dueRows(
        db.DiscardedPdf,
        "discardAt",
        {
          perRun: 100,
          pauses: slowPauses,
          isAway: () => true,
          done: "files of certificates removed",
          failed: {
            eventId: "certificate_file_not_removed",
            says: "a PDF that no certificate has is still stored",
            about: ({ certificateId }) => ({ certificateId }),
          },
        },
        async (pdf) => {
          await discardPdf(deps, pdf);
          return "done";
        },
      ),
    }),
    // Reports approvals to the identity provider where a crash or the provider has held it up.
    createJob(deps, {
      name: "write-roles",
      work: dueRows(
        db.EducatorApplication,
        "nextAttemptAt",
        {
          filter: { status: "approving" },
          since: "updatedAt",
          fields: { attempts: 1, nextAttemptAt: 1 },
          atOnce: 10,
          done: "roles written",
          failed: {
            eventId: "role_not_written",
            says: "role not written yet",
            about: ({ _id }) => ({ application: String(_id) }),
          },
        },
        async ({ _id }) => ((await writeRoleAtProvider(db, identity, String(_id))) ? "done" : "left"),
      ),
    }),
    // Removes the files of removed resources, and of uploads that broke off.
    createJob(deps, {
      name: "discard-resources",
      work: dueRows(
        db.CourseResource,
        "discardAt",
        {
          perRun: 100,
          pauses: slowPauses,
          // The storage takes each file alike.
          isAway: () => true,
          done: "files of resources removed",
          failed: {
            eventId: "resource_not_removed",
            says: "a removed resource still has its file",
            about: ({ file }) => ({ file }),
          },
        },
        async (resource) => {
          await discardResource(deps, resource);
          return "done";
        },
      ),
    }),
    // Erases the data of users who requested it where a crash or the media storage has held it up, and makes the second
    // pass of every erasure.
    createJob(deps, {
      name: "erase-user-data",
      work: dueRows(
        db.Erasure,
        "nextAttemptAt",
        {
          since: "dueSince",
          perRun: 20,
          pauses: slowPauses,
          guard: ["requestedAt"],
          done: "erasures of users finished",
          failed: {
            eventId: "data_not_erased",
            says: "a user's data not erased yet",
            about: ({ _id }) => ({ userId: _id }),
          },
        },
        async ({ _id }, { signal }) => {
          const progress = await eraseUserData(deps, _id, signal);
          return progress === "erased" ? "moved" : (progress ?? "left");
        },
      ),
    }),
    // Renders the texts of lessons again after an upgrade of the renderer.
    createJob(deps, {
      name: "render-lessons",
      work: dueRows(
        db.Course,
        null,
        {
          filter: renderedBefore,
          fields: { courseContent: 1, version: 1, educatorId: 1 },
          perRead: 1,
          done: "courses with newly rendered texts",
        },
        async (course) => {
          await renderStoredLessons(deps, course);
          return "done";
        },
      ),
    }),
    // Takes removed groups of the community out of posts and memberships.
    createJob(deps, {
      name: "unlink-removed-groups",
      work: dueRows(db.RemovedGroup, "removedAt", { done: "removed groups unlinked" }, async ({ _id }) =>
        (await unlinkRemovedGroup(db, _id)) ? "more" : "done",
      ),
    }),
  ];
}
