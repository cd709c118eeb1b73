import type { Response } from "express";

/**
 * Answers with JSON text. Head and body leave in one piece, which a body of bytes would not.
 * @param status of the answer; the one that was set before when absent.
 */
export function sendJson(res: Response, text: string, status?: number): void {
  if (status !== undefined) res.statusCode = status;
  res.setHeader("Content-Type", "application/json; charset=utf-8");
  res.setHeader("Content-Length", Buffer.byteLength(text));
  res.end(res.req.method === "HEAD" ? undefined : text);
}
