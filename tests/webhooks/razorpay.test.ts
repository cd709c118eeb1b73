import { createHash, createHmac } from "node:crypto";
import { gzipSync } from "node:zlib";
import { describe, expect, test } from "vitest";
import { commandsDuring } from "../assertions/commands.js";
import { expectRecount } from "../assertions/recount.js";
import { deliver, paymentEvent, refundEvent, storedEvent } from "../factories/payment-events.js";
import { activeCourses, openPurchase, paymentId, purchaseOf, unpaidPurchase } from "../factories/purchases.js";
import { paymentsOf } from "../server/emulators.js";
import { startTestServer } from "../server/test-server.js";

const secrets = ["new-webhook-secret", "old-webhook-secret"];
const server = await startTestServer({ own: "recounts all rows" });

const badSignature = { status: 400, body: { error: "Invalid Razorpay webhook signature" } };
const received = { status: 200, body: { received: true } };
const eventOf = (body: string | Buffer) => storedEvent(server, body);
const sha256 = (body: string | Buffer) => createHash("sha256").update(body).digest("hex");

describe("signature", () => {
  const body = JSON.stringify({ event: "settlement.processed", payload: {} });
  const good = () => paymentsOf(server).signWebhook(body)["x-razorpay-signature"] ?? "";
  const forged: [string, () => Record<string, string>][] = [
    ["none", () => ({})],
    ["empty", () => ({ "x-razorpay-signature": "" })],
    ["short", () => ({ "x-razorpay-signature": good().slice(0, 63) })],
    ["long", () => ({ "x-razorpay-signature": `${good()}0` })],
    ["upper-case", () => ({ "x-razorpay-signature": good().toUpperCase() })],
    ["not hex", () => ({ "x-razorpay-signature": "z".repeat(64) })],
    ["of another body", () => paymentsOf(server).signWebhook(`${body} `)],
    ["by another secret", () => ({ "x-razorpay-signature": createHmac("sha256", "x").update(body).digest("hex") })],
    ["base64", () => ({ "x-razorpay-signature": Buffer.from(good(), "hex").toString("base64") })],
    ["not ASCII", () => ({ "x-razorpay-signature": "é".repeat(64) })],
    ["very long", () => ({ "x-razorpay-signature": "a".repeat(8_000) })],
    ["twice, which Node joins", () => ({ "x-razorpay-signature": `${good()}, ${good()}` })],
  ];
  test.each(forged)("%s is refused and nothing is stored", async (_name, headers) => {
    expect(await server.call("POST", "/razorpay", { body, headers: headers() })).toMatchObject(badSignature);
    expect(await eventOf(body)).toBeNull();
  });

  test("every secret of a rotation is accepted", async () => {
    const rotating = await startTestServer({ env: { RAZORPAY_WEBHOOK_SECRET: secrets.join(", ") } });
    for (const [i, secret] of secrets.entries()) {
      const message = JSON.stringify({ event: "x", i });
      const signature = createHmac("sha256", secret).update(message).digest("hex");
      const headers = { "x-razorpay-signature": signature };
      expect(await rotating.call("POST", "/razorpay", { body: message, headers })).toMatchObject(received);
    }
  });

  test.each(["one,with,commas", "ends with one,", ","])("the secret %j is one, commas and all", async (secret) => {
    const running = await startTestServer({ env: { RAZORPAY_WEBHOOK_SECRET: secret } });
    const headers = { "x-razorpay-signature": createHmac("sha256", secret).update(body).digest("hex") };
    expect(await running.call("POST", "/razorpay", { body, headers })).toMatchObject(received);
  });

  test.each(["/razorpay/", "/RAZORPAY", "/razorpay?x=1"])("%s is the same route", async (path) => {
    const headers = paymentsOf(server).signWebhook(body);
    expect(await server.call("POST", path, { body })).toMatchObject(badSignature);
    expect(await server.call("POST", path, { body, headers })).toMatchObject(received);
  });
});

