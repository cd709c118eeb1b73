import { setTimeout as pause } from "node:timers/promises";

/** After this time a claim counts as left behind by a crash (see count-once.ts). No correctness rests on it. */
export const claimLastsMs = 2_000;

/** How long a call waits for others that are at the same fact: for several crashed ones in a row. */
export const patienceMs = 4 * claimLastsMs;

/** The claim's holder found that somebody else took over: whatever it did is kept, whatever is left is theirs. */
export class ClaimLost extends Error {
  constructor(what: string) {
    super(`${what} was taken over`);
    this.name = "ClaimLost";
  }
}

/** Claims that are this old may be taken over. @param asOf now, unless somebody looks ahead. */
export const lapsedBy = (asOf = new Date()): Date => new Date(asOf.getTime() - claimLastsMs);

/** A claim that differs from the one it replaces, if any. */
export const claimAfter = (lapsed?: Date): Date => new Date(Math.max(Date.now(), (lapsed?.getTime() ?? 0) + 1));

/**
 * Waits before the next look at a fact that somebody else is at. Many who looked often would slow down whom they wait
 * for.
 */
export const waitBeforeLook = (looks: number): Promise<void> =>
  pause(Math.min(15 * 2 ** looks, 300) * (0.7 + 0.6 * Math.random()));
