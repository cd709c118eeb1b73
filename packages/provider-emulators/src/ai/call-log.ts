import type { PromptMessage } from "./prompt.js";

/** One recorded call. */
export interface AiCall {
  /** Start of the call, in milliseconds since the epoch. */
  at: number;
  /** End of the call in milliseconds since the epoch, or null while it runs. */
  endedAt: number | null;
  model: string;
  messages: PromptMessage[];
  /** All messages joined by line breaks. */
  prompt: string;
  stream: boolean;
  /** Kind of the injected fault. */
  fault: string | null;
  /** `aborted`: the client left before the answer was complete. `failed`: an error or an intended cut. */
  state: "running" | "answered" | "failed" | "aborted";
}

const maxCalls = 1000;

/** Keeps the newest thousand calls, oldest first. */
export class CallLog {
  #calls: AiCall[] = [];

  /** Adds a call. The emulator updates the state of the returned entry. */
  begin(call: AiCall): void {
    this.#calls.push(call);
    if (this.#calls.length > maxCalls) this.#calls.shift();
  }

  list(): readonly AiCall[] {
    return structuredClone(this.#calls);
  }

  clear(): void {
    this.#calls = [];
  }
}
