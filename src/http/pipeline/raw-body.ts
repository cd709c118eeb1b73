import type { RequestHandler } from "express";
import { ApiError, BodyTooLarge } from "../errors.js";
import { ByteBudget } from "../limits/byte-budget.js";
import { readBody } from "./read-body.js";
import { isCompressed } from "./uncompressed.js";

const maxBodyBytes = 1_048_576;

/** Bytes of webhook bodies that are held at once. Webhooks have a budget of their own, so that no API body starves them. */
const maxHeldBytes = 32 * maxBodyBytes;

/**
 * Reads the raw body of a webhook of any content type into `req.body`. A body over 1 MiB and a compressed body leave
 * nothing there: no signature can be verified, and the webhook answers as it does to a wrong signature.
 */
export function rawBody(): RequestHandler {
  const budget = new ByteBudget(maxHeldBytes);
  return async (req, res, next) => {
    if (isCompressed(req)) req.resume();
    else req.body = await readBody(req, maxBodyBytes, (bytes) => budget.hold(res, bytes)).catch(ignoreTooLarge);
    next();
  };
}

function ignoreTooLarge(error: unknown): undefined {
  if (!(error instanceof ApiError && error.id === BodyTooLarge.id)) throw error;
}
