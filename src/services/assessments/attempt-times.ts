import type { Assessment } from "../../models/assessments/assessment.js";
import type { AssessmentAttempt } from "../../models/assessments/assessment-attempt.js";

const minuteMs = 60_000;

/** How long after its end an attempt still takes answers, because they may be on their way. */
const graceMs = 30_000;

/** The end of an attempt that starts now, and when the job grades it. Both are absent without a time limit. */
export function endOf(startedAt: Date, timeLimitMinutes: number | null): Pick<AssessmentAttempt, "endsAt" | "gradeAt"> {
  if (timeLimitMinutes === null) return { endsAt: null };
  const endsAt = new Date(startedAt.getTime() + timeLimitMinutes * minuteMs);
  return { endsAt, gradeAt: withGrace(endsAt) };
}

const withGrace = (endsAt: Date): Date => new Date(endsAt.getTime() + graceMs);

type AttemptEnd = Pick<AssessmentAttempt, "endsAt">;
type Removal = Pick<Assessment, "removedAt">;

/** Whether an attempt takes no more answers: its time is over, or its assessment was removed. */
export const isOver = ({ endsAt }: AttemptEnd, { removedAt }: Removal, now: Date): boolean =>
  removedAt !== undefined || (endsAt !== null && withGrace(endsAt) <= now);

/** When an attempt ended that is graded now. */
export function endedAt({ endsAt }: AttemptEnd, { removedAt }: Removal, now: Date): Date {
  const times = [now, endsAt, removedAt].flatMap((time) => (time ? [time.getTime()] : []));
  return new Date(Math.min(...times));
}

/** When the next attempt may start after the last one; null: at once. */
export function cooldownEnd(
  last: Pick<AssessmentAttempt, "endedAt"> | null,
  { cooldownMinutes }: Pick<Assessment, "cooldownMinutes">,
  now: Date,
): Date | null {
  if (!last?.endedAt) return null;
  const end = new Date(last.endedAt.getTime() + cooldownMinutes * minuteMs);
  return end > now ? end : null;
}
