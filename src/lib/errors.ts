/**
 * The failure of a request. The client sees its status, its message, and its id as an error code. Logs and metrics use the
 * id too. It stays when the message changes.
 */
export class ApiError extends Error {
  /** Says which field of a refused body or query broke which rule, without its value. */
  explain?: () => string;
  /** The client's fault, although the status is 500. */
  isMalformedRequest = false;

  constructor(
    readonly id: string,
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
  readonly id: string;
  readonly status: number;
  readonly message: string;
  /** Further fields of the body. */
  readonly extra?: Record<string, unknown>;
}

/**
 * Declares a failure once, for throwing (`throw CourseNotFound()`) and for a route's `errors`.
 * @param id a stable name. Failures that say the same in other words share it.
 * @param extra further fields of the body, for the few routes that have them.
 */
export function failure(id: string, status: number, message: string, extra?: Record<string, unknown>): Failure {
  const create = (cause?: unknown) => new ApiError(id, status, message, extra ? { cause, extra } : { cause });
  return Object.assign(create, { id, status, message, ...(extra ? { extra } : {}) });
}

/** The header that holds the id of a failure. */
export const errorCodeHeader = "X-Error-Code";

/** Failures that belong to no single group. */
export const InvalidRequest = failure("invalid_request", 400, "Invalid request data");
/** An invalid request by a rule that is in no schema. @param rule in ASCII, without values: `body.url: …`. */
export const BrokenRule = (rule: string, cause?: unknown): ApiError =>
  Object.assign(InvalidRequest(cause), { explain: () => rule });

/** @throws InvalidRequest that names the first item which is not accepted, and everything that is. */
export function requireAccepted<T extends string>(field: string, items: readonly T[], accepted: readonly T[]): void {
  const index = items.findIndex((item) => !accepted.includes(item));
  if (index !== -1) throw BrokenRule(`${field}[${index}]: not one of ${accepted.join(", ")}`);
}

export const Unauthenticated = failure("unauthenticated", 401, "Unauthorized Access");
export const WrongRole = failure("wrong_role", 403, "Unauthorized Access");
/** An API key without the scope of the route, or on a route that takes no keys. */
export const ScopeMissing = failure("scope_missing", 403, "Unauthorized Access");
export const RouteNotFound = failure("route_not_found", 404, "Route not found");
export const BodyTooLarge = failure("body_too_large", 413, "Request body too large");
export const UnsupportedEncoding = failure("unsupported_encoding", 415, "Unsupported content encoding");
export const Unexpected = failure("unexpected", 500, "An unexpected error occurred");
export const InternalError = failure("internal_error", 500, "Internal server error");

/** A malformed id in the path. The specification answers it like an unexpected error, but the server has no fault. */
export function MalformedId(cause?: unknown): ApiError {
  return Object.assign(Unexpected(cause), { isMalformedRequest: true });
}

/** A failure that the user of a command can correct. It is printed without a stack. */
export class CommandError extends Error {}
