import type { Faults } from "../faults.js";
import type { AiFault } from "./ai-faults.js";
import type { AiCall } from "./call-log.js";

/** OpenAI's emulator. It answers chat completions with repeatable text and fails on request. */
export interface OpenAiEmulator {
  readonly url: string;
  readonly faults: Faults<AiFault>;
  /** The newest thousand calls, oldest first. */
  calls(): readonly AiCall[];
  forgetCalls(): void;
  close(): Promise<void>;
}
