import { createHmac, timingSafeEqual } from "node:crypto";
import Razorpay from "razorpay";
import type { z } from "zod";
import type { Config } from "../config.js";
import type { Bounds } from "./bounds.js";
import {
  type ListedOrder,
  ListedOrderReply,
  type ListedPayment,
  ListedPaymentReply,
  type ListedRefund,
  ListedRefundReply,
  many,
  OrderReply,
  PaymentReply,
  type ProviderOrder,
  type ProviderPayment,
  type ProviderRefund,
  RefundReply,
  toOrder,
  toPayment,
  toRefund,
} from "./razorpay-replies.js";

/** One page of a list: what was created from `from` to `to`, both included, newest first. */
export interface Page {
  readonly from: Date;
  readonly to: Date;
  /** How many newer ones are left out. */
  readonly skip: number;
}

/** The provider's longest page. A shorter one is the last. */
export const pageLength = 100;

/** What the server asks of the payment provider. Every call ends within 10 s. */
export interface Payments {
  /** What the browser's checkout needs to know. */
  readonly keyId: string;
  /**
   * Opens an order. @param order `receipt` is ours and unique.
   * @throws ProviderFault; unless it is `refused`, an order may exist all the same: look for it by receipt.
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
   * Pays a captured payment back. @param refund without `amountMinor`, what is left. `idempotencyKey` is its receipt as
   * well: the same one again moves no money, and the refund is recognised by it.
   */
  refund(refund: {
    paymentId: string;
    amountMinor?: number | undefined;
    idempotencyKey: string;
  }): Promise<ProviderRefund>;
  /** Every refund of a payment, whatever its status. */
  refundsOfPayment(paymentId: string): Promise<ProviderRefund[]>;
  listOrders(page: Page): Promise<ListedOrder[]>;
  listPayments(page: Page): Promise<ListedPayment[]>;
  listRefunds(page: Page): Promise<ListedRefund[]>;
  /** Whether the checkout signed this pair with our key secret. Constant time for any input. */
  checkoutSigned(orderId: string, paymentId: string, signature: string): boolean;
}

/**
 * The provider did not do what it was asked: `refused` = a 4xx about what was asked, otherwise the result is unknown.
 * `unreadable` = it answered with something else than the reply that was asked for.
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

/** The longest page of payments has some 200 kB. */
const usual: Bounds = { deadlineMs: 10_000, longestReply: 1024 * 1024 };

/**
 * The part of the SDK's axios instance that is used: the SDK has no option for address, deadline or request headers.
 */
interface Transport {
  defaults: { baseURL?: string; proxy?: false; maxContentLength: number; maxRedirects?: number };
  interceptors: {
    request: { use(prepare: <T extends object>(call: T) => T & { signal: AbortSignal }): void };
    response: { use(ok: undefined, failed: (error: TransportError) => never): void };
  };
  post(path: string, body: unknown, options: { headers: Record<string, string> }): Promise<{ data: unknown }>;
}
type TransportError = Error & { code?: string; response?: { status: number; data: unknown } };

