import { setImmediate as nextTurn } from "node:timers/promises";
import DataLoader from "dataloader";

/** Reads begin at least so long after one another, in milliseconds, or callers who come evenly would share none. */
const apartMs = 3;

/** A read that takes longer, in milliseconds, holds up no later one. */
const longestHoldMs = 100;

/**
 * Callers share a read that begins after all of them have asked: those of one turn of the event loop together, those who
 * ask while a read is under way the next one. So what each is given is never older than its own call, and many callers
 * cost few reads.
 * @param read is given each key once, and gives a value for each, or the error that its callers are to get.
 * @param nameOf what tells keys apart.
 */
export function sharedReadByKey<K, T>(
  read: (keys: readonly K[]) => Promise<readonly (T | Error)[]>,
  nameOf: (key: K) => unknown = (key) => key,
): (key: K) => Promise<T> {
  let running = Promise.resolve();
  const begin = async (asked: readonly K[]): Promise<(T | Error)[]> => {
    const keys = new Map(asked.map((key) => [nameOf(key), key]));
    const values = await held(read([...keys.values()]));
    const known = new Map([...keys.keys()].map((name, i) => [name, values[i] as T | Error]));
    return asked.map((key) => known.get(nameOf(key)) as T | Error);
  };
  const held = <V>(begun: Promise<V>): Promise<V> => {
    running = new Promise((resolve) => {
      const began = performance.now();
      const timer = setTimeout(resolve, longestHoldMs);
      const end = (): void => {
        clearTimeout(timer);
        const early = apartMs - (performance.now() - began);
        if (early > 0) setTimeout(resolve, early);
        else resolve();
      };
      begun.then(end, end);
    });
    return begun;
  };
  const batchScheduleFn = (dispatch: () => void): unknown => running.then(() => nextTurn()).then(dispatch);
  const loader = new DataLoader<K, T>(begin, { cache: false, batchScheduleFn });
  return (key) => loader.load(key);
}

/** The same for a read that finds some of its keys. */
export function sharedFind<T>(
  find: (keys: readonly string[]) => Promise<ReadonlyMap<string, T>>,
): (key: string) => Promise<T | undefined> {
  return sharedReadByKey<string, T | undefined>(async (keys) => {
    const found = await find(keys);
    return keys.map((key) => found.get(key));
  });
}

/** The same for a read without keys. */
export function sharedRead<T>(read: () => Promise<T>): () => Promise<T> {
  const shared = sharedReadByKey<0, T>(async () => [await read()]);
  return () => shared(0);
}
