import fc from "fast-check";
import { afterAll, beforeAll, expect, test } from "vitest";
import { reconcilePurchases, sweepPayments } from "../../src/commands/sweep-payments.js";
import type { Course } from "../../src/models/course.js";
import { buildCourse } from "../support/courses.js";
import {
  activeCourses,
  expectRecount,
  openPurchase,
  paymentEvent,
  paymentId,
  paymentsOf,
  purchaseOf,
  refundEvent,
} from "../support/purchases.js";
import { type SignedIn, startTestServer, type TestServer } from "../support/server.js";

let instances: [TestServer, TestServer];
beforeAll(async () => {
  const first = await startTestServer();
  instances = [first, await first.another()];
});
afterAll(async () => {
  await instances[1].close();
  await instances[0].close();
});

/** What may be told about one purchase; `pay` says by which of its two payments. */
type Message =
  | { kind: "captured" | "failed" | "verify"; pay: 0 | 1 }
  | { kind: "refund"; pay: 0 | 1; part: "half-a" | "half-b" | "full" }
  | { kind: "wrong amount" | "wrong order"; pay: 0 };

const pay = fc.constantFrom(0 as const, 1 as const);
const message: fc.Arbitrary<Message> = fc.oneof(
  fc.record({ kind: fc.constant("captured" as const), pay: fc.constant(0 as const) }),
  fc.record({ kind: fc.constantFrom("captured" as const, "failed" as const, "verify" as const), pay }),
  fc.record({
    kind: fc.constant("refund" as const),
    pay,
    part: fc.constantFrom("half-a" as const, "half-b" as const, "full" as const),
  }),
  fc.record({ kind: fc.constantFrom("wrong amount" as const, "wrong order" as const), pay: fc.constant(0 as const) }),
);

interface Sale {
  readonly learner: SignedIn;
  readonly course: Course;
  readonly purchaseId: string;
  readonly orderId: string;
  readonly amount: number;
  readonly payments: [string, string];
}

async function sale(server: TestServer): Promise<Sale> {
  const learner = await server.signedIn();
  const course = await buildCourse(server, { coursePrice: 100, discount: 0 });
  return { learner, course, ...(await openPurchase(server, learner, course)), payments: [paymentId(), paymentId()] };
}

function send(server: TestServer, sold: Sale, told: Message): Promise<{ status: number }> {
  const { purchaseId, orderId, payments, learner } = sold;
  if (told.kind === "verify") {
    const id = payments[told.pay];
    const signature = paymentsOf(server).signCheckout(orderId, id);
    const body = { razorpay_order_id: orderId, razorpay_payment_id: id, razorpay_signature: signature, purchaseId };
    return server.post("/api/user/verify-razorpay", body, learner.token);
  }
  const body = webhookBody(sold, told);
  return server.call("POST", "/razorpay", { body, headers: paymentsOf(server).signWebhook(body) });
}

function webhookBody(sold: Sale, told: Message): string {
  const { purchaseId, orderId, amount, payments } = sold;
  const id = payments[told.pay];
  switch (told.kind) {
    case "wrong amount":
      return paymentEvent("payment.captured", { id: "pay_wrong", purchaseId, amount: 1 });
    case "wrong order":
      return paymentEvent("payment.captured", { id: "pay_wrong", purchaseId, orderId: "order_x" });
    case "refund": {
      const share = told.part === "full" ? amount : amount / 2;
      return refundEvent({ id: `rfnd_${id}_${told.part}`, paymentId: id, amount: share });
    }
    default:
      return paymentEvent(`payment.${told.kind}`, { id, purchaseId, orderId, amount, currency: "INR" });
  }
}

/** The states that a sequence may end in, told by what was delivered and not by the order of it. */
function expectedStates(told: Message[]): Set<string> {
  const paidBy = ([0, 1] as const).filter((each) =>
    told.some((one) => (one.kind === "captured" || one.kind === "verify") && one.pay === each),
  );
  if (paidBy.length === 0) return new Set([told.some(({ kind }) => kind === "failed") ? "failed" : "pending"]);
  const paidBack = (each: 0 | 1): boolean => {
    const parts = new Set(told.flatMap((one) => (one.kind === "refund" && one.pay === each ? [one.part] : [])));
    return parts.has("full") || (parts.has("half-a") && parts.has("half-b"));
  };
  // Whichever payment came first completed it.
  return new Set(paidBy.map((each) => (paidBack(each) ? "refunded" : "completed")));
}

