import type { Logger } from "pino";
import { Counter, Gauge, Histogram, type Registry } from "prom-client";
import type { Tokens } from "./fault.js";

export type AiPurpose = "chat" | "quiz" | "recommendations" | "roadmap";

/** One request that ended, or that was refused before it was sent. */
interface EndedRequest {
  readonly purpose: AiPurpose;
  readonly outcome: "answered" | "unusable" | "unavailable" | "cancelled" | "refused";
  /** Value of `performance.now()`. */
  readonly startedAt: number;
  readonly tokens?: Tokens | undefined;
  readonly reason?: string;
}

/** Creates a function that logs and counts requests to the provider. Prompts and answers are never logged. */
export function createAiRecord(
  model: string,
  { log, metrics }: { log: Logger; metrics: Registry },
  now: { requestsInFlight(): number; isCircuitOpen(): boolean },
): (ended: EndedRequest) => void {
  const registers = [metrics];
  new Gauge({
    name: "lyceum_ai_requests_in_flight",
    help: "Requests to the AI provider that are under way",
    registers,
    collect() {
      this.set(now.requestsInFlight());
    },
  });
  new Gauge({
    name: "lyceum_ai_circuit_open",
    help: "1 while AI calls are refused because the provider keeps failing, until a call is tried again",
    registers,
    collect() {
      this.set(now.isCircuitOpen() ? 1 : 0);
    },
  });
  const attempts = new Counter({
    name: "lyceum_ai_requests_total",
    help: "Requests to the AI provider by outcome: answered, unusable, unavailable, cancelled, refused",
    labelNames: ["purpose", "outcome"],
    registers,
  });
  const seconds = new Histogram({
    name: "lyceum_ai_request_duration_seconds",
    help: "Duration of a request to the AI provider",
    labelNames: ["purpose"],
    buckets: [0.1, 0.25, 0.5, 1, 2.5, 5, 10, 20, 40, 60],
    registers,
  });
  const tokensTotal = new Counter({
    name: "lyceum_ai_tokens_total",
    help: "Tokens as the provider counted them",
    labelNames: ["purpose", "kind"],
    registers,
  });

  return ({ purpose, outcome, startedAt, tokens, reason }) => {
    const ms = Math.round(performance.now() - startedAt);
    attempts.inc({ purpose, outcome });
    if (outcome !== "refused") seconds.observe({ purpose }, ms / 1_000);
    if (tokens) {
      tokensTotal.inc({ purpose, kind: "prompt" }, tokens.promptTokens);
      tokensTotal.inc({ purpose, kind: "completion" }, tokens.completionTokens);
    }
    const { promptTokens, completionTokens } = tokens ?? {};
    const level = outcome === "answered" || outcome === "cancelled" ? "info" : "warn";
    log[level](
      { eventId: "ai_request", purpose, model, outcome, ms, promptTokens, completionTokens, reason },
      "AI request",
    );
  };
}
