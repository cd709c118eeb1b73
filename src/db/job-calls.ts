import { EventEmitter } from "node:events";

export type JobName =
  | "process-payment-events"
  | "reconcile-purchases"
  | "heal-certificates"
  | "grant-roles"
  | "erase-user-data";

/**
 * Who stores work for a background job tells the job of its own process when that work is due. Nothing rests on it: a
 * job also looks by itself now and then. To be told after the commit.
 */
export type JobCalls = EventEmitter<Record<JobName, [due: Date]>>;

export const createJobCalls = (): JobCalls => new EventEmitter();
