import type { Request, RequestHandler, Response } from "express";
import { ApiError, BodyTooLarge, Unexpected } from "../../lib/errors.js";
import { ByteBudget } from "../limits/byte-budget.js";
import { Overloaded } from "../limits/overload.js";
import { readBody } from "./read-body.js";
import { isCompressed } from "./uncompressed.js";

const maxBodyBytes = 1_048_576;

/** Bytes of webhook bodies that are held at once. Webhooks have a budget of their own, so that no API body starves them. */
const maxHeldBytes = 32 * maxBodyBytes;

/** Time in which a body must arrive. Providers send a few kilobytes at once and wait for 5 s in all. */
const maxBodyMs = 5_000;

/**
 * Reads the raw body of a webhook of any content type into `req.body`. A body over 1 MiB and a compressed body leave
 * nothing there: no signature can be verified, and the webhook answers as it does to a wrong signature. A sender that is
 * too slow is cut off, because whoever sends it is not known yet.
 * @throws Unexpected when too many bodies are under way: the provider sends the message again.
 */
export function rawBody(): RequestHandler {
  const budget = new ByteBudget(maxHeldBytes);
  const read = async (req: Request, res: Response): Promise<Buffer | undefined> => {
    const slow = setTimeout(() => req.destroy(), maxBodyMs);
    try {
      return await readBody(req, maxBodyBytes, (bytes) => budget.hold(res, bytes));
    } catch (error) {
      if (error instanceof ApiError && error.id === BodyTooLarge.id) return undefined;
      throw error instanceof ApiError && error.id === Overloaded.id ? Unexpected(error) : error;
    } finally {
      clearTimeout(slow);
    }
  };
  return async (req, res, next) => {
    if (isCompressed(req)) req.resume();
    else req.body = await read(req, res);
    next();
  };
}
