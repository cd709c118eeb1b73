import { EventEmitter } from "node:events";

export type JobName =
  | "process-payment-events"
  | "reconcile-purchases"
  | "complete-courses"
  | "produce-certificates"
  | "write-roles"
  | "erase-user-data"
  | "end-expired-enrollments"
  | "activate-grants"
  | "import-enrollments"
  | "number-invoices"
  | "unlink-removed-groups";

/**
 * Wakes a background job of this process when the work that was stored for it is due. Emit after the commit. Nothing
 * depends on it: a job also polls.
 */
export type JobCalls = EventEmitter<Record<JobName, [due: Date]>>;

export const createJobCalls = (): JobCalls => new EventEmitter();
