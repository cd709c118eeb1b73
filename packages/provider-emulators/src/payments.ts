import { createHmac } from "node:crypto";
import express from "express";
import { deliveryRoutes } from "./deliveries/delivery-routes.js";
import { WebhookSender } from "./deliveries/webhook-sender.js";
import { developerAccess, loopbackOnly } from "./developer-access.js";
import { errorReply } from "./error-reply.js";
import { faultRoutes } from "./fault-routes.js";
import { transportFaults } from "./faults.js";
import { pathIn } from "./json-file.js";
import type { LocalServer } from "./local-server.js";
import { Bookkeeper } from "./payments/bookkeeper.js";
import { checkoutRoutes } from "./payments/checkout.js";
import { paymentsDeveloperRoutes } from "./payments/developer-routes.js";
import type { Payment } from "./payments/entities.js";
import {
  orderPaid,
  type PaymentEvent,
  paymentAuthorized,
  paymentCaptured,
  paymentDisputed,
  paymentFailed,
  refundFailed,
  refundProcessed,
} from "./payments/events.js";
import { ordersApi } from "./payments/orders-api.js";
import type { CheckoutResult, RazorpayEmulator } from "./payments/razorpay-emulator.js";
import { randomId } from "./random-id.js";

/** The provider's dashboard resends unacknowledged events for seven days. */
const redeliverableMs = 7 * 24 * 60 * 60_000;

export interface PaymentsOptions {
  server: LocalServer;
  /** Folder of the emulator's state, or undefined to keep it in memory. */
  folder: string | undefined;
  keyId: string;
  keySecret: string;
  webhookSecret: string;
  /** Origin of the browser application. */
  frontend: string;
  /** Pauses between attempts of a webhook. */
  retryPausesMs: readonly number[];
  /** Path of the application's webhook route. */
  webhookPath: string;
}

export async function startPayments(options: PaymentsOptions): Promise<RazorpayEmulator> {
  const { server, folder, keyId, keySecret, webhookSecret, frontend } = options;
  const books = await Bookkeeper.open(pathIn(folder, "payments.json"));
  const faults = transportFaults();
  const sign = (id: string, body: string | Uint8Array): Record<string, string> => ({
    "x-razorpay-event-id": id,
    "x-razorpay-signature": createHmac("sha256", webhookSecret).update(body).digest("hex"),
  });
  const sender = await WebhookSender.open({
    path: pathIn(folder, "payments-webhooks.json"),
    route: options.webhookPath,
    retryPausesMs: options.retryPausesMs,
    redeliverableMs,
    sign: (delivery) => sign(delivery.id, delivery.body),
  });

  const announce = async (events: PaymentEvent[]): Promise<void> => {
    await Promise.all(events.map((event) => sender.send({ id: randomId("", 14), ...event })));
  };
  const announceOutcome = (payment: Payment): Promise<void> => {
    if (payment.status === "failed") return announce([paymentFailed(payment)]);
    if (payment.status === "authorized") return announce([paymentAuthorized(payment)]);
    return announce([paymentCaptured(payment), orderPaid(books.order(payment.orderId), payment)]);
  };
  const signCheckout = (orderId: string, paymentId: string): string =>
    createHmac("sha256", keySecret).update(`${orderId}|${paymentId}`).digest("hex");
  const result = (payment: Payment): CheckoutResult => ({
    razorpay_order_id: payment.orderId,
    razorpay_payment_id: payment.id,
    razorpay_signature: payment.status === "failed" ? "" : signCheckout(payment.orderId, payment.id),
  });

  const emulator: RazorpayEmulator = {
    url: server.url,
    account: books.account,
    faults,
    tricks: sender.tricks,
    checkoutUrl: (orderId) => `${server.url}/checkout/${encodeURIComponent(orderId)}`,
    async pay(orderId, { outcome = "captured", webhook = true, ...attempt } = {}) {
      const payment = await books.attempt(books.order(orderId), { outcome, ...attempt });
      if (webhook) await announceOutcome(payment);
      return result(payment);
    },
    async captureLate(paymentId, { webhook = true } = {}) {
      const payment = books.payment(paymentId);
      await books.captureLate(payment);
      if (webhook) await announceOutcome(payment);
      return result(payment);
    },
    async refund(paymentId, { amount, webhook = true } = {}) {
      const payment = books.payment(paymentId);
      const { refund } = await books.refundPayment(payment, { amount }, null);
      if (webhook) await announce([refundProcessed(refund, payment)]);
      return structuredClone(refund);
    },
    async failRefund(refundId, { webhook = true } = {}) {
      const refund = books.refund(refundId);
      await books.failRefund(refund);
      if (webhook) await announce([refundFailed(refund, books.payment(refund.paymentId))]);
    },
    dispute: (paymentId, phase) => announce([paymentDisputed(books.payment(paymentId), phase)]),
    records: () => ({ ...structuredClone(books.books), deliveries: sender.deliveries() }),
    addRecords: (records) => books.add(records),
    signWebhook: (body, { id = randomId("", 14) } = {}) => sign(id, body),
    signCheckout,
    deliveries: () => sender.deliveries(),
    redeliver: (id) => sender.redeliver(id),
    duplicate: (id, how) => sender.duplicate(id, how),
    retryNow: () => sender.retryNow(),
    settled: () => sender.settled(),
    pointAt: (application) => sender.pointAt(application),
    async close() {
      await server.close();
      await sender.close();
    },
  };

  const app = express();
  app.disable("x-powered-by");
  app.use(loopbackOnly(frontend));
  app.use(express.json(), express.urlencoded({ extended: false }));
  app.use(developerAccess(frontend), faultRoutes(faults), deliveryRoutes(emulator), paymentsDeveloperRoutes(emulator));
  app.use(checkoutRoutes(books, emulator, frontend));
  app.use(
    ordersApi({
      books,
      faults,
      keyId,
      keySecret,
      refunded: (refund, payment) => announce([refundProcessed(refund, payment)]),
      captured: announceOutcome,
    }),
  );
  app.use(errorReply);
  server.serve(app);
  return emulator;
}
