import DataLoader from "dataloader";

/**
 * Lets callers of one turn of the event loop share one query, which is given each key once. It begins after all of them
 * have called, so no result is older than its call. Nothing is kept.
 */
export function batchReads<T>(
  find: (keys: readonly string[]) => Promise<ReadonlyMap<string, T>>,
): (key: string) => Promise<T | undefined> {
  const loader = new DataLoader<string, T | undefined>(
    async (keys) => {
      const found = await find([...new Set(keys)]);
      return keys.map((key) => found.get(key));
    },
    { cache: false, batchScheduleFn: setImmediate },
  );
  return (key) => loader.load(key);
}
