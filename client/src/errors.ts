import type { ErrorCode } from "./generated/types.gen.js";

/**
 * A refusal of the API, or a server that cannot be reached. It is thrown where a result cannot hold it: while a
 * list or a stream is read.
 */
export class LyceumError extends Error {
  override readonly name = "LyceumError";

  constructor(
    message: string,
    /** HTTP status. Absent without a reply, and if the failure came after the start of a stream. */
    readonly status?: number,
    /** What went wrong, in a form for programs. */
    readonly code?: ErrorCode,
    options?: ErrorOptions,
  ) {
    super(message, options);
  }
}

/** Reads the error code of a reply. @returns undefined for a success, without a reply, and for one that is not the API's. */
export const errorCodeOf = (response: Response | undefined): ErrorCode | undefined =>
  (response?.headers.get("X-Error-Code") as ErrorCode | null | undefined) ?? undefined;

/** The parts of a result that tell why it has no data. */
export interface FailedResult {
  readonly error?: unknown;
  readonly response?: Response;
}

/** Makes something to throw of a result without data. The error of an aborted call is returned as it is. */
export function errorOf({ error, response }: FailedResult): unknown {
  if (!response) {
    const isAborted = error instanceof Error && error.name === "AbortError";
    return isAborted ? error : new LyceumError("The server cannot be reached", undefined, undefined, { cause: error });
  }
  const { message } = (typeof error === "object" && error !== null ? error : {}) as { message?: unknown };
  const text = typeof message === "string" ? message : `The server answered ${response.status}`;
  return new LyceumError(text, response.status, errorCodeOf(response));
}
