import { type ClientRateLimitInfo, MemoryStore, type Options, type Store } from "express-rate-limit";
import type { Logger } from "pino";
import { type RedisReply, RedisStore, type SendCommandFn } from "rate-limit-redis";
import { createClient } from "redis";
import { within } from "../../lib/within.js";
import type { StoreFactory } from "./rate-limits.js";

export interface SharedCounters {
  readonly storeFor: StoreFactory;
  close(): Promise<void>;
}

/** Time limit of a Redis command. */
const commandMs = 1_000;
/** Time without commands after a command that exceeded its limit. */
const restMs = 5_000;

/**
 * Counters in Redis, shared by all instances. While Redis is unavailable, each instance counts in process. Commands fail
 * at once without a connection, and after a second when Redis is silent.
 */
export function createSharedCounters(url: string, log: Logger): SharedCounters {
  const client = createClient({
    url,
    disableOfflineQueue: true,
    socket: { connectTimeout: 2_000, reconnectStrategy: (retries) => Math.min(100 * 2 ** retries, 5_000) },
  });
  let isAway = false;
  const report: Report = (error) => {
    const wasAway = isAway;
    isAway = error !== undefined;
    const cause = error instanceof Error ? error.message : String(error);
    if (isAway && !wasAway)
      log.warn({ eventId: "rate_limit_store_away", cause }, "rate-limit store is away: counting in process");
    if (!isAway && wasAway) log.info({ eventId: "rate_limit_store_back" }, "rate-limit store is back");
  };
  client.on("ready", () => report());
  client.on("error", report);
  client.connect().catch(() => undefined);
  let restsUntil = 0;
  const send: SendCommandFn = async (...args) => {
    if (performance.now() < restsUntil) throw new Error("the rate-limit store is silent");
    const late = () => {
      restsUntil = performance.now() + restMs;
      throw new Error(`the rate-limit store took over ${commandMs} ms`);
    };
    // The client's own timeout covers only the writing of a command.
    return within({ ms: commandMs, late }, () => client.sendCommand<RedisReply>(args));
  };
  return {
    storeFor: (scope) => new FallbackStore(`lyceum:limit:${scope}:`, send, report),
    async close() {
      client.destroy();
    },
  };
}

/** Logs the first error in a row, and the recovery. */
type Report = (error?: unknown) => void;

class FallbackStore implements Store {
  readonly #local = new MemoryStore();
  #options: Options | undefined;
  #shared: RedisStore | undefined;

  constructor(
    readonly prefix: string,
    private readonly send: SendCommandFn,
    private readonly report: Report,
  ) {}

  init(options: Options): void {
    this.#options = options;
    this.#local.init(options);
  }

  /** Creates the Redis store on first success, because its initialisation needs a connection. */
  async #redis(): Promise<RedisStore> {
    if (this.#shared) return this.#shared;
    if (!this.#options) throw new Error("the store is used before it is initialised");
    const store = new RedisStore({ prefix: this.prefix, sendCommand: this.send });
    await store.init(this.#options);
    this.#shared = store;
    return store;
  }

  async get(key: string): Promise<ClientRateLimitInfo | undefined> {
    try {
      return await (await this.#redis()).get(key);
    } catch (error) {
      this.report(error);
      return this.#local.get(key);
    }
  }

  async increment(key: string): Promise<ClientRateLimitInfo> {
    // A copy, because later requests change the store's entry while this request waits.
    const local = { ...(await this.#local.increment(key)) };
    try {
      const shared = await (await this.#redis()).increment(key);
      this.report();
      return shared;
    } catch (error) {
      this.report(error);
      return local;
    }
  }

  // The limiter calls neither of these with the options that it has here.
  decrement(key: string): Promise<void> {
    return this.#local.decrement(key);
  }

  resetKey(key: string): Promise<void> {
    return this.#local.resetKey(key);
  }
}
