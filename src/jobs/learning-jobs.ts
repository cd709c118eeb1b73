import type { Deps } from "../deps.js";
import { countRatingsJob } from "./count-ratings.js";
import { countTimeSessionsJob } from "./count-time-sessions.js";
import { healCertificatesJob } from "./heal-certificates.js";
import type { Job } from "./scheduler.js";

/** Background work behind what learners do. */
export function learningJobs(deps: Deps): Job[] {
  return [healCertificatesJob(deps), countRatingsJob(deps), countTimeSessionsJob(deps)];
}
