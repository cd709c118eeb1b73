import type { Deps } from "../deps.js";
import { gradeDueAttempts } from "../services/assessments/grade-due-attempts.js";
import { unlinkRemovedGroups } from "../services/community/remove-group.js";
import { renderDueLessons, renderedBefore } from "../services/courses/render-lessons.js";
import { endExpired } from "../services/enrollments/end-expired.js";
import { numberEvents } from "../services/events/number-events.js";
import { activateWaitingGrants } from "../services/grants/activate-grants.js";
import { runImports } from "../services/grants/imports/run-imports.js";
import { giveNumbers, numberedAfterMs } from "../services/invoices/number-invoices.js";
import { completeDueCourses } from "../services/learning/complete-courses.js";
import {
  describeCounts,
  processPendingEvents,
  reconcilePurchases,
} from "../services/payments/reconcile/reconcile-purchases.js";
import { discardResources } from "../services/resources/discard-resources.js";
import { deliverDue } from "../services/webhooks/deliver-due.js";
import { createJob, dueRows, type Job, maxCounted } from "./create-job.js";
import { eraseUserDataJob } from "./erase-user-data.js";
import { makeNoticesJob } from "./make-notices.js";
import { produceCertificatesJob } from "./produce-certificates.js";
import { writeRolesJob } from "./write-roles.js";

/** Creates every background job. */
export function backgroundJobs(deps: Deps): Job[] {
  const { db, config } = deps;
  return [
    // Applies stored payment events whose effect a crash or an error has held up.
    createJob({
      name: "process-payment-events",
      work: dueRows(db.PaymentEvent, "nextAttemptAt", {
        filter: { state: "pending" },
        since: "createdAt",
        sinceOrder: "_id",
      }),
      run: async (signal) => report(await processPendingEvents(deps, { signal }), "payment events finished"),
    }),
    // Asks the payment provider about purchases whose next check is due.
    createJob({
      name: "reconcile-purchases",
      work: [dueRows(db.Purchase, "nextCheckAt")],
      async run(signal) {
        const { unchanged: _unchanged, ...counts } = await reconcilePurchases(deps, { signal });
        return describeCounts(counts);
      },
    }),
    // Completes courses for learners who had only lectures or assessments left that the educator has removed.
    createJob({
      name: "complete-courses",
      work: dueRows(db.Course, "completionsDueAt"),
      run: async (signal) => report(await completeDueCourses(db, signal), "courses of learners completed"),
    }),
    // Grades open attempts whose time is over, or whose assessment was removed.
    createJob({
      name: "grade-attempts",
      work: [dueRows(db.AssessmentAttempt, "gradeAt"), dueRows(db.Assessment, "sweepAt")],
      run: async (signal) => report(await gradeDueAttempts(db, signal), "attempts graded"),
    }),
    produceCertificatesJob(deps),
    writeRolesJob(deps),
    // Takes enrollments whose time is over out of the numbers of students, well within a minute. An expired waiting grant
    // gives no access and a new grant replaces it, so expired waiting grants have no due date of their own.
    createJob({
      name: "end-expired-enrollments",
      work: [
        dueRows(db.Enrollment, "expiresAt", { filter: { active: true } }),
        dueRows(db.Enrollment, "boughtUntil", { filter: { active: true, kind: { $in: ["purchase", "free"] } } }),
      ],
      run: async (signal) => report(await endExpired(db, signal), "enrollments ended"),
    }),
    // Gives invoices and credit notes their numbers, in the order of completion.
    createJob({
      name: "number-invoices",
      work: [
        dueRows(db.Purchase, "invoiceDueAt", { afterMs: numberedAfterMs }),
        dueRows(db.Purchase, "creditNoteDueAt", { afterMs: numberedAfterMs }),
      ],
      async run(signal) {
        const batch = () => giveNumbers({ db, settings: config.invoices }, new Date(Date.now() - numberedAfterMs));
        return report(await untilNothing(batch, signal), "purchases with new invoice numbers");
      },
    }),
    // Works through uploaded tables of grants. The run of the next import removes an upload that broke off.
    createJob({
      name: "import-enrollments",
      work: dueRows(db.EnrollmentImport, "startedAt", { filter: { state: "running" } }),
      run: async (signal) => report(await runImports(db, signal), "rows of enrollments imported"),
    }),
    // Activates the waiting grants of a verified address that one identity event did not activate.
    createJob({
      name: "activate-grants",
      work: dueRows(db.EmailLock, "nextActivationAt"),
      run: async (signal) => report(await activateWaitingGrants(db, signal), "transactions with waiting grants"),
    }),
    // Removes the files of removed resources, and of uploads that broke off.
    createJob({
      name: "discard-resources",
      work: dueRows(db.CourseResource, "discardAt"),
      run: async (signal) => report(await discardResources(deps, signal), "files of resources removed"),
    }),
    // Numbers committed events, so that they are listed and delivered. It is woken by the commits of its own process.
    createJob({
      name: "number-events",
      // Almost every write of a user wakes this job.
      doneLevel: "debug",
      work: dueRows(db.Event, "unnumberedSince"),
      run: async (signal) => report(await untilNothing(() => numberEvents(deps), signal), "events numbered"),
    }),
    makeNoticesJob(deps),
    // Sends the due deliveries of webhooks. A run goes on while any endpoint has due deliveries.
    createJob({
      name: "deliver-webhooks",
      work: dueRows(db.WebhookDelivery, "nextAttemptAt"),
      run: async (signal) => report(await deliverDue(deps, signal), "attempts at webhooks"),
    }),
    eraseUserDataJob(deps),
    // Renders the texts of lessons again after an upgrade of the renderer.
    createJob({
      name: "render-lessons",
      work: {
        model: "Course",
        poll: async () => ((await db.Course.exists(renderedBefore)) ? new Date() : undefined),
        backlog: async () => ({
          count: await db.Course.countDocuments(renderedBefore).limit(maxCounted),
          since: undefined,
        }),
      },
      run: async (signal) => report(await renderDueLessons(db, signal), "courses with newly rendered texts"),
    }),
    // Takes removed groups of the community out of posts and memberships.
    createJob({
      name: "unlink-removed-groups",
      work: dueRows(db.RemovedGroup, "removedAt"),
      run: async (signal) => report(await unlinkRemovedGroups(db, signal), "removed groups unlinked"),
    }),
  ];
}

const report = (count: number, done: string): string | undefined => (count > 0 ? `${count} ${done}` : undefined);

/** Repeats a batch until it finds nothing. @returns the sum of the counts. */
async function untilNothing(batch: () => Promise<number>, signal: AbortSignal): Promise<number> {
  let sum = 0;
  let count: number;
  do {
    count = await batch();
    sum += count;
  } while (count > 0 && !signal.aborted);
  return sum;
}
