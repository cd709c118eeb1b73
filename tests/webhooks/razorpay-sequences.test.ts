import fc from "fast-check";
import { expect, test, vi } from "vitest";
import type { Course } from "../../src/models/courses/course.js";
import { expectRecount } from "../assertions/recount.js";
import { deliver, paymentEvent, refundEvent } from "../factories/payment-events.js";
import { activeCourses, checkoutOf, paymentId, purchaseOf, unpaidPurchase } from "../factories/purchases.js";
import { seeded, timesLonger } from "../longer-runs.js";
import { paymentsOf } from "../server/emulators.js";
import { applyPendingEvents, reconcile } from "../server/payment-jobs.js";
import { type SignedIn, startTestServer, type TestServer } from "../server/test-server.js";

const server = await startTestServer({ own: "recounts all rows" });
const instances = [server, await server.another()] as const;

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

async function sale(): Promise<Sale> {
  const unpaid = await unpaidPurchase(server, { coursePrice: 100, discount: 0 });
  // Without dates of the provider, the payment with the smaller id counts as made first.
  const [first = "", second = ""] = [paymentId(), paymentId()].sort();
  return { ...unpaid, payments: [first, second] };
}

/** @returns the status of the answer. */
async function send(to: TestServer, sold: Sale, told: Message): Promise<number> {
  if (told.kind !== "verify") return (await deliver(to, webhookBody(sold, told))).status;
  const body = checkoutOf(server, sold, sold.payments[told.pay]);
  return (await to.post("/api/user/verify-razorpay", body, sold.learner.token)).status;
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

interface End {
  readonly status: string;
  /** Which payment completed it. */
  readonly pay?: 0 | 1;
}

/** What the books say of messages that came one after another. */
function oracle(told: readonly Message[]): End {
  let end: End = { status: "pending" };
  const refunds = [new Set<string>(), new Set<string>()];
  const [failed, captured] = [new Set<number>(), new Set<number>()];
  const isPaidBack = (pay: 0 | 1) => {
    const parts = refunds[pay];
    return parts?.has("full") || (parts?.has("half-a") && parts.has("half-b"));
  };
  for (const one of told) {
    if (one.kind === "refund") refunds[one.pay]?.add(one.part);
    if (one.kind === "failed" && end.status === "pending") end = { status: "failed" };
    if (one.kind === "failed") failed.add(one.pay);
    if (one.kind === "captured") captured.add(one.pay);
    // The signature of a payment that is known to have failed proves no money.
    const refused = one.kind === "verify" && failed.has(one.pay) && !captured.has(one.pay);
    if (!refused && (one.kind === "captured" || one.kind === "verify")) {
      if (end.pay === undefined) end = { status: "completed", pay: one.pay };
    }
    if (end.status === "completed" && end.pay !== undefined && isPaidBack(end.pay))
      end = { ...end, status: "refunded" };
    // Another payment that was captured and not paid back takes its place.
    const other = end.pay === 0 ? 1 : 0;
    if (end.status === "refunded" && captured.has(other) && !isPaidBack(other))
      end = { status: "completed", pay: other };
  }
  return end;
}

/** Whatever order messages that come at once are taken in, it amounts to one of these: the first payment decides. */
function ends(told: readonly Message[], atOnce: boolean): End[] {
  if (!atOnce) return [oracle(told)];
  const paying = told.filter(({ kind }) => kind === "captured" || kind === "verify");
  if (paying.length === 0) return [oracle(told)];
  const failures = told.filter(({ kind }) => kind === "failed");
  return paying.flatMap((first) => [oracle([first, ...told]), oracle([...failures, first, ...told])]);
}

const captured = (pay: 0 | 1): Message => ({ kind: "captured", pay });
const refund = (pay: 0 | 1, part: "full" | "half-a" | "half-b" = "full"): Message => ({ kind: "refund", pay, part });

/** Sequences that have gone wrong, or nearly, before: tried first. */
const awkward: [Message[], number[], boolean][] = [
  [[refund(0), captured(0)], [1], false],
  [[captured(0), refund(0), { kind: "verify", pay: 1 }], [], false],
  [[refund(0, "half-a"), captured(0), refund(0, "half-b")], [0, 1], false],
  [[captured(0), refund(0), { kind: "failed", pay: 0 }, { kind: "verify", pay: 0 }], [0, 0, 1], true],
  [[captured(0), captured(1), refund(1), { kind: "verify", pay: 0 }], [0, 1, 2], true],
  [[captured(0), captured(1), refund(0)], [0, 1, 2], true],
  [[refund(1), captured(0), captured(1), refund(0)], [], false],
  [[captured(0), refund(0), captured(1), refund(1)], [], true],
];

test(
  "any sequence of deliveries, repeated, reordered and at once on two instances, ends as the books say",
  async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(message, { minLength: 1, maxLength: 7 }),
        fc.array(fc.nat(100), { maxLength: 4 }),
        fc.boolean(),
        async (told, repeats, atOnce) => {
          const sold = await sale();
          // A learner has ten payment calls in fifteen minutes on each instance; the sequences stay below that.
          const deliveries = [...told, ...repeats.map((i) => told[i % told.length] as Message)];
          const sendOne = (one: Message, i: number) => send(instances[i % 2 === 0 ? 0 : 1], sold, one);
          const answers: number[] = [];
          if (atOnce) answers.push(...(await Promise.all(deliveries.map(sendOne))));
          else for (const [i, one] of deliveries.entries()) answers.push(await sendOne(one, i));

          for (const [i, status] of answers.entries()) {
            const kind = deliveries[i]?.kind;
            expect([kind, status]).toEqual([kind, kind === "verify" ? expect.toBeOneOf([200, 403, 409]) : 200]);
          }
          // A webhook answers after 4.5 s at the latest, whatever is left to do: only a very busy machine makes use of
          // it.
          await vi.waitFor(() => expectEnd(sold, deliveries, atOnce), { timeout: 20_000 });
        },
      ),
      { numRuns: 20 * timesLonger, examples: awkward, ...seeded },
    );
    await vi.waitFor(() => expectRecount(server), { timeout: 20_000 });
  },
  60_000 * timesLonger,
);