describe("body", () => {
  const deep = `${"[".repeat(200_000)}${"]".repeat(200_000)}`;
  test.each<[string, string | Buffer]>([
    ["empty", ""],
    ["no JSON", "not json"],
    ["null", "null"],
    ["an array", "[1,2]"],
    ["a string", '"payment.captured"'],
    ["a number as event", '{"event":5}'],
    ["binary", Buffer.from([0, 255, 254, 1])],
    ["deeply nested", deep],
    ["deeply nested in a payload", `{"event":"payment.captured","payload":${deep}}`],
    ["__proto__", '{"event":"payment.captured","payload":{"__proto__":{"payment":{}}}}'],
    ["payload null", '{"event":"payment.captured","payload":null}'],
    ["entity an array", '{"event":"payment.captured","payload":{"payment":{"entity":[]}}}'],
    ["notes an array", '{"event":"payment.captured","payload":{"payment":{"entity":{"id":"pay_1","notes":[]}}}}'],
    ["no ids", '{"event":"payment.captured","payload":{"payment":{"entity":{}}}}'],
  ])("%s: stored, flagged, answered 200", async (_name, body) => {
    expect(await deliver(server, body)).toMatchObject(received);
    expect(await eventOf(body)).toMatchObject({ state: "review" });
  });

  test("any content type, or none", async () => {
    const types = ["text/plain", "application/x-www-form-urlencoded", "multipart/form-data", "nonsense"];
    for (const type of [...types, "application/json;charset=utf-7"]) {
      const body = JSON.stringify({ event: "settlement.processed", type });
      expect(await deliver(server, body, { "content-type": type })).toMatchObject(received);
      const ignored = { event: "settlement.processed", state: "processed", outcome: "no effect" };
      expect(await eventOf(body)).toMatchObject(ignored);
    }
  });

  test("exactly 1 MiB is read, one byte more counts as a wrong signature", async () => {
    const whole = Buffer.alloc(1024 * 1024, " ");
    expect(await deliver(server, whole)).toMatchObject(received);
    const more = Buffer.alloc(1024 * 1024 + 1, " ");
    expect(await deliver(server, more)).toMatchObject(badSignature);
  });

  test("a compressed body counts as a wrong signature, even when the signature is that of no bytes", async () => {
    const compressed = { "content-encoding": "gzip" };
    expect(await deliver(server, gzipSync('{"event":"x"}'), compressed)).toMatchObject(badSignature);
    const headers = { ...paymentsOf(server).signWebhook(""), ...compressed };
    expect(await server.call("POST", "/razorpay", { body: gzipSync("x"), headers })).toMatchObject(badSignature);
  });

  test("of duplicate keys the last counts, and the raw bytes are kept", async () => {
    const body = '{"event":"payment.captured", "event":"settlement.processed" ,"payload":{}}';
    await deliver(server, body, { "x-razorpay-event-id": "evt_1" });
    const stored = await server.deps.db.PaymentEvent.findOne({ eventKey: sha256(body) });
    expect(stored).toMatchObject({ event: "settlement.processed", headerEventId: expect.any(String) });
    expect(stored?.body.toString()).toBe(body);
  });

  test.each([["ffffffffffffffffffffffff"], ["nothing"], [""], [{ $ne: null }], [12], [null], ["x".repeat(9_000)]])(
    "purchase id %j is unknown",
    async (purchaseId) => {
      const body = paymentEvent("payment.captured", { id: paymentId(), purchaseId });
      expect(await deliver(server, body)).toMatchObject(received);
      expect(await eventOf(body)).toMatchObject({ state: "review", reviewReason: "unknown_purchase" });
    },
  );

  test("a purchase id nested deeper than can be written again is unknown", async () => {
    const body = `{"event":"payment.captured","payload":{"payment":{"entity":{"id":"pay_1","notes":{"purchaseId":${deep}}}}}}`;
    expect(await deliver(server, body)).toMatchObject(received);
    expect(await eventOf(body)).toMatchObject({ state: "review", reviewReason: "unknown_purchase" });
  });
});

