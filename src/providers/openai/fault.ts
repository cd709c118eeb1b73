/**
 * Why there is no answer. `unavailable`: the provider gave none, or the breaker or a limit refused the call. `unusable`:
 * the answer is empty, cut short, a refusal or of the wrong shape. `cancelled`: the caller went away.
 */
export type AiFaultKind = "unavailable" | "unusable" | "cancelled";

/** Tokens of an attempt, as the provider counted them. */
export interface Tokens {
  readonly promptTokens: number;
  readonly completionTokens: number;
}

interface FaultDetails {
  readonly cause?: unknown;
  /** Milliseconds to wait before a second attempt; without it there is none. */
  readonly retryInMs?: number;
  /** True when the fault says nothing about the provider's health. */
  readonly isOurs?: boolean;
  readonly tokens?: Tokens;
}

export class AiFault extends Error {
  readonly retryInMs: number | undefined;
  readonly isOurs: boolean;
  readonly tokens: Tokens | undefined;

  constructor(
    readonly kind: AiFaultKind,
    /** A word or two for logs. */
    readonly reason: string,
    { cause, retryInMs, isOurs = false, tokens }: FaultDetails = {},
  ) {
    super(`AI provider: ${reason}`, { cause });
    this.name = "AiFault";
    this.retryInMs = retryInMs;
    this.isOurs = isOurs;
    this.tokens = tokens;
  }
}
