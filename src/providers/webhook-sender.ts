import { Resolver } from "node:dns/promises";
import { isIP } from "node:net";
import { isWebAddress } from "../lib/fields.js";
import { isLocalName, isLoopbackAddress, isPublicAddress } from "../lib/public-address.js";
import { OutOfTime, within } from "../lib/within.js";

/** Time limit of an attempt, from the look-up of the host to the head of the answer. */
export const attemptLimitMs = 10_000;

/** Bytes of an answer that are read. */
const maxAnswerBytes = 8_192;

const dnsOptions = { timeout: 3_000, tries: 2 };

/** The result of one attempt. Nothing of the answer's body is part of it. */
export interface ReceiverAnswer {
  /** Null without an answer. */
  readonly status: number | null;
  /** The header `Retry-After`. */
  readonly retryAfter?: string | undefined;
  /** Why nothing was delivered, in a few words; null for an answer with a status of 2xx. */
  readonly error: string | null;
}

export interface OutgoingRequest {
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

/** Sends messages to addresses that users have chosen. */
export interface WebhookSender {
  /** Whether a message may be sent to a URL, as far as the URL itself says. */
  isAllowed(url: string): boolean;
  /** Sends a message once. It fails only when `signal` aborts; every other failure is a result. */
  send(message: OutgoingRequest, signal: AbortSignal): Promise<ReceiverAnswer>;
}

export interface SenderOptions {
  /** Allows `http` and addresses of this machine. Never in production. */
  readonly isDevelopment: boolean;
  /** Looks up the addresses of a host. */
  readonly resolve?: (host: string) => Promise<string[]>;
  readonly limitMs?: number;
}

/**
 * Creates the client of webhooks. Each attempt looks up the host, checks every address, and connects to the addresses that
 * it has checked. An attempt has its own connection, because a kept connection would skip the look-up. Redirects are not
 * followed.
 */
export function createWebhookSender({
  isDevelopment,
  resolve = resolveHost,
  limitMs = attemptLimitMs,
}: SenderOptions): WebhookSender {
  const isAllowedAddress = (address: string): boolean =>
    isPublicAddress(address) || (isDevelopment && isLoopbackAddress(address));

  function isAllowed(text: string): boolean {
    // An address with credentials is none.
    if (!isWebAddress(text)) return false;
    const url = new URL(text);
    const isAllowedProtocol = url.protocol === "https:" || (isDevelopment && url.protocol === "http:");
    if (!isAllowedProtocol) return false;
    const host = hostOf(url);
    if (isIP(host)) return isAllowedAddress(host);
    return isDevelopment || !isLocalName(host);
  }

  async function checkedAddresses(host: string): Promise<string[]> {
    const isLocal = isDevelopment && isLocalName(host);
    const addresses = isIP(host) ? [host] : isLocal ? ["127.0.0.1", "::1"] : await resolve(host);
    if (addresses.length === 0) throw new SendError("The host was not found");
    if (!addresses.every(isAllowedAddress)) throw new SendError("The address is not allowed");
    return addresses;
  }

  return {
    isAllowed,
    async send({ url: text, headers, body }, signal) {
      try {
        return await within({ ms: limitMs, signal }, async (limited) => {
          if (!isAllowed(text)) throw new SendError("The address is not allowed");
          const url = new URL(text);
          const addresses = await checkedAddresses(hostOf(url));
          limited.throwIfAborted();
          return post(url, { addresses, headers, body, signal: limited });
        });
      } catch (error) {
        signal.throwIfAborted();
        const isLate = error instanceof OutOfTime;
        return { status: null, error: isLate ? `No answer within ${limitMs / 1_000} seconds` : describeError(error) };
      }
    },
  };
}

class SendError extends Error {}

const hostOf = ({ hostname }: URL): string => hostname.replace(/^\[(.*)\]$/, "$1").replace(/\.$/, "");

async function post(
  url: URL,
  request: Omit<OutgoingRequest, "url"> & { addresses: readonly string[]; signal: AbortSignal },
): Promise<ReceiverAnswer> {
  const { addresses, headers, body, signal } = request;
  const { Client } = await import("undici");
  const found = addresses.map((address) => ({ address, family: isIP(address) }));
  const client = new Client(url.origin, {
    // The connection goes to the checked addresses and to no other.
    connect: {
      lookup: (_host, { all }, done) =>
        all ? done(null, found) : done(null, found[0]?.address ?? "", found[0]?.family ?? 0),
    },
  });
  try {
    const {
      statusCode,
      headers: answer,
      body: rest,
    } = await client.request({
      method: "POST",
      path: url.pathname + url.search,
      headers,
      body,
      signal,
    });
    await rest.dump({ limit: maxAnswerBytes, signal }).catch(() => undefined);
    const retryAfter = [answer["retry-after"]].flat()[0];
    return { status: statusCode, retryAfter, error: describeStatus(statusCode) };
  } finally {
    await client.destroy();
  }
}

function describeStatus(status: number): string | null {
  if (status >= 200 && status < 300) return null;
  return status >= 300 && status < 400 ? "Redirects are not followed" : `Answered with status ${status}`;
}

function describeError(error: unknown): string {
  if (error instanceof SendError) return error.message;
  const { code = "" } = error as { code?: string };
  if (/^(ENOTFOUND|ENODATA|ESERVFAIL|ETIMEOUT|EAI_\w+)$/.test(code)) return "The host was not found";
  if (code === "ECONNREFUSED") return "The connection was refused";
  return /CERT|TLS|SSL/.test(code) ? "The certificate is not valid" : "The connection failed";
}

/**
 * Looks up the addresses of a host by the DNS alone. It does not use `dns.lookup`, because a few slow look-ups there hold
 * up all file operations of the process.
 */
async function resolveHost(host: string): Promise<string[]> {
  const resolver = new Resolver(dnsOptions);
  const results = await Promise.allSettled([resolver.resolve4(host), resolver.resolve6(host)]);
  const addresses = results.flatMap((result) => (result.status === "fulfilled" ? result.value : []));
  const failed = results.find((result) => result.status === "rejected");
  if (addresses.length === 0 && failed) throw failed.reason;
  return addresses;
}
