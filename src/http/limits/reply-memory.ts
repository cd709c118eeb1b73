import type { Response } from "express";
import { ByteBudget } from "./byte-budget.js";

/** Bytes of unsent replies that an application holds at once: an eighth of the smallest heap that we support. */
const maxHeldBytes = 64 * 1_048_576;

/** Bytes from which a reply counts. A connection holds few smaller ones, because it has few unfinished requests. */
const largeBytes = 8_192;

const budgets = new WeakMap<object, ByteBudget>();

/**
 * Counts a large reply to a read until its reader has taken it, so that slow readers cannot fill the memory. A reply to
 * a write is not counted, because its effect cannot be taken back.
 * @throws Overloaded when large replies hold too much memory already.
 */
export function holdReply(res: Response, bytes: number): void {
  if (bytes < largeBytes || (res.req.method !== "GET" && res.req.method !== "HEAD")) return;
  const budget = budgets.get(res.app) ?? new ByteBudget(maxHeldBytes);
  budgets.set(res.app, budget);
  budget.hold(res, bytes);
}
