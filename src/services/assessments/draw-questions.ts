import type { Draw } from "../../models/assessments/assessment.js";

/** Returns a whole number from 0 to below `below`. */
export type Random = (below: number) => number;

/** Puts the numbers from 0 to below `length` in a random order, each order with the same chance. */
export function randomOrder(length: number, random: Random): number[] {
  const order = Array.from({ length }, (_, i) => i);
  for (let i = length - 1; i > 0; i -= 1) {
    const j = random(i + 1);
    [order[i], order[j]] = [order[j] as number, order[i] as number];
  }
  return order;
}

/** A question that may be drawn. */
export interface Drawable {
  readonly tags: readonly string[];
}

/**
 * Draws questions by their tags, no question twice. A question with several tags serves the draw that needs it.
 * @returns as many questions as the bank can give, in the order of the draws.
 */
export function drawQuestions<Q extends Drawable>(bank: readonly Q[], draws: readonly Draw[], random: Random): Q[] {
  const total = drawnCount(draws);
  const shuffled = randomOrder(bank.length, random).map((i) => bank[i] as Q);
  // `total` candidates are enough for each draw, even when the other draws take some of them.
  const places = draws.flatMap(({ tag, count }) => {
    const candidates = shuffled.filter(({ tags }) => tags.includes(tag)).slice(0, total);
    return Array.from({ length: count }, () => candidates);
  });
  const drawnAt = new Map<Q, number>();
  /** Whether the place that has a question can take another one. */
  const isGivenUp = (tried: Set<Q>) => (question: Q) => {
    if (tried.has(question)) return false;
    tried.add(question);
    return give(drawnAt.get(question) as number, tried);
  };
  const give = (place: number, tried: Set<Q>): boolean => {
    const candidates = places[place] ?? [];
    const taken = candidates.find((question) => !drawnAt.has(question)) ?? candidates.find(isGivenUp(tried));
    if (taken) drawnAt.set(taken, place);
    return taken !== undefined;
  };
  // Questions that a failed search has tried help no later search.
  const exhausted = new Set<Q>();
  for (let place = 0; place < places.length; place += 1) {
    const tried = new Set(exhausted);
    if (!give(place, tried)) for (const question of tried) exhausted.add(question);
  }
  return [...drawnAt].sort(([, a], [, b]) => a - b).map(([question]) => question);
}

export const drawnCount = (draws: readonly Draw[]): number => draws.reduce((sum, { count }) => sum + count, 0);