test("any sequence of deliveries, repeated, reordered and at once on two instances, ends as the books say", async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(message, { minLength: 1, maxLength: 7 }),
      fc.array(fc.nat(100), { maxLength: 4 }),
      fc.boolean(),
      async (told, repeats, atOnce) => {
        const [server] = instances;
        const sold = await sale(server);
        // A learner has ten payment calls in fifteen minutes; the sequences stay below that.
        const deliveries = [...told, ...repeats.map((i) => told[i % told.length] as Message)];
        const sendOne = (one: Message, i: number) => send(instances[i % 2] ?? server, sold, one);
        const answers: { status: number }[] = [];
        if (atOnce) answers.push(...(await Promise.all(deliveries.map(sendOne))));
        else for (const [i, one] of deliveries.entries()) answers.push(await sendOne(one, i));

        for (const [i, { status }] of answers.entries()) {
          expect([deliveries[i]?.kind, status]).toEqual([
            deliveries[i]?.kind,
            deliveries[i]?.kind === "verify" ? expect.toBeOneOf([200, 409]) : 200,
          ]);
        }
        const purchase = await purchaseOf(server, sold.purchaseId);
        expect([...expectedStates(told)]).toContain(purchase.status);
        const owned = purchase.status === "completed" ? [String(sold.course._id)] : [];
        expect(await activeCourses(server, sold.learner)).toEqual(owned);
        await expectEveryPaymentAccounted(server, sold, told);
      },
    ),
    { numRuns: 25 },
  );
  await expectRecount(instances[0]);
});

/** A captured payment completed the purchase, was paid back, or is in front of an operator: never nothing of these. */
async function expectEveryPaymentAccounted(server: TestServer, sold: Sale, told: Message[]): Promise<void> {
  const purchase = await purchaseOf(server, sold.purchaseId);
  for (const each of [0, 1] as const) {
    const captured = told.some((one) => (one.kind === "captured" || one.kind === "verify") && one.pay === each);
    const id = sold.payments[each];
    if (!captured || purchase.providerPaymentId === id) continue;
    const rows = await server.deps.models.PaymentEvent.find({
      paymentId: id,
      event: { $in: ["payment.captured", "lyceum.checkout_verified"] },
    }).lean();
    const accounted = rows.some(({ state, outcome }) => state === "review" || outcome === "paid back");
    expect({ id, rows: rows.map(({ state, outcome }) => ({ state, outcome })), accounted }).toMatchObject({
      accounted: true,
    });
  }
}

test("after a busy hour with lost, repeated and late webhooks the provider's own ledger agrees with the database", async () => {
  const [server, other] = instances;
  const payments = paymentsOf(server);
  payments.pointAt(other.url);
  const sales = await Promise.all(Array.from({ length: 8 }, () => sale(server)));
  await Promise.all(
    sales.map(async ({ orderId }, i) => {
      payments.tricks.copies = i % 3 === 0 ? 4 : 1;
      const result = await payments.pay(orderId, {
        outcome: i % 4 === 3 ? "failed" : "captured",
        webhook: i % 4 !== 2,
      });
      if (i === 3) await payments.captureLate(result.razorpay_payment_id);
      if (i === 4) await payments.refund(result.razorpay_payment_id);
      if (i === 5) await payments.refund(result.razorpay_payment_id, { amount: 500 });
    }),
  );
  payments.tricks.copies = 1;
  await payments.settled();
  await sweepPayments(server.deps, { asOf: new Date(Date.now() + 60_000) });
  await reconcilePurchases(server.deps, { all: true });

  const ledger = payments.ledger();
  for (const { purchaseId, orderId } of sales) {
    const purchase = await purchaseOf(server, purchaseId);
    const captured = ledger.payments.filter((payment) => payment.orderId === orderId && payment.status !== "failed");
    const refunded = captured.some(({ status }) => status === "refunded");
    const tried = ledger.payments.some((payment) => payment.orderId === orderId);
    const expected = captured.length === 0 ? (tried ? "failed" : "pending") : refunded ? "refunded" : "completed";
    expect({ purchaseId, status: purchase.status }).toEqual({ purchaseId, status: expected });
    if (captured.length > 0) expect(captured.map(({ id }) => id)).toContain(purchase.providerPaymentId);
  }
  await expectRecount(server);
});
