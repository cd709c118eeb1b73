import { once } from "node:events";
import { createRequire } from "node:module";
import { mongo } from "mongoose";

type Once = (
  emitter: NodeJS.EventEmitter & { readonly closed?: boolean },
  event: string,
  options?: object,
) => Promise<unknown>;

/** Resolves modules as Mongoose does, so that the driver is the one that Mongoose uses. */
const requireOfMongoose = createRequire(createRequire(import.meta.url).resolve("mongoose"));

/**
 * Ends a write of the database driver (mongodb 7.8) whose connection closes. The driver waits for `drain` or `error` of
 * the socket, and neither comes when the socket times out: the operation would keep its connection of the pool for ever.
 * No option of the driver reaches this wait. tests/faults/database/stalled-writes.test.ts runs the driver without this
 * function and fails when the driver is mended: then remove the function (docs/decisions/0015-written-by-hand.md).
 */
export function failWritesOfClosedConnections(): void {
  const driver: { once: Once & { readonly endsWithClose?: true } } = requireOfMongoose("mongodb/lib/utils.js");
  const original = driver.once;
  if (original.endsWithClose) return;
  const ending: Once = async (emitter, event, options) => {
    if (event !== "drain") return original(emitter, event, options);
    const closed = new mongo.MongoNetworkError("the connection closed while it was written to");
    if (emitter.closed) throw closed;
    const done = new AbortController();
    const close = once(emitter, "close", { signal: done.signal }).then(() => {
      throw closed;
    });
    close.catch(() => undefined);
    try {
      return await Promise.race([original(emitter, event, options), close]);
    } finally {
      done.abort();
    }
  };
  driver.once = Object.assign(ending, { endsWithClose: true as const });
}
