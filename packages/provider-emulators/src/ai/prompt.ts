/** A message with its text parts joined. */
export interface PromptMessage {
  role: string;
  text: string;
}

/** A chat-completion request, as an answer function sees it. */
export interface Prompt {
  readonly model: string;
  /** The client's id of the request, from the header `X-Client-Request-Id`. */
  readonly requestId?: string;
  readonly messages: readonly PromptMessage[];
  /** Format of the reply: `json` is any object, and `schema` an object that fits `schema`. */
  readonly format: "text" | "json" | "schema";
  /** The JSON schema of `response_format`. */
  readonly schema?: Record<string, unknown>;
  /** Returns numbers from 0 to below 1. Equal requests get equal numbers. */
  random(): number;
}

/**
 * Answers a prompt. A text is sent as it is. An object is sent as JSON; with a schema the emulator first replaces values
 * that do not fit and adds those that are missing. Undefined leaves the answer to the emulator.
 */
export type AnswerPrompt = (prompt: Prompt) => string | object | undefined | Promise<string | object | undefined>;
