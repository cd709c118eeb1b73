import { type ClientRateLimitInfo, MemoryStore, type Options, type Store } from "express-rate-limit";
import type { Logger } from "pino";
import { RedisStore, type SendCommandFn } from "rate-limit-redis";
import { createClient } from "redis";
import type { StoreFactory } from "./rate-limits.js";

export interface SharedCounters {
  readonly storeFor: StoreFactory;
  close(): Promise<void>;
}

/**
 * Counters in Redis, shared by all instances. While Redis is away (at start or later) counting goes on in process, and
 * requests never wait for it: commands fail at once when there is no connection, and after a second otherwise.
 */
export function createSharedCounters(url: string, log: Logger): SharedCounters {
  const client = createClient({
    url,
    disableOfflineQueue: true,
    commandOptions: { timeout: 1_000 },
    socket: { connectTimeout: 2_000, reconnectStrategy: (retries) => Math.min(100 * 2 ** retries, 5_000) },
  });
  let away = false;
  client.on("ready", () => {
    if (away) log.info("rate-limit store is back");
    away = false;
  });
  client.on("error", (error: Error) => {
    if (!away) log.warn({ cause: error.message }, "rate-limit store is away: counting in process");
    away = true;
  });
  client.connect().catch(() => undefined);
  const send: SendCommandFn = (...args) => client.sendCommand(args);
  return {
    storeFor: (scope) => new FallbackStore(`lyceum:limit:${scope}:`, send),
    async close() {
      client.destroy();
    },
  };
}

class FallbackStore implements Store {
  readonly #local = new MemoryStore();
  #options: Options | undefined;
  #shared: RedisStore | undefined;

  constructor(
    readonly prefix: string,
    private readonly send: SendCommandFn,
  ) {}

  init(options: Options): void {
    this.#options = options;
    this.#local.init(options);
  }

  /** Made at first success: it loads its scripts when it is initialised, which needs a connection. */
  async #redis(): Promise<RedisStore> {
    if (this.#shared) return this.#shared;
    if (!this.#options) throw new Error("the store is used before it is initialised");
    const store = new RedisStore({ prefix: this.prefix, sendCommand: this.send });
    await store.init(this.#options);
    this.#shared = store;
    return store;
  }

  async increment(key: string): Promise<ClientRateLimitInfo> {
    const local = await this.#local.increment(key);
    try {
      return await (await this.#redis()).increment(key);
    } catch {
      return local;
    }
  }

  async decrement(key: string): Promise<void> {
    await this.#local.decrement(key);
    await this.#redis()
      .then((store) => store.decrement(key))
      .catch(() => undefined);
  }

  async resetKey(key: string): Promise<void> {
    await this.#local.resetKey(key);
    await this.#redis()
      .then((store) => store.resetKey(key))
      .catch(() => undefined);
  }
}
