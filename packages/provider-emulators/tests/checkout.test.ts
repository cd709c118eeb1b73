import { expect, test } from "vitest";
import { z } from "zod";
import { money, toMinor } from "../web/money.js";
import { order, razorpayFor } from "./payments-client.js";
import { started, startedEmulators, temporaryFolder, webhookReceiver } from "./start.js";

const CheckoutResult = z.object({ razorpay_payment_id: z.string(), razorpay_signature: z.string() });
test("a failed payment leaves the order payable; a paid order is paid twice only on purpose", async () => {
  const receiver = await webhookReceiver();
  const emulators = await startedEmulators({ applicationUrl: receiver.url });
  const payments = started(emulators.razorpay);
  const { id } = await razorpayFor(emulators).orders.create(order);
  await payments.pay(id, { outcome: "failed" });
  await payments.settled();
  expect(receiver.received.map(({ body }) => JSON.parse(body).event)).toEqual(["payment.failed"]);
  await payments.pay(id);
  await expect(payments.pay(id)).rejects.toThrow("This order has already been paid");
  await payments.pay(id, { again: true });
  expect(payments.records().payments.map(({ status }) => status)).toEqual(["failed", "captured", "captured"]);
});

test("events are retried until they are acknowledged, and can be withheld, multiplied and sent again", async () => {
  const receiver = await webhookReceiver(500, 400, 200);
  const emulators = await startedEmulators({ applicationUrl: receiver.url });
  const payments = started(emulators.razorpay);
  const razorpay = razorpayFor(emulators);
  const fail = async () => {
    const { id } = await razorpay.orders.create(order);
    await payments.pay(id, { outcome: "failed" });
    await payments.settled();
  };
  await fail();
  expect(receiver.received).toHaveLength(3);
  expect(new Set(receiver.received.map(({ headers }) => headers["x-razorpay-event-id"])).size).toBe(1);
  await fail();
  expect(payments.deliveries().map(({ state }) => state)).toEqual(["delivered", "delivered"]);
  payments.tricks.suppress = true;
  await fail();
  expect(receiver.received).toHaveLength(4);
  payments.tricks.suppress = false;
  payments.tricks.copies = 5;
  await fail();
  expect(receiver.received).toHaveLength(9);
  const withheld = payments.deliveries().find(({ state }) => state === "withheld");
  expect(await payments.redeliver(withheld?.id ?? "")).toMatchObject({ status: 200 });
  expect(receiver.received).toHaveLength(10);
});

test("a user pays at the checkout page, which escapes what it shows", async () => {
  const emulators = await startedEmulators();
  const payments = started(emulators.razorpay);
  const title = 'C++ <script>alert("x")</script>';
  const { id } = await razorpayFor(emulators).orders.create({ ...order, notes: { courseTitle: title } });
  const shown = await (await fetch(payments.checkoutUrl(id))).text();
  expect(shown).toContain("₹2,499.00");
  expect(shown).not.toContain("<script>alert");
  const submit = (outcome: string) =>
    fetch(payments.checkoutUrl(id), { method: "POST", body: new URLSearchParams({ outcome }) });
  expect(await (await submit("failed")).text()).toContain("Try again");
  const paid = await (await submit("captured")).text();
  const payment = payments.records().payments[1];
  expect(paid).toContain(payment?.id);
  expect(paid).toContain(payments.signCheckout(id, payment?.id ?? ""));
  expect((await submit("captured")).status).toBe(400);
});

test("a script pays without credentials", async () => {
  const emulators = await startedEmulators();
  const payments = started(emulators.razorpay);
  const { id } = await razorpayFor(emulators).orders.create(order);
  const pay = (path: string, body: unknown) =>
    fetch(payments.url + path, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify(body),
    });
  const reply = await pay(`/dev/orders/${id}/pay`, { outcome: "captured" });
  const result = CheckoutResult.parse(await reply.json());
  expect(result.razorpay_signature).toBe(payments.signCheckout(id, result.razorpay_payment_id));
  expect((await pay(`/dev/orders/${id}/pay`, { outcome: "maybe" })).status).toBe(400);
  expect((await pay("/dev/orders/order_none/pay", {})).status).toBe(400);
});

