import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { expect, onTestFinished, test } from "vitest";
import { createPayments, type Payments } from "../../../src/providers/razorpay.js";

/** A provider that answers every call with the same JSON. */
async function answering(reply: unknown): Promise<Payments> {
  const provider = createServer((req, res) => {
    req.resume().once("end", () => {
      res.writeHead(200, { "content-type": "application/json" });
      res.end(JSON.stringify(reply));
    });
  });
  provider.listen(0, "127.0.0.1");
  await once(provider, "listening");
  onTestFinished(() => {
    provider.close();
  });
  const apiUrl = `http://127.0.0.1:${(provider.address() as AddressInfo).port}`;
  return createPayments({ keyId: "id", keySecret: "secret", apiUrl, webhookSecrets: [] });
}

const order = { id: "order_1", amount: 100, currency: "INR", receipt: "r" };
const payment = { id: "pay_1", amount: 100, currency: "INR", status: "captured" };
const refund = { id: "rfnd_1", amount: 100, status: "processed" };
const page = { from: new Date(0), to: new Date(), skip: 0 };
const list = (item: object) => ({ items: [item] });
const same = (item: object) => item;

const calls: [string, object, (item: object) => unknown, (payments: Payments) => Promise<unknown>][] = [
  [
    "an order that is made",
    order,
    same,
    (one) => one.createOrder({ amountMinor: 100, currency: "INR", receipt: "r", notes: {} }),
  ],
  ["an order that is found", order, list, (one) => one.findOrders("r")],
  ["a payment", payment, list, (one) => one.paymentsOfOrder("order_1")],
  ["a refund that is asked for", refund, same, (one) => one.refund({ paymentId: "pay_1", idempotencyKey: "key" })],
  ["a refund in the list", refund, list, (one) => one.refundsOfPayment("pay_1")],
  ["a listed order", { id: "order_1", receipt: "r", status: "paid" }, list, (one) => one.listOrders(page)],
  ["a listed payment", payment, list, (one) => one.listPayments(page)],
  ["a listed refund", { ...refund, payment_id: "pay_1" }, list, (one) => one.listRefunds(page)],
];

test.each(calls)(
  "%s is read, and a field that is missing or renamed is an error with its name",
  async (_case, item, wrap, ask) => {
    await expect(ask(await answering(wrap(item)))).resolves.toBeTruthy();
    for (const field of Object.keys(item).filter((name) => name !== "receipt")) {
      const { [field as keyof typeof item]: value, ...rest } = item;
      for (const damaged of [rest, { ...rest, [`${field}_v2`]: value }, { ...rest, [field]: null }]) {
        await expect(ask(await answering(wrap(damaged)))).rejects.toMatchObject({
          ...{ name: "ProviderFault", refused: false, unreadable: true },
          message: expect.stringMatching(new RegExp(`\\b${field}\\b`)),
        });
      }
    }
  },
);
