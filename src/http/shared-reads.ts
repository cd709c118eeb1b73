import { setImmediate as nextTurn } from "node:timers/promises";
import DataLoader from "dataloader";

/**
 * Among many callers reads begin at least so long after one another, in milliseconds, or those who come evenly would share
 * none: three times as long as the last one took, so that the slower the database is, the more of them share.
 */
const apart = { times: 3, leastMs: 3, mostMs: 20 };

/** There are many callers for so long, in milliseconds, after one came while another one's read was under way. */
const manyForMs = 1_000;

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
  let underWay = 0;
  let manyUntil = 0;
  let earliest = 0;
  const begin = async (asked: readonly K[]): Promise<(T | Error)[]> => {
    const keys = new Map(asked.map((key) => [nameOf(key), key]));
    const values = await held(read([...keys.values()]));
    const known = new Map([...keys.keys()].map((name, i) => [name, values[i] as T | Error]));
    return asked.map((key) => known.get(nameOf(key)) as T | Error);
  };
  const held = <V>(begun: Promise<V>): Promise<V> => {
    const began = performance.now();
    underWay += 1;
    running = new Promise((resolve) => {
      const timer = setTimeout(resolve, longestHoldMs);
      const end = (): void => {
        clearTimeout(timer);
        underWay -= 1;
        const took = performance.now() - began;
        earliest = began + Math.min(Math.max(apart.times * took, apart.leastMs), apart.mostMs);
        resolve();
      };
      begun.then(end, end);
    });
    return begun;
  };
  const untilEarliest = async (): Promise<void> => {
    const now = performance.now();
    const early = earliest - now;
    if (early > 0 && now < manyUntil) await new Promise((resolve) => setTimeout(resolve, early));
  };
  const batchScheduleFn = (dispatch: () => void): void => {
    if (underWay > 0) manyUntil = performance.now() + manyForMs;
    void running
      .then(untilEarliest)
      .then(() => nextTurn())
      .then(dispatch);
  };
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
