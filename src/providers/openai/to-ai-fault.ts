import OpenAI from "openai";
import { AiFault } from "./fault.js";

/** Longest pause that a provider may ask for. With a longer one it counts as unavailable. */
const maxPauseMs = 5_000;
const defaultPauseMs = 150;

/**
 * Converts what the SDK throws into an `AiFault`. An attempt that took all of its time is not repeated, because the
 * caller has waited long enough.
 */
export function toAiFault(
  cause: unknown,
  call: { isCancelled: boolean; isLate: boolean; isOutOfTime: boolean; hasSchema: boolean },
): AiFault {
  if (cause instanceof AiFault) return cause;
  if (call.isCancelled) return new AiFault("cancelled", "caller went away", { cause });
  if (call.isLate || call.isOutOfTime) {
    return new AiFault("unavailable", "too late", { cause, isOurs: !call.isLate });
  }
  if (!(cause instanceof OpenAI.APIError) || cause.status === undefined) {
    return new AiFault("unavailable", "connection", { cause, retryInMs: defaultPauseMs });
  }
  const reason = `status ${cause.status}`;
  if (cause.status === 429) {
    const retryInMs = pauseOf(cause.headers);
    return new AiFault("unavailable", reason, retryInMs <= maxPauseMs ? { cause, retryInMs } : { cause });
  }
  if (cause.status >= 500 || cause.status === 408 || cause.status === 409) {
    return new AiFault("unavailable", reason, { cause, retryInMs: defaultPauseMs });
  }
  // Not every provider knows schemas: the second attempt goes without one.
  const isSchemaRefused = call.hasSchema && (cause.status === 400 || cause.status === 422);
  return new AiFault("unavailable", reason, { cause, isOurs: true, ...(isSchemaRefused && { retryInMs: 0 }) });
}

/** Milliseconds of a `retry-after` header, which holds seconds or a date. */
function pauseOf(headers: Headers | undefined): number {
  const value = headers?.get("retry-after");
  if (!value) return defaultPauseMs;
  const ms = Number.isFinite(Number(value)) ? Number(value) * 1_000 : Date.parse(value) - Date.now();
  return Number.isFinite(ms) ? Math.max(0, ms) : defaultPauseMs;
}
