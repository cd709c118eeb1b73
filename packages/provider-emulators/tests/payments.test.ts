import { createHmac } from "node:crypto";
import Razorpay from "razorpay";
import { expect, test } from "vitest";
import { z } from "zod";
import { order, razorpayFor, refusal } from "./payments-client.js";
import { started, startedEmulators, webhookReceiver } from "./start.js";

test("an order is made, fetched and found by its receipt", async () => {
  const emulators = await startedEmulators();
  const razorpay = razorpayFor(emulators);
  const made = await razorpay.orders.create(order);
  expect(made).toMatchObject({ ...order, entity: "order", status: "created", amount_due: 249900, attempts: 0 });
  expect(made.id).toMatch(/^order_[0-9A-Za-z]{14}$/);
  expect(await razorpay.orders.fetch(made.id)).toEqual(made);
  await razorpay.orders.create({ ...order, receipt: "purchase_2" });
  expect(await razorpay.orders.all({ receipt: "purchase_1" })).toEqual({
    entity: "collection",
    count: 1,
    items: [made],
  });
  expect(started(emulators.razorpay).records().orders).toHaveLength(2);
});

test("orders are listed by whether a payment of them succeeded, with their payments on request", async () => {
  const emulators = await startedEmulators();
  const razorpay = razorpayFor(emulators);
  const paid = await razorpay.orders.create(order);
  const { razorpay_payment_id: paymentId } = await started(emulators.razorpay).pay(paid.id);
  const open = await razorpay.orders.create(order);
  const listed = async (authorized: boolean | 1 | 0) =>
    (await razorpay.orders.all({ authorized })).items.map(({ id }) => id);
  for (const yes of [true, 1] as const) expect(await listed(yes)).toEqual([paid.id]);
  for (const no of [false, 0] as const) expect(await listed(no)).toEqual([open.id]);
  const unknown = { authorized: "yes" as unknown as boolean };
  expect(await refusal(razorpay.orders.all(unknown))).toMatchObject({
    statusCode: 400,
    error: { field: "authorized" },
  });

  expect((await razorpay.orders.all({ "expand[]": "payments" })).items).toMatchObject([
    { id: open.id, payments: { count: 0, items: [] } },
    { id: paid.id, payments: { count: 1, items: [{ id: paymentId }] } },
  ]);
  expect((await razorpay.payments.all({ "expand[]": "card" })).items).toMatchObject([{ id: paymentId }]);
  const transfers = razorpay.orders.all({ "expand[]": "transfers" });
  expect(await refusal(transfers)).toMatchObject({ statusCode: 400, error: { field: "expand[]" } });
});

test("an order takes parameters that change nothing here, and the capture as text", async () => {
  const emulators = await startedEmulators();
  for (const payment_capture of ["1", "0"]) {
    await razorpayFor(emulators).orders.create({ ...order, payment_capture, customer_id: "cust_1" } as typeof order);
  }
  const { orders } = started(emulators.razorpay).records();
  expect(orders.map(({ capture }) => capture)).toEqual(["automatic", "manual"]);
});

test.each([
  ["an amount below the minimum", { ...order, amount: 99 }, "amount"],
  ["a fractional amount", { ...order, amount: 249900.5 }, "amount"],
  ["an unknown currency", { ...order, currency: "rupees" }, "currency"],
  ["a long receipt", { ...order, receipt: "r".repeat(41) }, "receipt"],
  ["a note that is null", { ...order, notes: { a: null } }, "notes"],
  ["an unknown capture", { ...order, payment: { capture: "never" } as never }, "payment"],
])("an order with %s is refused in the provider's error shape", async (_case, request, field) => {
  const emulators = await startedEmulators();
  const error = await refusal(razorpayFor(emulators).orders.create(request));
  const description = expect.not.stringMatching(/Invalid (input|option)/);
  expect(error).toMatchObject({ statusCode: 400, error: { code: "BAD_REQUEST_ERROR", field, description } });
  expect(started(emulators.razorpay).records().orders).toEqual([]);
});

