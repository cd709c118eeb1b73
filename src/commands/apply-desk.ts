import type { Models } from "../models/index.js";

/**
 * How many purchases one server applies at once. Each is claimed meanwhile, and a claim lapses: hundreds at once would
 * make one another so slow that others take over what is not left behind at all, and do it again.
 */
const places = 16;

/** Longest wait for a place, in milliseconds. The sweep does later what was not done then. */
const longestWaitMs = 20_000;

interface Desk {
  free: number;
  readonly waiting: Set<() => void>;
}

const desks = new WeakMap<Models, Desk>();

/**
 * Runs work that claims a purchase and applies it when one of the server's places is free, in order of arrival. Work
 * that has a place never asks for another. @throws when the wait was too long; the work was not begun then.
 */
export async function atTheDesk<T>(models: Models, work: () => Promise<T>): Promise<T> {
  const desk = desks.get(models) ?? { free: places, waiting: new Set() };
  desks.set(models, desk);
  const since = Date.now();
  if (desk.free > 0) desk.free -= 1;
  else await new Promise<void>((admit) => desk.waiting.add(admit));
  try {
    if (Date.now() - since > longestWaitMs) throw new Error("too many purchases are applied at this moment");
    return await work();
  } finally {
    const [next] = desk.waiting;
    if (next) {
      desk.waiting.delete(next);
      next();
    } else {
      desk.free += 1;
    }
  }
}
