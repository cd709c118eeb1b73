import OpenAI from "openai";

/**
 * Why there is no answer. `unavailable`: the provider gave none (down, late, cut, refusing by its limits, spared by the
 * breaker). `unusable`: it answered, but not with what was asked for (empty, cut short, a refusal, the wrong shape).
 * `cancelled`: the caller went away.
 */
export type AiFaultKind = "unavailable" | "unusable" | "cancelled";

/** What an attempt cost, as the provider counted. */
export interface Tokens {
  readonly promptTokens: number;
  readonly completionTokens: number;
}

export class AiFault extends Error {
  constructor(
    readonly kind: AiFaultKind,
    /** In a word or two, for logs and metrics. */
    readonly reason: string,
    /** Pause in milliseconds before another attempt makes sense; undefined: none does. */
    readonly retryInMs?: number,
    options: { cause?: unknown; ours?: boolean; tokens?: Tokens } = {},
  ) {
    super(`AI provider: ${reason}`, { cause: options.cause });
    this.name = "AiFault";
    this.ours = options.ours ?? false;
    this.tokens = options.tokens;
  }
  /** What the attempt cost although it failed, where the provider said. */
  readonly tokens: Tokens | undefined;
  /** True when it says nothing about the provider's health: our request was refused, or we gave it little time. */
  readonly ours: boolean;
}

/** Longest pause that a provider may ask for before it counts as away. */
const longestPauseMs = 5_000;
const usualPauseMs = 150;

/** Sorts what the SDK throws. A call that took its whole time is not repeated: the caller has waited long enough. */
export function faultOf(error: unknown, call: { cancelled: boolean; late: boolean; hurried: boolean }): AiFault {
  if (error instanceof AiFault) return error;
  const options = { cause: error };
  if (call.cancelled) return new AiFault("cancelled", "caller went away", undefined, options);
  if (call.late || error instanceof OpenAI.APIConnectionTimeoutError) {
    return new AiFault("unavailable", "too late", undefined, { cause: error, ours: call.hurried });
  }
  if (error instanceof OpenAI.RateLimitError) {
    const pause = retryAfterMs(error.headers);
    return new AiFault("unavailable", "status 429", pause <= longestPauseMs ? pause : undefined, options);
  }
  if (error instanceof OpenAI.APIError && error.status !== undefined) {
    const passing = error.status >= 500 || error.status === 408 || error.status === 409;
    const pause = passing ? usualPauseMs : undefined;
    return new AiFault("unavailable", `status ${error.status}`, pause, { cause: error, ours: !passing });
  }
  return new AiFault("unavailable", "connection", usualPauseMs, options);
}

function retryAfterMs(headers: Headers | undefined): number {
  const milliseconds = headers?.get("retry-after-ms");
  if (milliseconds && Number.isFinite(Number(milliseconds))) return Math.max(0, Number(milliseconds));
  const given = headers?.get("retry-after");
  if (!given) return usualPauseMs;
  const ms = Number.isFinite(Number(given)) ? Number(given) * 1000 : Date.parse(given) - Date.now();
  return Number.isFinite(ms) ? Math.max(0, ms) : usualPauseMs;
}
