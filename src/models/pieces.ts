/** Most ids in one `$in`: a command stays far below the 16 MB that one may have, and ends in time. */
export const idsOfOneQuery = 1_000;

/** A list in pieces, for queries by `$in` whose list has no bound. */
export function piecesOf<T>(items: readonly T[], size = idsOfOneQuery): T[][] {
  return Array.from({ length: Math.ceil(items.length / size) }, (_, n) => items.slice(n * size, (n + 1) * size));
}
