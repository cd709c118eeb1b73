import type { PromptMessage } from "./request.js";

/** One call as the provider saw it. */
export interface AiCall {
  /** When it came, milliseconds since the epoch. */
  at: number;
  /** When it was over, likewise; null while it runs. */
  endedAt: number | null;
  model: string;
  messages: PromptMessage[];
  /** All messages joined by line breaks. */
  prompt: string;
  stream: boolean;
  /** Name of the scripted fault that was injected. */
  fault: string | null;
  /** `aborted`: the client went away before the answer was complete; `failed`: an error or a cut on purpose. */
  state: "running" | "answered" | "failed" | "aborted";
}

const kept = 1000;

/** The newest thousand calls, oldest first. */
export class CallLog {
  #calls: AiCall[] = [];

  /** The entry is live: its state moves on as the call does. */
  begin(call: AiCall): void {
    this.#calls.push(call);
    if (this.#calls.length > kept) this.#calls.shift();
  }

  list(): readonly AiCall[] {
    return structuredClone(this.#calls);
  }

  clear(): void {
    this.#calls = [];
  }
}