test("the records and undelivered events survive a restart", async () => {
  const dataDir = await temporaryFolder();
  const before = await startedEmulators({ dataDir });
  const { id } = await razorpayFor(before).orders.create(order);
  const result = await started(before.razorpay).pay(id);
  const books = started(before.razorpay).records();
  await before.close();
  const receiver = await webhookReceiver();
  const after = await startedEmulators({ dataDir, applicationUrl: receiver.url });
  const payments = started(after.razorpay);
  expect(payments.records().payments).toEqual(books.payments);
  await payments.settled();
  expect(receiver.received.map(({ body }) => JSON.parse(body).payload.payment.entity.id)).toEqual([
    result.razorpay_payment_id,
    result.razorpay_payment_id,
  ]);
});

test("only a payment that succeeded is signed: the result, the page and the message of a failed one are not", async () => {
  const emulators = await startedEmulators();
  const payments = started(emulators.razorpay);
  const { id } = await razorpayFor(emulators).orders.create(order);
  const failed = await payments.pay(id, { outcome: "failed" });
  expect(failed.razorpay_signature).toBe("");
  const body = new URLSearchParams({ outcome: "failed" });
  const framed = `${payments.checkoutUrl(id)}?embedder=http://localhost:5173`;
  const html = await (await fetch(framed, { method: "POST", body })).text();
  const signatures = payments.records().payments.map((payment) => payments.signCheckout(id, payment.id));
  expect(signatures).toHaveLength(2);
  for (const signature of signatures) expect(html).not.toContain(signature);
  expect(html).not.toContain("razorpay_signature");
  const late = await payments.captureLate(failed.razorpay_payment_id);
  expect(late.razorpay_signature).toBe(payments.signCheckout(id, late.razorpay_payment_id));
});

test("a failed payment may be captured late, with its events", async () => {
  const receiver = await webhookReceiver();
  const emulators = await startedEmulators({ applicationUrl: receiver.url });
  const payments = started(emulators.razorpay);
  const { id } = await razorpayFor(emulators).orders.create(order);
  const { razorpay_payment_id: paymentId } = await payments.pay(id, { outcome: "failed" });
  await payments.settled();
  const result = await payments.captureLate(paymentId);
  await payments.settled();
  expect(result.razorpay_payment_id).toBe(paymentId);
  const events = receiver.received.map(({ body }) => JSON.parse(body).event);
  expect([events[0], events.slice(1).sort()]).toEqual(["payment.failed", ["order.paid", "payment.captured"]]);
  await expect(payments.captureLate(paymentId)).rejects.toThrow("already been captured");
});

test("deliveries are altered and repeated with plain requests", async () => {
  const receiver = await webhookReceiver();
  const emulators = await startedEmulators({ applicationUrl: receiver.url });
  const payments = started(emulators.razorpay);
  const post = (path: string, body: unknown) =>
    fetch(payments.url + path, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify(body),
    });
  expect((await post("/dev/webhooks", { copies: 0 })).status).toBe(400);
  expect((await post("/dev/webhooks", { suppress: true })).status).toBe(200);
  const { id } = await razorpayFor(emulators).orders.create(order);
  await payments.pay(id, { outcome: "failed" });
  await payments.settled();
  expect(receiver.received).toEqual([]);
  expect((await post(`/dev/deliveries/${payments.deliveries()[0]?.id}/redeliver`, {})).status).toBe(200);
  expect(receiver.received).toHaveLength(1);
  expect((await post("/dev/deliveries/none/redeliver", {})).status).toBe(404);
});

