import { setTimeout as sleep } from "node:timers/promises";
import { LRUCache } from "lru-cache";
import { z } from "zod";

/** The provider's keys cannot be had, and without them a token cannot be judged. */
export class KeySetUnavailable extends Error {
  constructor(cause?: unknown) {
    super(`the identity provider's key set cannot be had: ${cause instanceof Error ? cause.message : "it is paused"}`, {
      cause,
    });
    this.name = "KeySetUnavailable";
  }
}

const Key = z.looseObject({ kid: z.string(), kty: z.literal("RSA"), n: z.string(), e: z.string() });
export type Key = z.output<typeof Key>;
const KeySetReply = z.object({ keys: z.array(z.looseObject({ kid: z.string(), kty: z.string() })) });

/** All times are in milliseconds. */
const limits = {
  /** How long one fetch may take. */
  deadlineMs: 5_000,
  /** Keys younger than this are used without a look at the provider. */
  freshMs: 5 * 60_000,
  /** Keys that no fetch could confirm are used for so long. */
  longestUseMs: 24 * 60 * 60_000,
  /** An id that a fetched key set did not have is refused for so long without another fetch. */
  unknownMs: 30_000,
  /** Unknown ids may cause so many fetches at once, and one more in each of these times. */
  fetchesForUnknown: 4,
  oneMoreMs: 15_000,
  /** The first pause after a failure; each further failure doubles it up to the longest. */
  firstPauseMs: 500,
  longestPauseMs: 60_000,
  /** A provider that names a pause itself (`Retry-After`) is left alone for so long at most. */
  longestAskedPauseMs: 10 * 60_000,
  /** A request waits for the end of a pause that is shorter; with a longer one left it fails at once. */
  patienceMs: 1_000,
  /** Bytes read of a reply. */
  longestReply: 262_144,
};

export interface KeySource {
  readonly secretKey: string;
  readonly apiUrl?: string | undefined;
}

export interface KeySet {
  /**
   * The public key of that id; undefined when the provider does not know it.
   * @throws KeySetUnavailable when the provider cannot be asked and the id is not known from before.
   */
  find(kid: string): Promise<Key | undefined>;
}

/**
 * The identity provider's public keys, fetched when they are needed. One fetch runs at a time, and all callers share
 * it. A provider that fails is left alone for growing pauses; keys that were good stay good meanwhile, for a day at
 * most. Key ids that nothing is known of cannot cause more than a few fetches a minute.
 */
export function createKeySet(source: KeySource): KeySet {
  const unknown = new LRUCache<string, true>({
    max: 10_000,
    ttl: limits.unknownMs,
    perf: { now: () => Date.now() },
  });
  const budget = fetchBudget();
  let known = new Map<string, Key>();
  let confirmedAt = Number.NEGATIVE_INFINITY;
  let failures = 0;
  let pausedUntil = Number.NEGATIVE_INFINITY;
  let loading: Promise<void> | undefined;

  async function load(): Promise<void> {
    const pause = pausedUntil - Date.now();
    if (pause > 0) await sleep(pause);
    try {
      known = await fetchKeys(source);
      confirmedAt = Date.now();
      failures = 0;
      for (const kid of known.keys()) unknown.delete(kid);
    } catch (error) {
      const growing = Math.min(limits.longestPauseMs, limits.firstPauseMs * 2 ** failures);
      const asked = error instanceof Refused ? Math.min(error.retryAfterMs, limits.longestAskedPauseMs) : 0;
      failures += 1;
      pausedUntil = Date.now() + Math.max(growing, asked);
      throw new KeySetUnavailable(error);
    }
  }

  /** Shares the fetch under way. During a long pause nothing is asked. */
  function refresh(): Promise<void> {
    if (loading) return loading;
    if (pausedUntil - Date.now() > limits.patienceMs) return Promise.reject(new KeySetUnavailable());
    loading = load().finally(() => {
      loading = undefined;
    });
    return loading;
  }

  return {
    async find(kid) {
      const age = Date.now() - confirmedAt;
      if (age >= limits.longestUseMs) known.clear();
      const key = known.get(kid);
      if (key) {
        if (age < limits.freshMs) return key;
        const refreshed = refresh().catch(() => undefined);
        // Only the first request of an outage waits to learn of it.
        if (failures > 0) return key;
        await refreshed;
        return known.get(kid);
      }
      if (unknown.has(kid)) return undefined;
      if (known.size > 0 && !loading && !budget.take()) return undefined;
      await refresh();
      if (!known.has(kid)) unknown.set(kid, true);
      return known.get(kid);
    },
  };
}

/** A few at once, then one for each time that has passed. */
function fetchBudget() {
  let left = limits.fetchesForUnknown;
  let countedAt = Date.now();
  return {
    take(): boolean {
      const more = Math.floor((Date.now() - countedAt) / limits.oneMoreMs);
      if (more > 0) {
        left = Math.min(limits.fetchesForUnknown, left + more);
        countedAt += more * limits.oneMoreMs;
      }
      if (left === 0) return false;
      left -= 1;
      return true;
    },
  };
}

class Refused extends Error {
  constructor(
    status: number,
    readonly retryAfterMs: number,
  ) {
    super(`it answered ${status}`);
  }
}

async function fetchKeys({ secretKey, apiUrl = "https://api.clerk.com" }: KeySource): Promise<Map<string, Key>> {
  const reply = await fetch(`${apiUrl}/v1/jwks`, {
    headers: { authorization: `Bearer ${secretKey}` },
    signal: AbortSignal.timeout(limits.deadlineMs),
  });
  if (!reply.ok) {
    await reply.body?.cancel();
    const seconds = Number(reply.headers.get("retry-after"));
    throw new Refused(reply.status, Number.isFinite(seconds) && seconds > 0 ? seconds * 1_000 : 0);
  }
  const { keys } = KeySetReply.parse(JSON.parse(await textOf(reply)));
  const usable = keys.flatMap((key) => Key.safeParse(key).data ?? []);
  if (usable.length === 0) throw new Error("it holds no RSA key");
  return new Map(usable.map((key) => [key.kid, { ...key, alg: "RS256" }]));
}

/** The body as text. @throws when it is longer than is read. */
async function textOf(reply: Response): Promise<string> {
  const pieces: Uint8Array[] = [];
  let length = 0;
  for await (const piece of reply.body ?? []) {
    length += piece.length;
    if (length > limits.longestReply) throw new Error(`its reply is over ${limits.longestReply} bytes`);
    pieces.push(piece);
  }
  return Buffer.concat(pieces).toString();
}
