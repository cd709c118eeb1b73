import { setTimeout as pause } from "node:timers/promises";
import { CircuitState, ConsecutiveBreaker, circuitBreaker, handleWhen, isBrokenCircuitError } from "cockatiel";
import PQueue from "p-queue";
import type { Logger } from "pino";
import type { Registry } from "prom-client";
import type { Config } from "../../config.js";
import { OutOfTime, within } from "../../lib/within.js";
import { createAiRecord } from "./ai-record.js";
import { AiFault } from "./fault.js";
import type { CompleteAnswer, Prompt, Provider } from "./provider.js";

/** One question to the model. */
export interface AiRequest<T> extends Prompt {
  /** Reads the answer. `undefined` means that it has the wrong shape. */
  read(answer: string): T | undefined;
  /** Aborts when the caller no longer waits for the answer. */
  readonly signal?: AbortSignal;
  /** Time for all attempts together; `longestMs` unless given. */
  readonly withinMs?: number;
}

/** The AI provider as the server uses it. Every failure is an `AiFault`. */
export interface Ai {
  /** Longest time of a question, including its wait and all attempts. */
  readonly longestMs: number;
  ask<T>(question: AiRequest<T>): Promise<T>;
  /** Forwards the text as it arrives. After the first text, a failure is not retried. */
  askStreaming<T>(question: AiRequest<T>, onText: (text: string) => Promise<void>): Promise<T>;
}

export interface AiSettings {
  /** Maximum number of concurrent calls of this instance. As many more may wait. */
  readonly maxCalls: number;
  /** Failed attempts in a row that open the circuit breaker. */
  readonly maxFailures: number;
  /** How long an open breaker refuses calls. */
  readonly refuseMs: number;
}

const maxAttempts = 2;
const defaults: AiSettings = { maxCalls: 256, maxFailures: 10, refuseMs: 5_000 };

/**
 * Creates the client of a chat-completions provider. A question has two attempts at most, each with a deadline. Calls in
 * flight are bounded, and a circuit breaker refuses calls while the provider keeps failing.
 */
export function createAi(
  config: Config["ai"],
  { log, metrics }: { log: Logger; metrics: Registry },
  settings: Partial<AiSettings> = {},
): Ai {
  const { maxCalls, maxFailures, refuseMs } = { ...defaults, ...settings };
  const longestMs = maxAttempts * config.timeoutMs;
  const calls = new PQueue({ concurrency: maxCalls });
  const breaker = circuitBreaker(
    handleWhen((error) => error instanceof AiFault && error.kind === "unavailable" && !error.isOurs),
    { halfOpenAfter: refuseMs, breaker: new ConsecutiveBreaker(maxFailures) },
  );
  const record = createAiRecord(
    config.model,
    { log, metrics },
    { requestsInFlight: () => calls.pending, isCircuitOpen: () => breaker.state === CircuitState.Open },
  );

  /** As the last answer did: whether answers begin in thoughts depends on the model and on what serves it. */
  let mayBeginInThought = false;

  type Call = (provider: Provider, prompt: Prompt, signal: AbortSignal) => Promise<CompleteAnswer>;

  async function attempt<T>(question: AiRequest<T>, signal: AbortSignal, call: Call): Promise<T> {
    const { purpose } = question;
    const startedAt = performance.now();
    let completion: CompleteAnswer | undefined;
    try {
      // The SDK takes much memory, so it is loaded with the first question.
      const { createProvider } = await import("./provider.js");
      const provider = createProvider(config);
      const answer = await within({ ms: config.timeoutMs, signal }, (limited) => call(provider, question, limited));
      completion = answer;
      mayBeginInThought = answer.beganInThought;
      const value = question.read(answer.text);
      if (value === undefined) throw new AiFault("unusable", "wrong shape", { retryInMs: 0 });
      record({ purpose, outcome: "answered", startedAt, tokens: completion });
      return value;
    } catch (error) {
      const { toAiFault } = await import("./to-ai-fault.js");
      const fault = toAiFault(error, {
        isCancelled: question.signal?.aborted === true,
        isLate: error instanceof OutOfTime && !signal.aborted,
        isOutOfTime: signal.aborted,
        hasSchema: question.schema !== undefined,
      });
      record({ purpose, outcome: fault.kind, startedAt, tokens: completion ?? fault.tokens, reason: fault.reason });
      throw fault;
    }
  }

  /** While the breaker is half-open, calls bypass it, because its single trial call may take long. */
  const guard = <T>(work: () => Promise<T>): Promise<T> =>
    breaker.state === CircuitState.HalfOpen ? work() : breaker.execute(work);

  async function run<T>(question: AiRequest<T>, call: Call, mayRepeat: () => boolean): Promise<T> {
    const { purpose, signal: caller, withinMs = longestMs } = question;
    const startedAt = performance.now();
    const refuse = (reason: string, cause?: unknown) => {
      record({ purpose, outcome: "refused", startedAt, reason });
      return new AiFault("unavailable", reason, { cause });
    };
    if (calls.size >= maxCalls) throw refuse("too many calls");
    let hasStarted = false;
    const attempts = async (signal: AbortSignal) => {
      hasStarted = true;
      try {
        return await guard(() => attempt(question, signal, call));
      } catch (error) {
        if (!(error instanceof AiFault) || error.retryInMs === undefined || !mayRepeat()) throw error;
        await pause(error.retryInMs, undefined, { signal });
        const again = error.isOurs ? { ...question, schema: undefined } : question;
        return await guard(() => attempt(again, signal, call));
      }
    };
    try {
      return await within({ ms: withinMs, signal: caller }, (signal) => calls.add(() => attempts(signal), { signal }));
    } catch (error) {
      if (error instanceof AiFault) throw error;
      if (isBrokenCircuitError(error)) throw refuse("circuit open", error);
      if (caller?.aborted) throw new AiFault("cancelled", "caller went away", { cause: error });
      if (!hasStarted) throw refuse("no free place", error);
      throw new AiFault("unavailable", "too late", { cause: error });
    }
  }

  return {
    longestMs,
    ask: (question) =>
      run(
        question,
        (provider, ...call) => provider.complete(...call),
        () => true,
      ),
    askStreaming(question, onText) {
      let isSending = false;
      const forward = (text: string) => {
        isSending = true;
        return onText(text);
      };
      const call: Call = (provider, ...call) => provider.stream(...call, { onText: forward, mayBeginInThought });
      return run(question, call, () => !isSending);
    },
  };
}
