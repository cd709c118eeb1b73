import type { RequestHandler } from "express";
import { UnsupportedEncoding } from "../errors.js";

/** Refuses compressed request bodies of any content type: nothing is ever inflated. */
export const refuseCompressedBody: RequestHandler = (req, _res, next) => {
  const encoding = req.headers["content-encoding"]?.trim().toLowerCase();
  if (encoding && encoding !== "identity") throw UnsupportedEncoding();
  next();
};
