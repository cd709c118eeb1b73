import type { Request, RequestHandler } from "express";
import { InvalidRequest, UnsupportedEncoding } from "../../lib/errors.js";
import { viewerOf } from "../auth/guards.js";
import { ByteBudget } from "../limits/byte-budget.js";
import { readBody } from "./read-body.js";
import { refuseCompressedBody } from "./uncompressed.js";

const maxBodyBytes = 102_400;

/** Bytes of the bodies of anonymous callers that are held at once. A signed-in user has a limit of requests. */
const maxAnonymousBytes = 16 * 1_048_576;

const utf8 = new TextDecoder();

/**
 * Reads a JSON body of up to 100 kB into `req.body`. A top-level value that is not an object is refused; a missing body,
 * or one of another type, leaves nothing.
 */
export function jsonBody(): RequestHandler[] {
  const budget = new ByteBudget(maxAnonymousBytes);
  const parse: RequestHandler = async (req, res, next) => {
    if (req.is("application/json")) {
      requireUtf8(req);
      const hold = (bytes: number) => (viewerOf(req) ? undefined : budget.hold(res, bytes));
      req.body = parseJson(utf8.decode(await readBody(req, maxBodyBytes, hold)));
    } else if (req.method === "GET" || !req.is("multipart/form-data")) {
      req.resume();
    }
    next();
  };
  const steps = [refuseCompressedBody, parse, requireObject];
  return steps.map((step) => (req, res, next) => (hasNoBody(req) ? next() : step(req, res, next)));
}

const hasNoBody = ({ headers }: Request): boolean =>
  headers["content-length"] === undefined &&
  headers["transfer-encoding"] === undefined &&
  headers["content-encoding"] === undefined;

/** JSON is UTF-8 (RFC 8259). */
function requireUtf8({ headers }: Request): void {
  const [, charset = "utf-8"] = /;\s*charset\s*=\s*"?([^\s";]*)/i.exec(headers["content-type"] ?? "") ?? [];
  if (charset.toLowerCase() !== "utf-8") throw UnsupportedEncoding();
}

function parseJson(text: string): unknown {
  if (text === "") return undefined;
  try {
    return JSON.parse(text);
  } catch (error) {
    throw Object.assign(InvalidRequest(error), { explain: () => "body: not JSON" });
  }
}

const requireObject: RequestHandler = (req: Request, _res, next) => {
  if (req.body !== undefined && (typeof req.body !== "object" || req.body === null || Array.isArray(req.body))) {
    const refused = InvalidRequest();
    refused.explain = () => "body: not an object";
    throw refused;
  }
  next();
};
