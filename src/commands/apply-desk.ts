import type { Db } from "../db/db.js";
import { createGate, type Gate } from "../services/gate.js";

/**
 * How many purchases one server applies at once. Each is claimed meanwhile, and a claim lapses: hundreds at once would
 * make one another so slow that others take over what is not left behind at all, and do it again.
 */
const places = 16;

/** Longest wait for a place, in milliseconds. The sweep does later what was not done then. */
const longestWaitMs = 20_000;

const desks = new WeakMap<Db, Gate>();

/**
 * Runs work that claims a purchase and applies it when one of the server's places is free, in order of arrival. Work
 * that has a place never asks for another.
 * @throws TimeoutError when no place became free in time; the work was not begun then.
 */
export async function atTheDesk<T>(db: Db, work: () => Promise<T>): Promise<T> {
  const desk = desks.get(db) ?? createGate(places, Number.POSITIVE_INFINITY);
  desks.set(db, desk);
  const leave = await desk.enter(AbortSignal.timeout(longestWaitMs));
  try {
    return await work();
  } finally {
    leave();
  }
}
