/** Most ids in one `$in`, so that a command stays far below the 16 MB limit and ends in time. */
export const maxIdsPerQuery = 1_000;

/** Splits a list into consecutive parts of at most `size` items. */
export function chunk<T>(items: readonly T[], size = maxIdsPerQuery): T[][] {
  const chunks: T[][] = [];
  for (let start = 0; start < items.length; start += size) chunks.push(items.slice(start, start + size));
  return chunks;
}
