import { createHmac, timingSafeEqual } from "node:crypto";
import type { z } from "zod";
import type { Config } from "../config.js";
import { within } from "../lib/within.js";
import type { Bounds } from "./bounds.js";
import {
  type ListedOrder,
  ListedOrderReply,
  type ListedRefund,
  ListedRefundReply,
  many,
  OrderReply,
  PaymentReply,
  type ProviderOrder,
  type ProviderPayment,
  type ProviderRefund,
  SingleRefundReply,
} from "./razorpay-replies.js";

/** A page of items that were created from `from` to `to`, both included, newest first. */
export interface Page {
  readonly from: Date;
  readonly to: Date;
  /** Number of newer items to leave out. */
  readonly skip: number;
}

/** Items of the provider's longest page. A shorter page is the last one. */
export const pageLength = 100;

/** The calls of the payment provider's API. Every call ends within 10 s. */
export interface Payments {
  /** Public key for the browser's checkout. */
  readonly keyId: string;
  /**
   * Creates an order. @param order `receipt` is ours and unique.
   * @throws ProviderFault. Unless the fault is `refused`, the order may exist. Find it by its receipt.
   */
  createOrder(order: {
    amountMinor: number;
    currency: string;
    receipt: string;
    notes: Record<string, string>;
  }): Promise<ProviderOrder>;
  findOrders(receipt: string): Promise<ProviderOrder[]>;
  paymentsOfOrder(orderId: string): Promise<ProviderPayment[]>;
  /**
   * Refunds a captured payment. @param refund without `amountMinor`, the rest of the payment. `idempotencyKey` becomes the
   * receipt of the refund. Repeating the key moves no money.
   */
  refund(refund: {
    paymentId: string;
    amountMinor?: number | undefined;
    idempotencyKey: string;
  }): Promise<ProviderRefund>;
  /** Returns the refunds of a payment in every status. */
  refundsOfPayment(paymentId: string): Promise<ProviderRefund[]>;
  listOrders(page: Page): Promise<ListedOrder[]>;
  listPayments(page: Page): Promise<ProviderPayment[]>;
  listRefunds(page: Page): Promise<ListedRefund[]>;
  /** Whether the checkout signed this pair with our key secret. Takes constant time. */
  checkoutSigned(orderId: string, paymentId: string, signature: string): boolean;
}

/**
 * A failed call of the provider. `refused`: the provider refused the request; otherwise the result is unknown.
 * `unreadable`: the reply did not have the expected fields.
 */
export class ProviderFault extends Error {
  constructor(
    readonly operation: string,
    readonly refused: boolean,
    detail: string,
    readonly unreadable = false,
  ) {
    super(`payment provider, ${operation}: ${detail}`);
    this.name = "ProviderFault";
  }
}

/** The longest page of payments has about 200 kB. */
const defaultBounds: Bounds = { deadlineMs: 10_000, longestReply: 1024 * 1024 };

/** The used parts of the SDK's axios instance, because the SDK has no option for address, deadline or headers. */
interface Transport {
  defaults: { baseURL?: string; proxy?: false; maxContentLength: number; maxRedirects?: number };
  interceptors: {
    request: { use(prepare: <T extends object>(call: T) => T & { signal: AbortSignal }): void };
    response: { use(ok: undefined, failed: (error: TransportError) => never): void };
  };
  post(path: string, body: unknown, options: { headers: Record<string, string> }): Promise<{ data: unknown }>;
}
type TransportError = Error & { code?: string; response?: { status: number; data: unknown } };

/** Loads the SDK when it is used, because it takes much memory. */
async function openSdk(config: Config["payments"], bounds: Bounds, signal: AbortSignal) {
  const { default: Razorpay } = await import("razorpay");
  const sdk = new Razorpay({ key_id: config.keyId, key_secret: config.keySecret });
  const transport = (sdk as unknown as { api: { rq: Transport } }).api.rq;
  // A configured address is called without the proxy of the environment, which is for the internet.
  if (config.apiUrl) Object.assign(transport.defaults, { baseURL: config.apiUrl, proxy: false });
  transport.defaults.maxContentLength = bounds.longestReply;
  // No redirects, so that our key cannot be sent to another host.
  transport.defaults.maxRedirects = 0;
  // The transport's own timeout ends with the first byte of the reply.
  transport.interceptors.request.use((call) => ({ ...call, signal }));
  // The SDK reads `response.status` of every failure, network errors included.
  transport.interceptors.response.use(undefined, (error) => {
    error.response ??= { status: 503, data: { error: { description: error.message } } };
    throw error;
  });
  return { sdk, transport };
}

type Opened = Awaited<ReturnType<typeof openSdk>>;
type Sdk = Opened["sdk"];

