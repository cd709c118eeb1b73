import { setTimeout as pause } from "node:timers/promises";
import PQueue from "p-queue";
import type { Logger } from "pino";
import type { Registry } from "prom-client";
import type { Config } from "../../config.js";
import { aiMetrics } from "./ai-metrics.js";
import { createBreaker } from "./breaker.js";
import { deadline } from "./deadline.js";
import { AiFault, faultOf, type Tokens } from "./fault.js";
import { type Completion, createProvider, type Prompt } from "./provider.js";

export type AiPurpose = "chat" | "quiz" | "recommendations" | "roadmap";

/** One question to the model. */
export interface Question<T> extends Prompt {
  readonly purpose: AiPurpose;
  /** Takes from the answer what is wanted; undefined when it is not there, which asks once more. */
  read(answer: string): T | undefined;
  /** Aborts when the caller no longer waits for the answer. */
  readonly signal?: AbortSignal;
  /** Shorter than the usual time for everything together. */
  readonly withinMs?: number;
}

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
  const calls = new PQueue({ concurrency: places });
  const breaker = createBreaker(failuresToSpare, sparedMs);
  const measured = aiMetrics(metrics, { inFlight: () => calls.pending, refusing: () => breaker.open });

  /** Logs and counts an attempt that ended. Prompts and answers are never logged. */
  const note = (purpose: AiPurpose, outcome: string, startedAt: number, spent?: Tokens, reason?: string): void => {
    const ms = Math.round(performance.now() - startedAt);
    measured.attempts.inc({ purpose, outcome });
    if (outcome !== "refused") measured.seconds.observe({ purpose }, ms / 1000);
    if (spent) {
      measured.tokens.inc({ purpose, kind: "prompt" }, spent.promptTokens);
      measured.tokens.inc({ purpose, kind: "completion" }, spent.completionTokens);
    }
    const { promptTokens, completionTokens } = spent ?? {};
    const facts = { purpose, model: config.model, outcome, ms, promptTokens, completionTokens, reason };
    log[outcome === "answered" || outcome === "cancelled" ? "info" : "warn"](
      { eventId: "ai_request", ...facts },
      "AI request",
    );
  };

  async function attempt<T>(
    question: Question<T>,
    call: (signal: AbortSignal) => Promise<Completion>,
    ms: number,
  ): Promise<T> {
    const { purpose, signal: caller } = question;
    const startedAt = performance.now();
    if (breaker.open) {
      note(purpose, "refused", startedAt, undefined, "circuit open");
      throw new AiFault("unavailable", "circuit open");
    }
    const time = deadline(ms, caller);
    let done: Completion | undefined;
    try {
      done = await call(time.signal);
      breaker.succeeded();
      const value = question.read(done.text);
      if (value === undefined) throw new AiFault("unusable", "wrong shape", 0);
      note(purpose, "answered", startedAt, done);
      return value;
    } catch (error) {
      const fault = faultOf(error, { cancelled: caller?.aborted === true, late: time.late, hurried: ms < attemptMs });
      if (fault.kind === "unavailable" && !fault.ours) breaker.failed();
      if (fault.kind === "unusable") breaker.succeeded();
      note(purpose, fault.kind, startedAt, done ?? fault.tokens, fault.reason);
      throw fault;
    } finally {
      time.clear();
    }
  }

  /** Runs `work` when a place is free. @throws AiFault when none is in time, or too many wait already. */
  async function whenFree<T>(
    { purpose, signal: caller, withinMs = queueMs }: Question<unknown>,
    work: () => Promise<T>,
  ): Promise<T> {
    const startedAt = performance.now();
    const time = deadline(Math.min(queueMs, withinMs), caller);
    let begun = false;
    const begin = () => {
      begun = true;
      time.clear();
      return work();
    };
    const full = calls.size >= places;
    try {
      if (full) throw new Error("too many calls");
      return await calls.add(begin, { signal: time.signal });
    } catch (error) {
      if (begun) throw error;
      if (caller?.aborted) throw new AiFault("cancelled", "caller went away");
      const reason = full ? "too many calls" : "no free place";
      note(purpose, "refused", startedAt, undefined, reason);
      throw new AiFault("unavailable", reason, undefined, { cause: error });
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
    return whenFree(question, async () => {
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
