import { setTimeout as pause } from "node:timers/promises";
import type { Logger } from "pino";
import type { Registry } from "prom-client";
import type { Config } from "../../config.js";
import { deadline } from "../../http/deadline.js";
import { aiMetrics } from "./ai-metrics.js";
import { createBreaker } from "./breaker.js";
import { createCallQueue } from "./call-queue.js";
import { AiFault, faultOf } from "./fault.js";
import { type Completion, createProvider } from "./provider.js";
import type { Question } from "./question.js";
import { createRequestRecord } from "./record-request.js";

/** What the server asks of the AI provider. Every failure is an `AiFault`. */
export interface Ai {
  /** Longest time that one question may take at the provider, with all its attempts. */
  readonly longestMs: number;
  ask<T>(question: Question<T>): Promise<T>;
  /** Hands out the text as it comes. Once some is out, a failure is final. */
  askStreaming<T>(question: Question<T>, onText: (text: string) => Promise<void>): Promise<T>;
}

export interface AiSettings {
  /** Calls in flight on this instance; further ones wait, as many again, for up to `queueMs`. */
  readonly places: number;
  readonly queueMs: number;
  /** Failed attempts in a row after which the provider is spared for `sparedMs`. */
  readonly failuresToSpare: number;
  readonly sparedMs: number;
}

const maxAttempts = 2;

const usual: AiSettings = {
  places: 256,
  queueMs: 10_000,
  failuresToSpare: 10,
  sparedMs: 5_000,
};

/**
 * The client of any chat-completions provider: at most two attempts, bounded in time and in flight, spared while it
 * fails.
 */
export function createAi(
  config: Config["ai"],
  { log, metrics }: { log: Logger; metrics: Registry },
  settings: Partial<AiSettings> = {},
): Ai {
  const { places, queueMs, failuresToSpare, sparedMs } = { ...usual, ...settings };
  const attemptMs = config.timeoutMs;
  const provider = createProvider(config);
  const breaker = createBreaker(failuresToSpare, sparedMs);
  const measured = aiMetrics(metrics, { inFlight: () => calls.running(), refusing: () => breaker.open });
  const record = createRequestRecord(config.model, log, measured);
  const calls = createCallQueue({ places, queueMs }, record);

  async function attempt<T>(
    question: Question<T>,
    call: (signal: AbortSignal) => Promise<Completion>,
    ms: number,
  ): Promise<T> {
    const { purpose, signal: caller } = question;
    const startedAt = performance.now();
    if (breaker.open) {
      record({ purpose, outcome: "refused", startedAt, reason: "circuit open" });
      throw new AiFault("unavailable", "circuit open");
    }
    const time = deadline(ms, caller);
    let done: Completion | undefined;
    try {
      done = await call(time.signal);
      breaker.succeeded();
      const value = question.read(done.text);
      if (value === undefined) throw new AiFault("unusable", "wrong shape", 0);
      record({ purpose, outcome: "answered", startedAt, tokens: done });
      return value;
    } catch (error) {
      const fault = faultOf(error, { cancelled: caller?.aborted === true, late: time.late, hurried: ms < attemptMs });
      if (fault.kind === "unavailable" && !fault.ours) breaker.failed();
      if (fault.kind === "unusable") breaker.succeeded();
      record({ purpose, outcome: fault.kind, startedAt, tokens: done ?? fault.tokens, reason: fault.reason });
      throw fault;
    } finally {
      time.clear();
    }
  }

  async function attempts<T>(
    question: Question<T>,
    call: (signal: AbortSignal) => Promise<Completion>,
    mayRepeat: () => boolean,
  ): Promise<T> {
    const endsAt = performance.now() + (question.withinMs ?? Number.POSITIVE_INFINITY);
    const left = () => Math.min(attemptMs, endsAt - performance.now());
    return calls.run(question, async () => {
      for (let made = 1; ; made += 1) {
        try {
          return await attempt(question, call, left());
        } catch (error) {
          const { retryInMs } = error as AiFault;
          const again = made < maxAttempts && mayRepeat() && retryInMs !== undefined && retryInMs < left();
          if (!again) throw error;
          await pause(retryInMs, undefined, question.signal ? { signal: question.signal } : {}).catch(() => {
            throw new AiFault("cancelled", "caller went away");
          });
        }
      }
    });
  }

  return {
    longestMs: maxAttempts * attemptMs,
    ask: (question) =>
      attempts(
        question,
        (signal) => provider.whole(question, signal),
        () => true,
      ),
    askStreaming(question, onText) {
      let out = false;
      const forward = (text: string) => {
        out = true;
        return onText(text);
      };
      return attempts(
        question,
        (signal) => provider.streamed(question, signal, forward),
        () => !out,
      );
    },
  };
}
