import type { Response } from "express";
import { holdReply } from "../limits/byte-budget.js";

/** Answers with text or with its bytes. Node sends head and text in one write; bytes take a second write. */
export function sendText(res: Response, text: string | Buffer, type: string): void {
  const bytes = Buffer.byteLength(text);
  holdReply(res, bytes);
  res.setHeader("Content-Type", type);
  res.setHeader("Content-Length", bytes);
  res.end(res.req.method === "HEAD" ? undefined : text);
}

/** Answers with a value, or with finished JSON text. */
export function sendJson(res: Response, json: string | Buffer | object): void {
  const text = typeof json === "string" || Buffer.isBuffer(json) ? json : JSON.stringify(json);
  sendText(res, text, "application/json; charset=utf-8");
}
