import type { NextFunction, Request, Response } from "express";

/**
 * Turns an unexpected error into a plain reply (400 for an unreadable body) without a log line. Every emulator runs it
 * last.
 */
export function errorReply(error: unknown, _req: Request, res: Response, _next: NextFunction): void {
  if (res.headersSent) {
    res.destroy();
    return;
  }
  const status = error instanceof Error && "status" in error && typeof error.status === "number" ? error.status : 500;
  const message = error instanceof Error ? error.message : "Unexpected error";
  res.status(status).json({ error: { message } });
}
