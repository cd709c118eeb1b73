import { IncomingMessage, ServerResponse } from "node:http";
import { Socket } from "node:net";
import type { Request, RequestHandler, Response } from "express";

/** Unless a route says otherwise, no cache keeps its answer: no proxy gives one caller's answer, or a failure, to another. */
const notKept = ["Cache-Control", "no-store"] as const;

/**
 * Sets the headers of middleware that says the same to every request, recorded once, and lets the one for cross-origin
 * requests answer preflights itself.
 */
export function fixedHeaders(security: RequestHandler, crossOrigin: RequestHandler): RequestHandler {
  const headers = [...record([security, crossOrigin]), notKept];
  return (req, res, next) => {
    for (const [name, value] of headers) res.setHeader(name, value);
    if (req.method === "OPTIONS") crossOrigin(req, res, next);
    else next();
  };
}

/** What the middleware sets on the response to a plain GET. @throws when it does not pass the request on at once. */
function record(middleware: readonly RequestHandler[]): [name: string, value: string][] {
  const req = new IncomingMessage(new Socket());
  req.method = "GET";
  const res = new RecordedResponse(req);
  let passed = 0;
  for (const handler of middleware) {
    handler(req as Request, res as unknown as Response, () => {
      passed += 1;
    });
  }
  if (passed < middleware.length) throw new Error("middleware of fixed headers must pass requests on at once");
  return res.getHeaderNames().map((name) => [res.written.get(name) ?? name, String(res.getHeader(name))]);
}

/** Keeps the spelling of header names, which `getHeaderNames` gives in lower case. */
class RecordedResponse extends ServerResponse {
  readonly written = new Map<string, string>();

  override setHeader(name: string, value: number | string | readonly string[]): this {
    this.written.set(name.toLowerCase(), name);
    return super.setHeader(name, value);
  }
}