test("only a page of this machine or the browser application's may embed the checkout, and it alone is told", async () => {
  const emulators = await startedEmulators({ frontendUrl: "https://app.example" });
  const payments = started(emulators.razorpay);
  const { id } = await razorpayFor(emulators).orders.create(order);
  const framed = (embedder: string) => fetch(`${payments.checkoutUrl(id)}?${new URLSearchParams({ embedder })}`);
  for (const origin of ["https://app.example", "http://localhost:4000"]) {
    expect(await (await framed(origin)).text()).toContain(`data-embedder="${origin}"`);
  }
  for (const origin of ["https://elsewhere.example", "*", ""]) expect((await framed(origin)).status).toBe(400);
});

test("a failed payment is explained, and told as the provider tells it", async () => {
  const emulators = await startedEmulators();
  const payments = started(emulators.razorpay);
  const { id } = await razorpayFor(emulators).orders.create(order);
  const submit = async (query: string) => {
    const body = new URLSearchParams({ outcome: "failed" });
    return (await fetch(`${payments.checkoutUrl(id)}?${query}`, { method: "POST", body })).text();
  };
  const page = await submit("embedder=http://localhost:5173");
  expect(page).toContain("No money was taken");
  expect(page).toContain("Try again");
  const message = JSON.parse((/data-message="([^"]*)"/.exec(page)?.[1] ?? "").replaceAll("&#34;", '"'));
  const metadata = { order_id: id, payment_id: payments.records().payments[0]?.id };
  expect(message).toMatchObject({ kind: "failed", response: { error: { reason: "payment_failed", metadata } } });
  expect(await submit("retry=off")).not.toContain("Try again");
});

test.each([
  [249900, "INR", "₹2,499.00"],
  [2499, "JPY", "JP¥2,499"],
  [2499, "KWD", "KWD\u00a02.499"],
  [2499, "HUF", "HUF\u00a024.99"],
])("%d minor units of %s are written %s", (amount, currency, shown) => {
  expect(money(amount, currency)).toBe(shown);
});

test.each([
  ["1001.15", "INR", 100_115],
  ["90071992547409.91", "INR", 9_007_199_254_740_991],
  [" 12.5 ", "INR", 1_250],
  ["12", "JPY", 12],
  ["1.005", "KWD", 1_005],
  ["1.005", "INR", undefined],
  ["12.5", "JPY", undefined],
  ["1,000", "INR", undefined],
  ["-1", "INR", undefined],
  ["1e3", "INR", undefined],
])("%j typed in %s is %s minor units", (text, currency, amountMinor) => {
  expect(toMinor(text, currency)).toBe(amountMinor);
});

test("messages can be sent newest first, and with a body that is not what was signed", async () => {
  const receiver = await webhookReceiver();
  const emulators = await startedEmulators({ applicationUrl: receiver.url });
  const payments = started(emulators.razorpay);
  const { id } = await razorpayFor(emulators).orders.create(order);
  Object.assign(payments.tricks, { reorder: true });
  await payments.pay(id, { outcome: "failed" });
  await payments.pay(id, { outcome: "failed" });
  await payments.settled();
  const sent = payments.deliveries().map(({ body }) => body);
  expect(receiver.received.map(({ body }) => body)).toEqual(sent.toReversed());
  Object.assign(payments.tricks, { reorder: false });
  const [first] = payments.deliveries();
  await payments.duplicate(first?.id ?? "", { tamper: true });
  const tampered = receiver.received.at(-1);
  const signature = tampered?.headers["x-razorpay-signature"];
  expect(signature).toBe(payments.signWebhook(first?.body ?? "")["x-razorpay-signature"]);
  expect(signature).not.toBe(payments.signWebhook(tampered?.body ?? "")["x-razorpay-signature"]);
  await payments.duplicate(first?.id ?? "", { copies: 10 });
  expect(receiver.received).toHaveLength(13);
  expect(payments.deliveries()[0]?.attempts.at(-1)?.headers).toMatchObject({ "x-razorpay-signature": signature });
});
