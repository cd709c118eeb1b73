import type { Logger } from "pino";
import type { aiMetrics } from "./ai-metrics.js";
import type { Tokens } from "./fault.js";
import type { AiPurpose } from "./question.js";

/** One request to the provider that ended, or that was refused before it was sent. */
export interface EndedRequest {
  readonly purpose: AiPurpose;
  /** `answered`, `unusable`, `unavailable`, `cancelled` or `refused`. */
  readonly outcome: string;
  /** As of `performance.now()`. */
  readonly startedAt: number;
  readonly tokens?: Tokens | undefined;
  readonly reason?: string | undefined;
}

export type RecordRequest = (ended: EndedRequest) => void;

/** Logs and counts requests to the provider. Prompts and answers are never logged. */
export function createRequestRecord(model: string, log: Logger, metrics: ReturnType<typeof aiMetrics>): RecordRequest {
  return ({ purpose, outcome, startedAt, tokens, reason }) => {
    const ms = Math.round(performance.now() - startedAt);
    metrics.attempts.inc({ purpose, outcome });
    if (outcome !== "refused") metrics.seconds.observe({ purpose }, ms / 1000);
    if (tokens) {
      metrics.tokens.inc({ purpose, kind: "prompt" }, tokens.promptTokens);
      metrics.tokens.inc({ purpose, kind: "completion" }, tokens.completionTokens);
    }
    const { promptTokens, completionTokens } = tokens ?? {};
    const facts = { purpose, model, outcome, ms, promptTokens, completionTokens, reason };
    const level = outcome === "answered" || outcome === "cancelled" ? "info" : "warn";
    log[level]({ eventId: "ai_request", ...facts }, "AI request");
  };
}
