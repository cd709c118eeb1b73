import type { Response } from "express";
import { holdReply } from "../limits/byte-budget.js";

/**
 * Answers with text, or with its bytes. Node sends the head and a body of text in one write; a body of bytes takes a
 * second one.
 */
export function sendText(res: Response, text: string | Buffer, type: string): void {
  const bytes = Buffer.byteLength(text);
  holdReply(res, bytes);
  res.setHeader("Content-Type", type);
  res.setHeader("Content-Length", bytes);
  res.end(res.req.method === "HEAD" ? undefined : text);
}

/** Answers with a value, or with what is JSON text already. */
export function sendJson(res: Response, json: string | Buffer | object): void {
  const text = typeof json === "string" || Buffer.isBuffer(json) ? json : JSON.stringify(json);
  sendText(res, text, "application/json; charset=utf-8");
}
