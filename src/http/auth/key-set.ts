import { createPublicKey } from "node:crypto";
import { z } from "zod";
import { boundedResponse } from "../../lib/bounded-response.js";
import { singleFlight } from "../../lib/single-flight.js";
import { within } from "../../lib/within.js";

const fetchTimeoutMs = 5_000;
const maxReplyBytes = 256 * 1024;
/** Age below which keys are used without asking the provider. */
const freshMs = 5 * 60_000;
/** Age up to which keys are used in an outage. */
const usableMs = 24 * 60 * 60_000;
/** Unknown key ids and outages cause at most `maxFetches` in each window. */
const maxFetches = 4;
const fetchWindowMs = 30_000;

/**
 * Finds a public key (PEM) by its id; undefined when the identity provider does not know the id.
 * @throws when the provider is unavailable and the key is not cached.
 */
export type FindPublicKey = (keyId: string) => Promise<string | undefined>;

interface ProviderAccount {
  readonly secretKey: string;
  readonly apiUrl?: string | undefined;
}

const KeySet = z.object({
  keys: z.array(z.object({ kid: z.string(), kty: z.string(), n: z.string().default(""), e: z.string().default("") })),
});

/** Fetches the provider's key set when it is needed, and keeps it. In an outage cached keys stay usable for a day. */
export function createKeySet(account: ProviderAccount): FindPublicKey {
  let keys = new Map<string, string>();
  let fetchedAt = 0;
  let fetchStarts: number[] = [];
  let failure: unknown;

  const refresh = singleFlight(async () => {
    const now = Date.now();
    fetchStarts = fetchStarts.filter((start) => start > now - fetchWindowMs);
    if (fetchStarts.length < maxFetches) {
      fetchStarts.push(now);
      try {
        keys = await within({ ms: fetchTimeoutMs }, (signal) => fetchKeys(account, signal));
        fetchedAt = Date.now();
        failure = undefined;
      } catch (error) {
        failure = error;
      }
    }
    if (failure) throw new Error("the identity provider's key set is unavailable", { cause: failure });
  });

  return async (keyId) => {
    const ageMs = Date.now() - fetchedAt;
    const key = ageMs < usableMs ? keys.get(keyId) : undefined;
    if (key && ageMs < freshMs) return key;
    const refreshed = refresh();
    if (!key) await refreshed;
    // In an outage only the first request waits for the provider.
    else if (failure) refreshed.catch(() => undefined);
    else await refreshed.catch(() => undefined);
    return failure ? key : keys.get(keyId);
  };
}

/** Not by the provider's client, which can neither end a call nor bound its reply. */
async function fetchKeys(
  { secretKey, apiUrl = "https://api.clerk.com" }: ProviderAccount,
  signal: AbortSignal,
): Promise<Map<string, string>> {
  const reply = await fetch(`${apiUrl}/v1/jwks`, {
    headers: { authorization: `Bearer ${secretKey}` },
    redirect: "error",
    signal,
  });
  if (!reply.ok) {
    await reply.body?.cancel();
    throw new Error(`it answered ${reply.status}`);
  }
  const { keys } = KeySet.parse(await boundedResponse(reply, maxReplyBytes).json());
  const usable = keys.filter(({ kty }) => kty === "RSA");
  if (usable.length === 0) throw new Error("it holds no RSA key");
  return new Map(
    usable.map(({ kid, kty, n, e }) => {
      const key = createPublicKey({ key: { kty, n, e }, format: "jwk" });
      return [kid, key.export({ type: "spki", format: "pem" }).toString()];
    }),
  );
}
