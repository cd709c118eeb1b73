/**
 * How long after an edit a job counts the completed lectures of all learners again, and completes the course for learners
 * who have nothing left to do. It is longer than a request that has read the former course can be under way.
 */
const completionsAfterMs = 30_000;

/** When the job is due after an edit that is made now. */
export const completionsDate = (): Date => new Date(Date.now() + completionsAfterMs);
