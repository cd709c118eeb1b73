import type { Deps } from "../deps.js";
import { activateGrantsJob } from "./activate-grants.js";
import { completeCoursesJob } from "./complete-courses.js";
import type { Job } from "./create-job.js";
import { endExpiredEnrollmentsJob } from "./end-expired-enrollments.js";
import { eraseUserDataJob } from "./erase-user-data.js";
import { importEnrollmentsJob } from "./import-enrollments.js";
import { numberInvoicesJob } from "./number-invoices.js";
import { processPaymentEventsJob } from "./process-payment-events.js";
import { produceCertificatesJob } from "./produce-certificates.js";
import { reconcilePurchasesJob } from "./reconcile-purchases.js";
import { unlinkRemovedGroupsJob } from "./unlink-removed-groups.js";
import { writeRolesJob } from "./write-roles.js";

/** Every background job. */
const jobs = [
  processPaymentEventsJob,
  reconcilePurchasesJob,
  completeCoursesJob,
  produceCertificatesJob,
  writeRolesJob,
  endExpiredEnrollmentsJob,
  numberInvoicesJob,
  importEnrollmentsJob,
  activateGrantsJob,
  eraseUserDataJob,
  unlinkRemovedGroupsJob,
];

export const backgroundJobs = (deps: Deps): Job[] => jobs.map((create) => create(deps));
