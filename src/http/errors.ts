/** What a request failed with: the status and the message that the client sees, never more. */
export class ApiError extends Error {
  constructor(
    readonly status: number,
    message: string,
    readonly options: { cause?: unknown; extra?: Record<string, unknown> } = {},
  ) {
    super(message, { cause: options.cause });
    this.name = "ApiError";
  }
}

/** A named failure: thrown by calling it, documented by its status and message. */
export interface Failure {
  (cause?: unknown): ApiError;
  readonly status: number;
  readonly message: string;
}

/**
 * Declares a failure once, for throwing (`throw CourseNotFound()`) and for a route's `fails`.
 * @param extra further fields of the body, for the few routes whose contract has them.
 */
export function failure(status: number, message: string, extra?: Record<string, unknown>): Failure {
  const create = (cause?: unknown) => new ApiError(status, message, extra ? { cause, extra } : { cause });
  return Object.assign(create, { status, message });
}

/** The table of failures that belong to no single group (specification, Errors). */
export const InvalidRequest = failure(400, "Invalid request data");
export const Unauthenticated = failure(401, "Unauthorized Access");
export const WrongRole = failure(403, "Unauthorized Access");
export const RouteNotFound = failure(404, "Route not found");
export const BodyTooLarge = failure(413, "Request body too large");
export const UnsupportedEncoding = failure(415, "Unsupported content encoding");
export const Unexpected = failure(500, "An unexpected error occurred");
export const InternalError = failure(500, "Internal server error");