async function expectEnd(sold: Sale, told: readonly Message[], atOnce: boolean): Promise<void> {
  const { status, providerPaymentId } = await purchaseOf(server, sold.purchaseId);
  const pay = ([0, 1] as const).find((each) => sold.payments[each] === providerPaymentId);
  const allowed = ends(told, atOnce).flatMap((end) => (end.status === "refunded" ? paidBackEnds(told, end) : [end]));
  expect(allowed).toContainEqual(pay === undefined ? { status } : { status, pay });
  const owned = status === "completed" ? [String(sold.course._id)] : [];
  expect(await activeCourses(server, sold.learner)).toEqual(owned);
  await expectEveryPaymentAccounted(sold, told);
}

/** Of payments that are all paid back, the purchase names the first one. A signature may count as one or not. */
function paidBackEnds(told: readonly Message[], end: End): End[] {
  const firstOf = (kinds: readonly Message["kind"][]) =>
    ([0, 1] as const).find((each) => told.some((one) => one.pay === each && kinds.includes(one.kind)));
  return [firstOf(["captured"]), firstOf(["captured", "verify"]), end.pay].flatMap((each) =>
    each === undefined ? [] : [{ ...end, pay: each }],
  );
}

/** A captured payment completed the purchase, was paid back, or is in front of an operator: never nothing of these. */
async function expectEveryPaymentAccounted(sold: Sale, told: readonly Message[]): Promise<void> {
  const purchase = await purchaseOf(server, sold.purchaseId);
  for (const each of [0, 1] as const) {
    const has = (kind: Message["kind"]) => told.some((one) => one.kind === kind && one.pay === each);
    const captured = has("captured") || (has("verify") && !has("failed"));
    const id = sold.payments[each];
    // A payment that completed the purchase and was refunded may have been replaced by the other one.
    const known = [purchase.providerPaymentId, ...(purchase.formerPaymentIds ?? [])];
    if (!captured || known.includes(id)) continue;
    const payment = await server.deps.db.Payment.findById(id).lean();
    const isPaidBack = (payment?.refundedMinor ?? 0) >= sold.amount;
    const isFlagged = purchase.reviews?.some(({ subject, state }) => subject === id && state === "open") ?? false;
    expect({ id, isAccounted: isPaidBack || isFlagged }).toEqual({ id, isAccounted: true });
  }
}

test("after a busy hour with lost, repeated and late webhooks the provider's own records agree with the database", async () => {
  const payments = paymentsOf(server);
  const sales = await Promise.all(Array.from({ length: 8 }, sale));
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
  await applyPendingEvents(server, { asOf: new Date(Date.now() + 60_000) });
  await reconcile(server, { all: true });

  const records = payments.records();
  for (const { purchaseId, orderId } of sales) {
    const purchase = await purchaseOf(server, purchaseId);
    const captured = records.payments.filter((payment) => payment.orderId === orderId && payment.status !== "failed");
    const refunded = captured.some(({ status }) => status === "refunded");
    const tried = records.payments.some((payment) => payment.orderId === orderId);
    const expected = captured.length === 0 ? (tried ? "failed" : "pending") : refunded ? "refunded" : "completed";
    expect({ purchaseId, status: purchase.status }).toEqual({ purchaseId, status: expected });
    if (captured.length > 0) expect(captured.map(({ id }) => id)).toContain(purchase.providerPaymentId);
  }
  await expectRecount(server);
});
