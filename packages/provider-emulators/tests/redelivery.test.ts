import { afterEach, expect, test, vi } from "vitest";
import { order, razorpayFor } from "./payments-client.js";
import { started, startedEmulators, webhookReceiver } from "./start.js";

afterEach(() => {
  vi.useRealTimers();
});

const dayMs = 24 * 60 * 60_000;

async function withPayments(...statuses: number[]) {
  const receiver = await webhookReceiver(...statuses);
  const emulators = await startedEmulators({ applicationUrl: receiver.url, clerk: true, razorpay: true });
  const payments = started(emulators.razorpay);
  const fail = async () => {
    const { id } = await razorpayFor(emulators).orders.create(order);
    await payments.pay(id, { outcome: "failed" });
    await expect.poll(() => payments.deliveries().at(-1)?.attempts.length).toBe(1);
    return payments.deliveries().at(-1)?.id ?? "";
  };
  return { receiver, emulators, payments, fail };
}

test("only events that were not acknowledged, and are not older than seven days, are sent again", async () => {
  const { receiver, payments, fail } = await withPayments(200, 500, 500);
  const acknowledged = await fail();
  await expect(payments.redeliver(acknowledged)).rejects.toThrow("This event has been acknowledged");
  const late = await fail();
  vi.useFakeTimers({ toFake: ["Date"], now: Date.now() + 7 * dayMs - 60_000 });
  expect(await payments.redeliver(late)).toMatchObject({ status: 500 });
  vi.setSystemTime(Date.now() + 120_000);
  await expect(payments.redeliver(late)).rejects.toThrow("This event is too old");
  expect(receiver.received).toHaveLength(3);

  expect(await payments.duplicate(acknowledged)).toMatchObject({ status: 200 });
  expect(receiver.received.at(-1)?.body).toBe(receiver.received[0]?.body);
  const answer = await fetch(`${payments.url}/dev/deliveries/${acknowledged}/redeliver`, { method: "POST" });
  expect({ status: answer.status, body: await answer.json() }).toEqual({
    status: 409,
    body: { error: "This event has been acknowledged" },
  });
});

test("an event is tried six times in 24 hours, and then only on demand", async () => {
  const { receiver, payments, fail } = await withPayments(500, 500, 400, 500, 500, 500);
  const event = await fail();
  for (let retries = 1; retries <= 5; retries += 1) {
    expect(payments.deliveries()).toMatchObject([{ state: "waiting", retries }]);
    await payments.retryNow();
  }
  await payments.retryNow();
  expect(receiver.received).toHaveLength(6);
  expect(payments.deliveries()).toMatchObject([{ state: "exhausted" }]);
  expect(await payments.redeliver(event)).toMatchObject({ status: 200 });
  expect(payments.deliveries()).toMatchObject([{ state: "delivered" }]);
});

test("payments, orders and refunds are listed by time, newest first, a page at a time", async () => {
  const { emulators, payments } = await withPayments();
  const razorpay = razorpayFor(emulators);
  const start = Math.floor(Date.now() / 1000);
  const paid: string[] = [];
  vi.useFakeTimers({ toFake: ["Date"] });
  for (let index = 0; index < 12; index += 1) {
    vi.setSystemTime((start + index) * 1000);
    const { id } = await razorpay.orders.create({ ...order, receipt: `purchase_${index}` });
    const { razorpay_payment_id } = await payments.pay(id, { webhook: false });
    await payments.refund(razorpay_payment_id, { webhook: false });
    paid.unshift(razorpay_payment_id);
  }
  const idsOf = ({ items }: { items: { id: string }[] }) => items.map(({ id }) => id);
  expect(idsOf(await razorpay.payments.all())).toEqual(paid.slice(0, 10));
  expect(idsOf(await razorpay.payments.all({ count: 5, skip: 10 }))).toEqual(paid.slice(10));
  expect(idsOf(await razorpay.payments.all({ from: start + 2, to: start + 4 }))).toEqual(paid.slice(7, 10));
  const orders = await razorpay.orders.all({ from: start + 11, count: 100 });
  expect(orders.items).toMatchObject([{ receipt: "purchase_11" }]);
  expect((await razorpay.refunds.all({ to: start, count: 100 })).items).toMatchObject([{ payment_id: paid.at(-1) }]);
  await expect(razorpay.payments.all({ count: 101 })).rejects.toMatchObject({ statusCode: 400 });
});