describe("payment.captured", () => {
  test("with nothing but the two ids completes the purchase", async () => {
    const { learner, course, purchaseId } = await unpaidPurchase(server);
    const id = paymentId();
    const body = paymentEvent("payment.captured", { id, purchaseId });
    expect(await deliver(server, body)).toMatchObject(received);
    expect(await purchaseOf(server, purchaseId)).toMatchObject({ status: "completed", providerPaymentId: id });
    expect(await activeCourses(server, learner)).toEqual([String(course._id)]);
    expect(await eventOf(body)).toMatchObject({ state: "processed", paymentId: id, purchaseId, reviewReason: null });
  });

  test.each([
    ["amount", { amount: 89909 }, "amount_mismatch"],
    ["amount, with its currency and order alike", { amount: 89909, currency: "INR" }, "amount_mismatch"],
    ["currency, at the amount", { amount: 89910, currency: "USD" }, "currency_mismatch"],
    ["amount as text", { amount: "89910" as unknown as number }, "amount_mismatch"],
    ["currency", { currency: "USD" }, "currency_mismatch"],
    ["currency as a list", { currency: ["INR"] as unknown as string }, "currency_mismatch"],
    ["currency as an object", { currency: { toString: 1 } as unknown as string }, "currency_mismatch"],
    ["order", { orderId: "order_foreign" }, "order_mismatch"],
    ["order as a number", { orderId: 5 as unknown as string }, "order_mismatch"],
  ])("a mismatch of the %s withholds completion and asks an operator", async (_name, told, reviewReason) => {
    const { learner, purchaseId } = await unpaidPurchase(server);
    const body = paymentEvent("payment.captured", { id: paymentId(), purchaseId, ...told });
    expect(await deliver(server, body)).toMatchObject(received);
    expect(await purchaseOf(server, purchaseId)).toMatchObject({ status: "pending", reviewReason });
    expect(await eventOf(body)).toMatchObject({ state: "processed", outcome: reviewReason, reviewReason: null });
    expect(await activeCourses(server, learner)).toEqual([]);
  });

  test("a purchase keeps two hundred flags: beyond them, the oldest settled one goes", async () => {
    const { purchaseId } = await unpaidPurchase(server);
    await deliver(server, paymentEvent("payment.captured", { id: paymentId(), purchaseId }));
    const [reason, state] = ["duplicate_charge", "settled"] as const;
    const flag = { reason, state, eventKey: null, at: new Date(), note: null, by: null, settledAt: null };
    const reviews = Array.from({ length: 199 }, (_, i) => ({ ...flag, subject: `pay_${i}` }));
    await server.deps.db.Purchase.updateOne({ _id: purchaseId }, { $set: { reviews } });
    const [last, further] = [paymentId(), paymentId()];
    await deliver(server, paymentEvent("payment.captured", { id: last, purchaseId }));
    await deliver(server, paymentEvent("payment.captured", { id: further, purchaseId }));
    const kept = (await purchaseOf(server, purchaseId)).reviews ?? [];
    expect(kept).toHaveLength(200);
    expect([kept[0], ...kept.slice(-2)].map((one) => one?.subject)).toEqual(["pay_1", last, further]);
  });

  test("one payment completes one of two purchases", async () => {
    const [one, two] = [await unpaidPurchase(server), await unpaidPurchase(server)];
    const id = paymentId();
    await deliver(server, paymentEvent("payment.captured", { id, purchaseId: one.purchaseId }));
    await deliver(server, paymentEvent("payment.captured", { id, purchaseId: two.purchaseId }));
    expect(await purchaseOf(server, one.purchaseId)).toMatchObject({ status: "completed", reviewReason: null });
    const flagged = { status: "pending", reviewReason: "duplicate_charge" };
    expect(await purchaseOf(server, two.purchaseId)).toMatchObject(flagged);
  });

  test("a capture that names the order of another purchase is no payment of this one", async () => {
    const [one, two] = [await unpaidPurchase(server), await unpaidPurchase(server)];
    const { purchaseId } = two;
    const unordered = { $set: { status: "created" as const }, $unset: { providerOrderId: 1 } };
    await server.deps.db.Purchase.updateOne({ _id: purchaseId }, unordered);
    await deliver(server, paymentEvent("payment.captured", { id: paymentId(), purchaseId, orderId: one.orderId }));
    expect(await purchaseOf(server, purchaseId)).toMatchObject({ status: "created", reviewReason: "order_mismatch" });
  });

  test.each([
    [0, [0, 1]],
    [1, [0, 1]],
    [0, [1, 0]],
    [1, [1, 0]],
  ])(
    "of two purchases of a course the second is flagged until purchase %i is refunded, paid in the order %j",
    async (refunded, order) => {
      const { learner, course, ...first } = await unpaidPurchase(server);
      await deliver(server, paymentEvent("payment.failed", { id: paymentId(), purchaseId: first.purchaseId }));
      const sales = [first, await openPurchase(server, learner, course)].map((one) => ({ ...one, id: paymentId() }));
      for (const i of order) {
        const { id = "", purchaseId = "" } = sales[i] ?? {};
        await deliver(server, paymentEvent("payment.captured", { id, purchaseId }));
      }
      const states = () =>
        Promise.all(
          sales.map(async ({ purchaseId }) => {
            const { status, reviewReason } = await purchaseOf(server, purchaseId);
            return [status, reviewReason];
          }),
        );
      expect(await states()).toEqual([
        ["completed", null],
        ["completed", "duplicate_charge"],
      ]);
      await expectRecount(server);
      const { id = "", amount = 0 } = sales[refunded] ?? {};
      await deliver(server, refundEvent({ id: `rfnd_${id}`, paymentId: id, amount }));
      expect(await states()).toEqual([0, 1].map((i) => [i === refunded ? "refunded" : "completed", null]));
      expect(await activeCourses(server, learner)).toEqual([String(course._id)]);
      await expectRecount(server);
    },
  );
});

