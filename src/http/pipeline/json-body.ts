import express, { type Request, type RequestHandler } from "express";
import { InvalidRequest } from "../errors.js";
import { refuseCompressedBody } from "./uncompressed.js";

/**
 * Reads a JSON body of up to 100 kB into `req.body`. A top-level value that is not an object is refused; a missing body,
 * or one of another type, leaves nothing.
 */
export function jsonBody(): RequestHandler[] {
  const parse = express.json({ limit: "100kb", inflate: false, strict: true });
  const steps = [refuseCompressedBody, parse, requireObject];
  return steps.map((step) => (req, res, next) => (hasNoBody(req) ? next() : step(req, res, next)));
}

const hasNoBody = ({ headers }: Request): boolean =>
  headers["content-length"] === undefined &&
  headers["transfer-encoding"] === undefined &&
  headers["content-encoding"] === undefined;

const requireObject: RequestHandler = (req: Request, _res, next) => {
  if (req.body !== undefined && (typeof req.body !== "object" || req.body === null || Array.isArray(req.body))) {
    const refused = InvalidRequest();
    refused.explain = () => "body: not an object";
    throw refused;
  }
  next();
};
