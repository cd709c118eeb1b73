import DataLoader from "dataloader";

/**
 * Calls within one turn of the event loop share one query, which starts after the last call, so that no result is older
 * than its call. Results are not cached.
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
