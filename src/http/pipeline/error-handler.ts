import type { ErrorRequestHandler } from "express";
import type { Logger } from "pino";
import { ApiError, errorCodeHeader, InternalError, InvalidRequest } from "../../lib/errors.js";
import { Overloaded } from "../limits/overload.js";
import { failedByServer, malformed, nameOutcome } from "../outcomes.js";
import { sendJson } from "../replies/send-text.js";
import { invalidHeader } from "./explain-invalid.js";
import { loggedPath } from "./request-log.js";

/** Longest message in a log line. */
const maxMessageLength = 2_048;

/** `Retry-After` of every 503, which reports an overload. */
const retryAfterSeconds = 2;

/** Translates an error of Express. */
function toApiError(error: unknown): ApiError {
  if (error instanceof ApiError) return error;
  const { status } = (typeof error === "object" && error !== null ? error : {}) as { status?: unknown };
  return typeof status === "number" && status >= 400 && status < 500 ? InvalidRequest(error) : InternalError(error);
}

function failureOutcome({ isMalformedRequest, status, id }: ApiError): string {
  if (isMalformedRequest) return malformed;
  return status >= 500 ? failedByServer : id;
}

/**
 * Answers every error with `{ success: false, message }` and its id in a header, and logs the cause of a status of 500 and
 * above, unless the request was malformed. A header explains refused bodies and queries.
 * @param options `detail` (never in production) logs the cause with its stack, and the explanations.
 */
export function errorHandler(log: Logger, options: { detail: boolean }): ErrorRequestHandler {
  return (error: unknown, req, res, _next) => {
    const failed = toApiError(error);
    if (!res.outcome) nameOutcome(res, failureOutcome(failed));
    if (failed.isMalformedRequest) {
      log.info(
        { eventId: "request_malformed", requestId: req.id, path: loggedPath(req.originalUrl), error: failed.id },
        "the path has a malformed id",
      );
    }
    // Metrics count refusals for overload, because there may be thousands a second.
    else if (failed.status >= 500 && failed.id !== Overloaded.id) {
      const cause = failed.options.cause ?? error;
      // A message may repeat what a client sent.
      const message = (cause instanceof Error ? cause.message : String(cause)).slice(0, maxMessageLength);
      log.error(
        {
          eventId: "request_failed",
          requestId: req.id,
          path: loggedPath(req.originalUrl),
          error: failed.id,
          ...(options.detail ? { err: cause } : { cause: message }),
        },
        message,
      );
    }
    if (res.headersSent) {
      res.destroy();
      return;
    }
    res.setHeader(errorCodeHeader, failed.id);
    if (failed.status === 503) res.setHeader("Retry-After", retryAfterSeconds);
    if (failed.explain) {
      const invalid = failed.explain();
      res.setHeader(invalidHeader, invalid);
      if (options.detail) {
        log.info(
          {
            eventId: "request_refused",
            requestId: req.id,
            path: loggedPath(req.originalUrl),
            error: failed.id,
            invalid,
          },
          `refused: ${invalid}`,
        );
      }
    }
    res.statusCode = failed.status;
    sendJson(res, { success: false, ...failed.options.extra, message: failed.message });
  };
}
