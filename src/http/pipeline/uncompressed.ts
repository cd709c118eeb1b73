import type { Request, RequestHandler } from "express";
import { UnsupportedEncoding } from "../../lib/errors.js";

/** Whether the body of a request is compressed. No body is ever inflated. */
export function isCompressed(req: Request): boolean {
  const encoding = req.headers["content-encoding"]?.trim().toLowerCase();
  return Boolean(encoding && encoding !== "identity");
}

/** Refuses compressed request bodies of any content type. */
export const refuseCompressedBody: RequestHandler = (req, _res, next) => {
  if (isCompressed(req)) throw UnsupportedEncoding();
  next();
};