test("wrong credentials and unknown ids are refused", async () => {
  const emulators = await startedEmulators();
  const stranger = razorpayFor({ ...emulators, env: { ...emulators.env, RAZORPAY_KEY_SECRET: "wrong" } });
  expect(await refusal(stranger.orders.create(order))).toMatchObject({ statusCode: 401 });
  expect(await refusal(razorpayFor(emulators).payments.fetch("pay_none"))).toMatchObject({
    statusCode: 400,
    error: { description: "The id provided does not exist" },
  });
});

test("paying an order gives a verifiable result, a captured payment and two signed events", async () => {
  const receiver = await webhookReceiver();
  const emulators = await startedEmulators({ applicationUrl: receiver.url });
  const payments = started(emulators.razorpay);
  const razorpay = razorpayFor(emulators);
  const { id } = await razorpay.orders.create(order);
  const result = await payments.pay(id);
  await payments.settled();
  const expected = createHmac("sha256", emulators.env.RAZORPAY_KEY_SECRET ?? "")
    .update(`${id}|${result.razorpay_payment_id}`)
    .digest("hex");
  expect(result).toEqual({
    razorpay_order_id: id,
    razorpay_payment_id: expect.stringMatching(/^pay_[0-9A-Za-z]{14}$/),
    razorpay_signature: expected,
  });
  const payment = await razorpay.payments.fetch(result.razorpay_payment_id);
  expect(payment).toMatchObject({ status: "captured", order_id: id, amount: 249900, notes: order.notes });
  expect((await razorpay.orders.fetchPayments(id)).items).toEqual([payment]);
  expect(await razorpay.orders.fetch(id)).toMatchObject({ status: "paid", amount_due: 0 });

  const bodies = receiver.received.map(({ body }) => JSON.parse(body));
  expect(bodies.map(({ event }) => event).sort()).toEqual(["order.paid", "payment.captured"]);
  expect(bodies.find(({ event }) => event === "payment.captured").payload.payment.entity).toEqual(payment);
  for (const { url, headers, body } of receiver.received) {
    expect(url).toBe("/razorpay");
    expect(headers["x-razorpay-event-id"]).toMatch(/^[0-9A-Za-z]{14}$/);
    expect(
      Razorpay.validateWebhookSignature(
        body,
        String(headers["x-razorpay-signature"]),
        emulators.env.RAZORPAY_WEBHOOK_SECRET ?? "",
      ),
    ).toBe(true);
  }
});

test("refunds add up, never beyond the payment, and are announced", async () => {
  const receiver = await webhookReceiver();
  const emulators = await startedEmulators({ applicationUrl: receiver.url });
  const payments = started(emulators.razorpay);
  const razorpay = razorpayFor(emulators);
  const { id } = await razorpay.orders.create(order);
  const { razorpay_payment_id: paymentId } = await payments.pay(id, { webhook: false });

  const part = await razorpay.payments.refund(paymentId, { amount: 50000, notes: { reason: "goodwill" } });
  expect(part).toMatchObject({ entity: "refund", amount: 50000, payment_id: paymentId, status: "processed" });
  expect(await razorpay.payments.fetch(paymentId)).toMatchObject({ status: "captured", refund_status: "partial" });
  expect(await refusal(razorpay.payments.refund(paymentId, { amount: 200000 }))).toMatchObject({ statusCode: 400 });
  const rest = await razorpay.payments.refund(paymentId, {});
  expect(rest.amount).toBe(199900);
  expect(await razorpay.payments.fetch(paymentId)).toMatchObject({ status: "refunded", refund_status: "full" });
  expect(await refusal(razorpay.payments.refund(paymentId, {}))).toMatchObject({
    error: { description: "The payment has been fully refunded already" },
  });
  expect(await razorpay.refunds.fetch(part.id)).toEqual(part);
  expect((await razorpay.payments.fetchMultipleRefund(paymentId, {})).items).toHaveLength(2);

  await payments.settled();
  const events = receiver.received.map(({ body }) => JSON.parse(body));
  expect(events.map(({ event, payload }) => [event, payload.refund.entity.id, payload.payment.entity.id])).toEqual(
    expect.arrayContaining([
      ["refund.processed", part.id, paymentId],
      ["refund.processed", rest.id, paymentId],
    ]),
  );
});

