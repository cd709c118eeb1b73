import type { Response } from "express";

/** Answers with text. Head and body leave in one piece, which they would not with a body of bytes. */
export function sendText(res: Response, text: string, type: string): void {
  res.setHeader("Content-Type", type);
  res.setHeader("Content-Length", Buffer.byteLength(text));
  res.end(res.req.method === "HEAD" ? undefined : text);
}

/** Answers with a value, or with what is JSON text already. */
export function sendJson(res: Response, json: string | object): void {
  sendText(res, typeof json === "string" ? json : JSON.stringify(json), "application/json; charset=utf-8");
}
