import { once } from "node:events";
import { createRequire } from "node:module";
import { mongo } from "mongoose";

type Emitter = NodeJS.EventEmitter & { readonly closed?: boolean };
type Once = (emitter: Emitter, event: string, options?: { readonly signal?: AbortSignal }) => Promise<unknown>;

/** The driver that Mongoose uses. */
const ofMongoose = createRequire(createRequire(import.meta.url).resolve("mongoose"));

/**
 * Ends a write of the database driver (mongodb 7) whose connection closes. The driver waits for `drain` or `error` of
 * the socket, and neither comes when the socket times out or is closed meanwhile: the operation would wait for ever,
 * and a heartbeat that waits so keeps the database away until the process is restarted.
 */
export function failWritesOfClosedConnections(): void {
  const driver: { once: Once & { readonly endsWithClose?: true } } = ofMongoose("mongodb/lib/utils.js");
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

/** Longer than a heartbeat takes at most: the driver's pause of 10 s, and the time for connecting. */
const heartbeatMs = 15_000;

interface Monitor {
  connect(): void;
  close(): void;
}

/**
 * Starts a heartbeat of the database driver anew that never ends: until then the driver takes the database for away.
 * The driver has no call for that; its monitors are reached through its topology.
 */
export function restartStuckHeartbeats(client: mongo.MongoClient, longestMs = heartbeatMs): void {
  const begun = new Map<string, NodeJS.Timeout>();
  const end = (address: string) => {
    clearTimeout(begun.get(address));
    begun.delete(address);
  };
  const restart = (address: string) => {
    begun.delete(address);
    const { topology } = client as unknown as { topology?: { s: { servers: Map<string, { monitor?: Monitor }> } } };
    const monitor = topology?.s.servers.get(address)?.monitor;
    monitor?.close();
    monitor?.connect();
  };
  client.on("serverHeartbeatStarted", ({ connectionId: address }) => {
    end(address);
    begun.set(address, setTimeout(restart, longestMs, address).unref());
  });
  client.on("serverHeartbeatSucceeded", ({ connectionId }) => end(connectionId));
  client.on("serverHeartbeatFailed", ({ connectionId }) => end(connectionId));
  client.on("serverClosed", ({ address }) => end(address));
}
