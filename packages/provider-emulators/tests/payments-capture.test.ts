import { expect, test } from "vitest";
import { order, razorpayFor, refusal } from "./payments-client.js";
import { started, startedEmulators, webhookReceiver } from "./start.js";

const badRequest = (description: string) => ({ statusCode: 400, error: { code: "BAD_REQUEST_ERROR", description } });

test.each([
  { payment_capture: 0 as unknown as boolean },
  { payment: { capture: "manual", capture_options: { refund_speed: "normal" } } } as object,
])("a payment of an order with %o waits for its capture", async (capture) => {
  const receiver = await webhookReceiver();
  const emulators = await startedEmulators({ applicationUrl: receiver.url });
  const payments = started(emulators.razorpay);
  const razorpay = razorpayFor(emulators);
  const { id } = await razorpay.orders.create({ ...order, ...capture });
  const { razorpay_payment_id: paymentId, razorpay_signature: signature } = await payments.pay(id);
  expect(signature).toMatch(/^[0-9a-f]{64}$/);
  expect(await razorpay.payments.fetch(paymentId)).toMatchObject({ status: "authorized", captured: false });
  expect(await razorpay.orders.fetch(id)).toMatchObject({ status: "attempted", amount_paid: 0 });
  expect(await refusal(razorpay.payments.refund(paymentId, {}))).toMatchObject({ statusCode: 400 });

  const part = "Capture amount must be equal to the amount authorized";
  expect(await refusal(razorpay.payments.capture(paymentId, 100, "INR"))).toMatchObject(badRequest(part));
  expect(await refusal(razorpay.payments.capture(paymentId, order.amount, "USD"))).toMatchObject({ statusCode: 400 });
  const captured = await razorpay.payments.capture(paymentId, order.amount, "INR");
  expect(captured).toMatchObject({ id: paymentId, status: "captured", captured: true });
  expect(await razorpay.orders.fetch(id)).toMatchObject({ status: "paid", amount_due: 0 });
  const again = "This payment has already been captured";
  expect(await refusal(razorpay.payments.capture(paymentId, order.amount, "INR"))).toMatchObject(badRequest(again));

  await payments.settled();
  const events = receiver.received.map(({ body }) => JSON.parse(body).event);
  expect(events[0]).toBe("payment.authorized");
  expect(events.slice(1).sort()).toEqual(["order.paid", "payment.captured"]);
});

test("a failed payment cannot be captured", async () => {
  const emulators = await startedEmulators();
  const razorpay = razorpayFor(emulators);
  const { id } = await razorpay.orders.create(order);
  const { razorpay_payment_id: paymentId } = await started(emulators.razorpay).pay(id, { outcome: "failed" });
  const description = "Only payments which have been authorized and not yet captured can be captured";
  expect(await refusal(razorpay.payments.capture(paymentId, order.amount, "INR"))).toMatchObject(
    badRequest(description),
  );
});

test("payments and refunds are listed, newest first, and fetched by their payment", async () => {
  const emulators = await startedEmulators();
  const razorpay = razorpayFor(emulators);
  const ids: string[] = [];
  for (const receipt of ["a", "b", "c"]) {
    const { id } = await razorpay.orders.create({ ...order, receipt });
    ids.unshift((await started(emulators.razorpay).pay(id)).razorpay_payment_id);
  }
  const [newest = "", middle = ""] = ids;
  expect((await razorpay.payments.all()).items.map(({ id }) => id)).toEqual(ids);
  expect((await razorpay.payments.all({ count: 1, skip: 1 })).items).toMatchObject([{ id: middle }]);
  const refund = await razorpay.payments.refund(newest, { amount: 100, speed: "normal" });
  const other = await razorpay.payments.refund(middle, { amount: 200 });
  expect((await razorpay.refunds.all({})).items.map(({ id }) => id)).toEqual([other.id, refund.id]);
  const ofPayment = { payment_id: newest } as Parameters<typeof razorpay.refunds.all>[0];
  expect((await razorpay.refunds.all(ofPayment)).items).toMatchObject([{ id: refund.id }]);
  expect(await razorpay.refunds.fetch(refund.id, { payment_id: newest })).toEqual(refund);
  expect((await razorpay.orders.all({ authorized: 1 })).items).toHaveLength(3);
});

const unknown = (name: string) => badRequest(`${name} is/are not required and should not be sent`);

test("parameters that the emulator does not support are refused", async () => {
  const emulators = await startedEmulators();
  const razorpay = razorpayFor(emulators);
  const create = (more: object) => refusal(razorpay.orders.create({ ...order, ...more }));
  expect(await create({ partial_payment: true })).toMatchObject(unknown("partial_payment"));
  expect(await create({ transfers: [], offer_id: "offer_1" })).toMatchObject(unknown("transfers, offer_id"));
  expect(await create({ currency: "RUP" })).toMatchObject({ ...badRequest("Currency is not supported") });
  expect(started(emulators.razorpay).records().orders).toEqual([]);
  expect(await razorpay.orders.create({ ...order, partial_payment: false, currency: "USD" })).toMatchObject({
    currency: "USD",
  });

  const { id } = await razorpay.orders.create(order);
  const { razorpay_payment_id: paymentId } = await started(emulators.razorpay).pay(id);
  const refund = (more: object) => refusal(razorpay.payments.refund(paymentId, more));
  expect(await refund({ speed: "optimum" })).toMatchObject({ statusCode: 400, error: { field: "speed" } });
  expect(await refund({ reverse_all: 1 })).toMatchObject(unknown("reverse_all"));
  const { items } = await razorpay.refunds.all({});
  expect(items).toEqual([]);
  const expanded = refusal(razorpay.payments.all({ "expand[]": "upi" }));
  expect(await expanded).toMatchObject({ statusCode: 400, error: { description: expect.stringContaining("expand") } });
});