test("one refund is made per idempotency key, also for simultaneous calls", async () => {
  const emulators = await startedEmulators();
  const payments = started(emulators.razorpay);
  const { id } = await razorpayFor(emulators).orders.create(order);
  const { razorpay_payment_id: paymentId } = await payments.pay(id);
  const { RAZORPAY_KEY_ID, RAZORPAY_KEY_SECRET } = emulators.env;
  const refund = async (amount: number) => {
    const response = await fetch(`${payments.url}/v1/payments/${paymentId}/refund`, {
      method: "POST",
      headers: {
        authorization: `Basic ${Buffer.from(`${RAZORPAY_KEY_ID}:${RAZORPAY_KEY_SECRET}`).toString("base64")}`,
        "content-type": "application/json",
        "x-refund-idempotency": "key-1",
      },
      body: JSON.stringify({ amount }),
    });
    return { status: response.status, id: z.object({ id: z.string() }).safeParse(await response.json()).data?.id };
  };
  const replies = await Promise.all(Array.from({ length: 5 }, () => refund(50000)));
  expect(new Set(replies.map(({ id: refundId }) => refundId)).size).toBe(1);
  expect(payments.records().refunds).toHaveLength(1);
  expect((await refund(60000)).status).toBe(400);
});

test("an order call may time out, lose its reply or be cut, and the records tell what was really made", async () => {
  const emulators = await startedEmulators();
  const payments = started(emulators.razorpay);
  const razorpay = razorpayFor(emulators, 100);
  const made = () => payments.records().orders.length;
  payments.faults.add({ kind: "timeout", on: "orders.create", times: 1 });
  expect(await refusal(razorpay.orders.create(order))).toMatchObject({ statusCode: 503 });
  expect(made()).toBe(1);
  payments.faults.add({ kind: "lost-reply", on: "orders.create", times: 1 });
  expect(await refusal(razorpay.orders.create(order))).toMatchObject({ statusCode: 503 });
  expect(made()).toBe(2);
  for (const kind of ["cut", "hang"] as const) {
    payments.faults.add({ kind, on: "orders.create", times: 1 });
    expect(await refusal(razorpay.orders.create(order))).toMatchObject({ statusCode: 503 });
  }
  payments.faults.add({ kind: "error", on: "orders.create", times: 1 });
  expect(await refusal(razorpay.orders.create(order))).toMatchObject({
    statusCode: 500,
    error: { code: "SERVER_ERROR" },
  });
  expect(made()).toBe(2);
  expect((await razorpay.orders.all({ receipt: "purchase_1" })).items).toHaveLength(2);
});

test("with manual capture, only an order that asks for it is captured", async () => {
  const emulators = await startedEmulators({ applicationUrl: (await webhookReceiver()).url });
  const payments = started(emulators.razorpay);
  const razorpay = razorpayFor(emulators);
  payments.account.capture = "manual";
  const types = async (): Promise<string[]> => {
    await payments.settled();
    return payments.deliveries().map(({ type }) => type);
  };

  const { id } = await razorpay.orders.create(order);
  const { razorpay_payment_id: authorized, razorpay_signature: signature } = await payments.pay(id);
  expect(signature).toBe(payments.signCheckout(id, authorized));
  expect(await razorpay.payments.fetch(authorized)).toMatchObject({ status: "authorized", captured: false });
  expect(await razorpay.orders.fetch(id)).toMatchObject({ status: "attempted", amount_paid: 0 });
  expect(await refusal(razorpay.payments.refund(authorized, {}))).toMatchObject({ statusCode: 400 });
  expect(await types()).toEqual(["payment.authorized"]);

  const withCapture = { ...order, payment_capture: true };
  const { id: captured } = await razorpay.orders.create(withCapture);
  await payments.pay(captured);
  expect(await razorpay.orders.fetch(captured)).toMatchObject({ status: "paid" });
  expect(await types()).toEqual(["payment.authorized", "payment.captured", "order.paid"]);

  await payments.captureLate(authorized);
  expect(await razorpay.payments.fetch(authorized)).toMatchObject({ status: "captured", captured: true });
});
