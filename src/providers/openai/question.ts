import type { Prompt } from "./provider.js";

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