export function createPayments(config: Config["payments"], bounds = usual): Payments {
  const sdk = new Razorpay({ key_id: config.keyId, key_secret: config.keySecret });
  const transport = (sdk as unknown as { api: { rq: Transport } }).api.rq;
  // An address that was configured is called directly: a proxy of the environment is for the internet.
  if (config.apiUrl) Object.assign(transport.defaults, { baseURL: config.apiUrl, proxy: false });
  transport.defaults.maxContentLength = bounds.longestReply;
  // A payment API does not redirect, and our key must not go where a redirect leads.
  transport.defaults.maxRedirects = 0;
  // The transport's own time-out ends with the first byte of the reply.
  transport.interceptors.request.use((call) => ({ ...call, signal: AbortSignal.timeout(bounds.deadlineMs) }));
  // The SDK reads `response.status` of every failure, network errors included.
  transport.interceptors.response.use(undefined, (error) => {
    const description = error.code === "ERR_CANCELED" ? `took over ${bounds.deadlineMs} ms` : error.message;
    error.response ??= { status: 503, data: { error: { description } } };
    throw error;
  });

  return {
    keyId: config.keyId,
    async createOrder({ amountMinor, currency, receipt, notes }) {
      // Accounts may be set to capture by hand: then a payment would never become ours.
      const order = { amount: amountMinor, currency, receipt, notes, payment_capture: true };
      const reply = await ask("create order", sdk.orders.create(order));
      return toOrder(read("create order", OrderReply, reply), receipt);
    },
    async findOrders(receipt) {
      const reply = await ask("find order", sdk.orders.all({ receipt } as Parameters<typeof sdk.orders.all>[0]));
      const { items } = read("find order", many(OrderReply), reply);
      return items.filter((order) => order.receipt === receipt).map((order) => toOrder(order, receipt));
    },
    async paymentsOfOrder(orderId) {
      const reply = await ask("payments of order", sdk.orders.fetchPayments(orderId));
      return read("payments of order", many(PaymentReply), reply).items.map(toPayment);
    },
    async refund({ paymentId, amountMinor, idempotencyKey }) {
      const path = `/v1/payments/${encodeURIComponent(paymentId)}/refund`;
      const headers = { "X-Refund-Idempotency": idempotencyKey };
      const named = { receipt: idempotencyKey, notes: { reference: idempotencyKey } };
      const wanted = { ...named, ...(amountMinor === undefined ? {} : { amount: amountMinor }) };
      const call = transport.post(path, wanted, { headers }).catch((error: TransportError) => {
        throw { statusCode: error.response?.status, error: (error.response?.data as { error?: unknown })?.error };
      });
      return toRefund(read("refund", RefundReply, (await ask("refund", call)).data));
    },
    async refundsOfPayment(paymentId) {
      const call = sdk.payments.fetchMultipleRefund(paymentId, { count: pageLength });
      const reply = await ask("refunds of payment", call);
      return read("refunds of payment", many(RefundReply), reply).items.map(toRefund);
    },
    async listOrders(page) {
      const reply = await ask("list orders", sdk.orders.all(toQuery(page)));
      return read("list orders", many(ListedOrderReply), reply).items.map(({ id, receipt = null, status, notes }) => ({
        id,
        receipt,
        paid: status === "paid",
        notes,
      }));
    },
    async listPayments(page) {
      const reply = await ask("list payments", sdk.payments.all(toQuery(page)));
      const { items } = read("list payments", many(ListedPaymentReply), reply);
      return items.map((payment) => ({ ...toPayment(payment), notes: payment.notes }));
    },
    async listRefunds(page) {
      const reply = await ask("list refunds", sdk.refunds.all(toQuery(page)));
      const { items } = read("list refunds", many(ListedRefundReply), reply);
      return items.map((refund) => ({ ...toRefund(refund), paymentId: refund.payment_id }));
    },
    checkoutSigned(orderId, paymentId, signature) {
      const expected = createHmac("sha256", config.keySecret).update(`${orderId}|${paymentId}`).digest("hex");
      return sameText(signature, expected);
    },
  };
}

const seconds = (time: Date): number => Math.floor(time.getTime() / 1_000);

const toQuery = ({ from, to, skip }: Page) => ({ from: seconds(from), to: seconds(to), skip, count: pageLength });

/** Of these nothing was decided: our keys are not taken, it took too long, or too much was asked. */
const undecided = new Set([401, 403, 408, 429]);

/** Turns the SDK's plain-object rejections into errors. */
async function ask<T>(operation: string, call: Promise<T>): Promise<T> {
  try {
    return await call;
  } catch (error) {
    const { statusCode, error: detail } = (error ?? {}) as { statusCode?: unknown; error?: { description?: unknown } };
    const status = typeof statusCode === "number" ? statusCode : 503;
    const refused = status >= 400 && status < 500 && !undecided.has(status);
    throw new ProviderFault(operation, refused, `${status} ${String(detail?.description ?? "no answer")}`);
  }
}

/** A missing or malformed field is named, so that the log says what the provider has changed. */
function read<S extends z.ZodType>(operation: string, schema: S, reply: unknown): z.output<S> {
  const parsed = schema.safeParse(reply);
  if (parsed.success) return parsed.data;
  const fields = new Set(parsed.error.issues.map(({ path }) => path.join(".") || "(reply)"));
  const named = [...fields].slice(0, mostFieldsNamed).join(", ");
  throw new ProviderFault(operation, false, `a reply without a readable ${named}`, true);
}

const mostFieldsNamed = 5;

/** Equality in constant time; texts of another length are simply different. */
export function sameText(given: string, expected: string): boolean {
  const a = Buffer.from(given);
  const b = Buffer.from(expected);
  return a.length === b.length && timingSafeEqual(a, b);
}
