import type { ErrorCode } from "./generated/types.gen.js";

/** A refusal of the API, thrown where a result cannot hold it: while a list or a stream is read. */
export class LyceumError extends Error {
  override readonly name = "LyceumError";

  constructor(
    message: string,
    /** HTTP status. Absent if the failure came after the start of a stream. */
    readonly status?: number,
    /** What went wrong, in a form for programs. */
    readonly code?: ErrorCode,
  ) {
    super(message);
  }
}

/** Reads the error code of a reply. @returns undefined for a success, and for a reply that is not the API's. */
export const errorCodeOf = (response: Response): ErrorCode | undefined =>
  (response.headers.get("X-Error-Code") as ErrorCode | null) ?? undefined;

/** The parts of a result that tell why it has no data. */
export interface FailedResult {
  readonly error?: unknown;
  readonly response?: Response;
}

/** Makes something to throw of a result without data. A failed `fetch` has no response: its own error is returned. */
export function errorOf({ error, response }: FailedResult): unknown {
  if (!response) return error;
  const { message } = (typeof error === "object" && error !== null ? error : {}) as { message?: unknown };
  const text = typeof message === "string" ? message : `The server answered ${response.status}`;
  return new LyceumError(text, response.status, errorCodeOf(response));
}
