import type { Request } from "express";

const keyInAddress = /lyc_(?:live|test)_[A-Za-z0-9]{16}_[A-Za-z0-9_-]{43}/;

/**
 * Reads the `Authorization` header. A request with two of them counts as a request without one, and so does a request
 * with an API key in its address, because addresses are stored in logs and histories.
 */
export function authorizationOf(req: Request): string {
  const { authorization = "" } = req.headers;
  const isAmbiguous = authorization !== "" && (req.headersDistinct.authorization?.length ?? 0) > 1;
  return isAmbiguous || keyInAddress.test(req.originalUrl) ? "" : authorization;
}