export function createPayments(config: Config["payments"], bounds = defaultBounds): Payments {
  /** Makes a call with an SDK of its own, whose requests the deadline aborts. */
  const send = <T>(call: (opened: Opened) => Promise<T>): Promise<T> =>
    within({ ms: bounds.deadlineMs }, async (signal) => call(await openSdk(config, bounds, signal)));
  /** Reads the items of a list. */
  const list = async <S extends z.ZodType>(operation: string, item: S, call: (sdk: Sdk) => Promise<unknown>) =>
    (
      await ask(
        operation,
        many(item),
        send(({ sdk }) => call(sdk)),
      )
    ).items;
  return {
    keyId: config.keyId,
    createOrder({ amountMinor, currency, receipt, notes }) {
      // Without this field, an account with manual capture would never capture the payment.
      const order = { amount: amountMinor, currency, receipt, notes, payment_capture: true };
      return ask(
        "create order",
        OrderReply,
        send(({ sdk }) => sdk.orders.create(order)),
      );
    },
    async findOrders(receipt) {
      const query = { receipt } as Parameters<Sdk["orders"]["all"]>[0];
      const found = await list("find order", OrderReply, (sdk) => sdk.orders.all(query));
      return found.filter((order) => order.receipt === receipt);
    },
    paymentsOfOrder: (orderId) => list("payments of order", PaymentReply, (sdk) => sdk.orders.fetchPayments(orderId)),
    refund({ paymentId, amountMinor, idempotencyKey }) {
      const path = `/v1/payments/${encodeURIComponent(paymentId)}/refund`;
      const headers = { "X-Refund-Idempotency": idempotencyKey };
      const reference = { receipt: idempotencyKey, notes: { reference: idempotencyKey } };
      const body = amountMinor === undefined ? reference : { ...reference, amount: amountMinor };
      const call = send(({ transport }) =>
        transport.post(path, body, { headers }).then(
          ({ data }) => data,
          (error: TransportError) => {
            throw { statusCode: error.response?.status, error: (error.response?.data as { error?: unknown })?.error };
          },
        ),
      );
      return ask("refund", SingleRefundReply, call);
    },
    refundsOfPayment: (paymentId) =>
      list("refunds of payment", SingleRefundReply, (sdk) =>
        sdk.payments.fetchMultipleRefund(paymentId, { count: pageLength }),
      ),
    listOrders: (page) => list("list orders", ListedOrderReply, (sdk) => sdk.orders.all(toQuery(page))),
    listPayments: (page) => list("list payments", PaymentReply, (sdk) => sdk.payments.all(toQuery(page))),
    listRefunds: (page) => list("list refunds", ListedRefundReply, (sdk) => sdk.refunds.all(toQuery(page))),
    checkoutSigned(orderId, paymentId, signature) {
      const expected = createHmac("sha256", config.keySecret).update(`${orderId}|${paymentId}`).digest("hex");
      return sameText(signature, expected);
    },
  };
}

const seconds = (time: Date): number => Math.floor(time.getTime() / 1_000);

const toQuery = ({ from, to, skip }: Page) => ({ from: seconds(from), to: seconds(to), skip, count: pageLength });

interface SdkError {
  readonly statusCode?: unknown;
  readonly error?: { readonly description?: unknown };
}

/** Statuses that are no refusal of the request: wrong keys, timeout, too many requests. */
const undecidedStatuses = new Set([401, 403, 408, 429]);

/**
 * Waits for a call of the SDK, which rejects with plain objects, and reads its reply.
 * @throws ProviderFault. For an unreadable reply the fault names the missing fields.
 */
async function ask<S extends z.ZodType>(operation: string, schema: S, call: Promise<unknown>): Promise<z.output<S>> {
  const reply = await call.catch((error: SdkError | Error | undefined) => {
    if (error instanceof Error) throw new ProviderFault(operation, false, `503 ${error.message}`);
    const status = typeof error?.statusCode === "number" ? error.statusCode : 503;
    const refused = status >= 400 && status < 500 && !undecidedStatuses.has(status);
    throw new ProviderFault(operation, refused, `${status} ${String(error?.error?.description ?? "no answer")}`);
  });
  const parsed = schema.safeParse(reply);
  if (parsed.success) return parsed.data;
  const fields = new Set(parsed.error.issues.map(({ path }) => path.join(".") || "(reply)"));
  const named = [...fields].slice(0, maxFieldsNamed).join(", ");
  throw new ProviderFault(operation, false, `a reply without a readable ${named}`, true);
}

const maxFieldsNamed = 5;

/** Compares two texts of one length in constant time. */
export function sameText(text: string, expected: string): boolean {
  const a = Buffer.from(text);
  const b = Buffer.from(expected);
  return a.length === b.length && timingSafeEqual(a, b);
}