const unknownNotes = ["no purchase", "ffffffffffffffffffffffff", { a: 1 }];
test.each([undefined, ...unknownNotes])(
  "payment.failed found by its purchase, or by its order beside the note %j, fails an open purchase; a late capture wins",
  async (note) => {
    const { learner, course, purchaseId, orderId } = await unpaidPurchase(server);
    const told = note === undefined ? { purchaseId } : { purchaseId: note, orderId };
    expect(await deliver(server, paymentEvent("payment.failed", { id: paymentId(), ...told }))).toMatchObject(received);
    expect((await purchaseOf(server, purchaseId)).status).toBe("failed");
    await deliver(server, paymentEvent("payment.captured", { id: paymentId(), purchaseId }));
    expect((await purchaseOf(server, purchaseId)).status).toBe("completed");
    expect(await activeCourses(server, learner)).toEqual([String(course._id)]);
  },
);

describe("what a message tells of the payer", () => {
  const told = { email: "ada@example.com", contact: "+919900000000", vpa: "ada@bank", card: { last4: "4242" } };
  const storedBody = async (body: string) => {
    const row = await server.deps.db.PaymentEvent.findOne({ eventKey: sha256(body) }).lean();
    return new TextDecoder().decode(row?.body.buffer as unknown as Uint8Array);
  };

  test("is not stored, and the payment counts", async () => {
    const { learner, course, purchaseId, orderId } = await unpaidPurchase(server);
    const entity = { id: paymentId(), order_id: orderId, notes: { purchaseId }, ...told };
    const body = JSON.stringify({ event: "payment.captured", payload: { payment: { entity } } });
    expect(await deliver(server, body)).toMatchObject(received);
    expect(await activeCourses(server, learner)).toEqual([String(course._id)]);
    const stored = await storedBody(body);
    expect(stored).toContain(purchaseId);
    expect(stored).not.toMatch(/ada|9900000000|4242/);
    expect(await deliver(server, body)).toMatchObject(received);
    expect(await server.deps.db.PaymentEvent.countDocuments({ purchaseId })).toBe(1);
  });

  test("being nothing, the exact bytes are stored", async () => {
    const body = `{ "event":"settlement.processed",  "payload":{"payment":{"entity":{"id":"${paymentId()}"}}} }`;
    await deliver(server, body);
    expect(await storedBody(body)).toBe(body);
  });
});

test("a repeat costs two database commands, however often", async () => {
  const { purchaseId } = await unpaidPurchase(server);
  const body = paymentEvent("payment.captured", { id: paymentId(), purchaseId });
  await deliver(server, body);
  const commands = await commandsDuring(server, () => deliver(server, body));
  expect(commands.length).toBeGreaterThan(0);
  expect(commands.length).toBeLessThanOrEqual(2);
});
