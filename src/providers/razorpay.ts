import { createHmac, timingSafeEqual } from "node:crypto";
import Razorpay from "razorpay";
import { z } from "zod";
import type { Config } from "../config.js";
import type { Bounds } from "./bounds.js";

/** Amounts are in minor units of `currency` (ISO 4217). */
export interface ProviderOrder {
  readonly id: string;
  readonly amountMinor: number;
  readonly currency: string;
  readonly receipt: string;
}

export interface ProviderPayment {
  readonly id: string;
  readonly orderId: string | null;
  readonly amountMinor: number;
  readonly currency: string;
  /** True from the capture on, also when it was refunded later. */
  readonly captured: boolean;
}

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
  /** Pays a captured payment back. The same `idempotencyKey` again moves no money. @returns the refund's id. */
  refund(refund: { paymentId: string; amountMinor: number; idempotencyKey: string }): Promise<string>;
  /** The refunds of a payment that are processed, amounts in minor units. */
  refundsOfPayment(paymentId: string): Promise<{ id: string; amountMinor: number }[]>;
  /** Whether the checkout signed this pair with our key secret. Constant time for any input. */
  checkoutSigned(orderId: string, paymentId: string, signature: string): boolean;
}

/** The provider did not do what it was asked: `refused` = it said no (4xx), otherwise what it did is unknown. */
export class ProviderFault extends Error {
  constructor(
    readonly operation: string,
    readonly refused: boolean,
    detail: string,
  ) {
    super(`payment provider, ${operation}: ${detail}`);
    this.name = "ProviderFault";
  }
}

/** A page of orders is some 10 kB. */
const usual: Bounds = { deadlineMs: 10_000, longestReply: 1024 * 1024 };

const OpenedOrder = z.object({ id: z.string().min(1) });
const Order = OpenedOrder.extend({
  amount: z.number(),
  currency: z.string(),
  receipt: z.string().nullish(),
});
const Payment = z.object({
  id: z.string().min(1),
  order_id: z.string().nullish(),
  amount: z.number(),
  currency: z.string(),
  status: z.string(),
});
const Refund = z.object({ id: z.string().min(1), amount: z.number(), status: z.string().nullish() });
const many = <T extends z.ZodType>(item: T) => z.object({ items: z.array(item) });

/**
 * The part of the SDK's axios instance that is used: the SDK has no option for address, deadline or request headers.
 */
interface Transport {
  defaults: { baseURL?: string; proxy?: false; maxContentLength: number };
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
  // An address of one's own is asked directly: a proxy that the environment names is for the world outside.
  if (config.apiUrl) Object.assign(transport.defaults, { baseURL: config.apiUrl, proxy: false });
  transport.defaults.maxContentLength = bounds.longestReply;
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
      const reply = await ask("create order", sdk.orders.create({ amount: amountMinor, currency, receipt, notes }));
      return { id: read("create order", OpenedOrder, reply).id, amountMinor, currency, receipt };
    },
    async findOrders(receipt) {
      const reply = await ask("find order", sdk.orders.all({ receipt } as Parameters<typeof sdk.orders.all>[0]));
      const { items } = read("find order", many(Order), reply);
      return items.filter((order) => order.receipt === receipt).map((order) => toOrder(order, receipt));
    },
    async paymentsOfOrder(orderId) {
      const reply = await ask("payments of order", sdk.orders.fetchPayments(orderId));
      return read("payments of order", many(Payment), reply).items.map((payment) => ({
        id: payment.id,
        orderId: payment.order_id ?? null,
        amountMinor: payment.amount,
        currency: payment.currency,
        captured: payment.status === "captured" || payment.status === "refunded",
      }));
    },
    async refund({ paymentId, amountMinor, idempotencyKey }) {
      const path = `/v1/payments/${encodeURIComponent(paymentId)}/refund`;
      const headers = { "X-Refund-Idempotency": idempotencyKey };
      const call = transport.post(path, { amount: amountMinor }, { headers }).catch((error: TransportError) => {
        throw { statusCode: error.response?.status, error: (error.response?.data as { error?: unknown })?.error };
      });
      return read("refund", Refund, (await ask("refund", call)).data).id;
    },
    async refundsOfPayment(paymentId) {
      const reply = await ask("refunds of payment", sdk.payments.fetchMultipleRefund(paymentId));
      return read("refunds of payment", many(Refund), reply)
        .items.filter(({ status }) => (status ?? "processed") === "processed")
        .map(({ id, amount }) => ({ id, amountMinor: amount }));
    },
    checkoutSigned(orderId, paymentId, signature) {
      const expected = createHmac("sha256", config.keySecret).update(`${orderId}|${paymentId}`).digest("hex");
      return sameText(signature, expected);
    },
  };
}

const toOrder = ({ id, amount, currency }: z.output<typeof Order>, receipt: string): ProviderOrder => ({
  id,
  amountMinor: amount,
  currency,
  receipt,
});

/** Turns the SDK's plain-object rejections into errors. */
async function ask<T>(operation: string, call: Promise<T>): Promise<T> {
  try {
    return await call;
  } catch (error) {
    const { statusCode, error: detail } = (error ?? {}) as { statusCode?: unknown; error?: { description?: unknown } };
    const status = typeof statusCode === "number" ? statusCode : 503;
    const refused = status >= 400 && status < 500 && status !== 408 && status !== 429;
    throw new ProviderFault(operation, refused, `${status} ${String(detail?.description ?? "no answer")}`);
  }
}

function read<S extends z.ZodType>(operation: string, schema: S, reply: unknown): z.output<S> {
  const parsed = schema.safeParse(reply);
  if (!parsed.success) throw new ProviderFault(operation, false, "an answer that cannot be read");
  return parsed.data;
}

/** Equality in constant time; texts of another length are simply different. */
export function sameText(given: string, expected: string): boolean {
  const a = Buffer.from(given);
  const b = Buffer.from(expected);
  return a.length === b.length && timingSafeEqual(a, b);
}
