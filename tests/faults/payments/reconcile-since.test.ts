import { setTimeout as pause } from "node:timers/promises";
import { expect, test } from "vitest";
import { activeCourses, purchaseOf, unpaidPurchase } from "../../factories/purchases.js";
import { runCommand } from "../../server/compiled.js";
import { paymentsOf } from "../../server/emulators.js";
import { accountSince } from "../../server/payment-jobs.js";
import { startTestServer, type TestServer } from "../../server/test-server.js";

const hourMs = 60 * 60_000;
const anHourAgo = () => new Date(Date.now() - hourMs);

/** Opens an order that the database knows nothing of. */
const foreignOrder = async ({ deps }: TestServer, { receipt = "foreign", amount = 50_000 } = {}) =>
  (await deps.payments.createOrder({ amountMinor: amount, currency: "INR", receipt, notes: {} })).id;

const payUnseen = async (server: TestServer, orderId: string, amount?: number): Promise<string> =>
  (await paymentsOf(server).pay(orderId, { webhook: false, ...(amount ? { amount } : {}) })).razorpay_payment_id;

const runSince = (server: TestServer, since: string) =>
  runCommand("ops/reconcile/reconcile.ts", ["--since", since], {
    ...server.emulators.env,
    MONGODB_URI: server.databaseUri,
    LOG_LEVEL: "silent",
  });

test.each([
  [["--since", "yesterday"], /--since takes a time .* not "yesterday"\n$/],
  [["--since", "2026-02-30T18:00Z"], /not "2026-02-30T18:00Z"\n$/],
  [["--since", "2999-01-01"], /in the past, not "2999-01-01"\n$/],
  [["--since"], /^Option '--since <value>' argument missing\nUsage: npm run reconcile \[-- --since <time>\]\n$/],
  [["--from", "1h"], /^Unknown option '--from'/],
])("the options %j are refused in words", async (options, message) => {
  const { code, stderr, stdout } = await runCommand("ops/reconcile/reconcile.ts", options, {});
  expect({ code, stdout }).toEqual({ code: 1, stdout: "" });
  expect(stderr).toMatch(message);
  expect(stderr).not.toContain("    at ");
});

test("more than a page of unknown payments comes to review once each, while new ones arrive and two runs go on", async () => {
  const server = await startTestServer({ own: "runs jobs over all payments" });
  const paid: string[] = [];
  for (let sale = 0; sale < 110; sale += 1) paid.push(await payUnseen(server, await foreignOrder(server)));
  let isOver = false;
  const arriving = (async () => {
    while (!isOver) await payUnseen(server, await foreignOrder(server));
  })();
  const since = anHourAgo();
  const [report] = await Promise.all([accountSince(server, since), accountSince(server, since)]).finally(() => {
    isOver = true;
  });
  await arriving;
  expect(report).toMatchObject({ unfinished: 0, unreadFrom: null });
  const { PaymentEvent } = server.deps.db;
  for (const paymentId of paid) {
    expect(await PaymentEvent.find({ paymentId }, { _id: 0, state: 1, reviewReason: 1 }).lean()).toEqual([
      { state: "review", reviewReason: "unknown_purchase" },
    ]);
  }
});

test("a payment of a known purchase is compared as its webhook would be, also when only its order names it", async () => {
  const server = await startTestServer({ own: "runs jobs over all payments" });
  const byReceipt = await unpaidPurchase(server);
  const byOrder = await unpaidPurchase(server);
  const tooLittle = await unpaidPurchase(server);
  const { Purchase } = server.deps.db;
  const order = async (purchase: { purchaseId: string; amount: number }) => {
    const id = await foreignOrder(server, { receipt: purchase.purchaseId, amount: purchase.amount });
    await Purchase.updateOne({ _id: purchase.purchaseId }, { providerOrderId: id });
    return id;
  };
  const orderBefore = await order(byOrder);
  await pause(1_100);
  const since = new Date();
  await payUnseen(server, await order(byReceipt));
  await payUnseen(server, orderBefore);
  const short = await payUnseen(server, tooLittle.orderId, 100);

  const { payments, inReview } = await accountSince(server, since);
  expect(payments).toEqual({ completed: 2, amount_mismatch: 1 });
  expect(inReview).toMatchObject([{ paymentId: short, reviewReason: "amount_mismatch", currency: "INR" }]);
  for (const { learner, course } of [byReceipt, byOrder]) {
    expect(await activeCourses(server, learner)).toEqual([String(course._id)]);
  }
  expect(await purchaseOf(server, tooLittle.purchaseId)).toMatchObject({ reviewReason: "amount_mismatch" });
  expect(await activeCourses(server, tooLittle.learner)).toEqual([]);
});

test("what a flag says of a refund is in the list of the sale, and flags of other sales are not", async () => {
  const server = await startTestServer({ own: "runs jobs over all payments" });
  const [sale, other] = [await unpaidPurchase(server), await unpaidPurchase(server)];
  const flag = { reason: "amount_mismatch", subject: "pay_before", eventKey: null, at: new Date() } as const;
  const open = { ...flag, state: "open", note: null, by: null, settledAt: null } as const;
  await server.deps.db.Purchase.updateOne({ _id: other.purchaseId }, { reviews: [open], reviewReason: flag.reason });
  const paymentId = await payUnseen(server, sale.orderId);
  await paymentsOf(server).refund(paymentId, { amount: 100, webhook: false });
  const { refunds, inReview } = await accountSince(server, anHourAgo());
  expect(refunds).toEqual({ completed: 1 });
  expect(inReview).toMatchObject([{ paymentId, purchaseId: sale.purchaseId, reviewReason: "partial_refund" }]);
});

test("an order that is listed as paid brings its payment, also when the list of payments lacks it", async () => {
  const server = await startTestServer({ own: "runs jobs over all payments" });
  const { learner, course, orderId } = await unpaidPurchase(server);
  paymentsOf(server).faults.add({ kind: "slow", ms: 2_500, times: 1, on: "orders.list" });
  const run = accountSince(server, anHourAgo());
  await pause(1_200);
  await payUnseen(server, orderId);
  expect((await run).payments).toEqual({ completed: 1 });
  expect(await activeCourses(server, learner)).toEqual([String(course._id)]);
});

test("a provider that does not answer is asked again; what stays unread ends with exit code 1", async () => {
  const server = await startTestServer({ own: "runs jobs over all payments" });
  const { learner, course, orderId } = await unpaidPurchase(server);
  await payUnseen(server, orderId);
  const { faults } = paymentsOf(server);
  const clear = faults.add({ kind: "error", status: 429, on: "payments.list" });
  const since = new Date(Math.floor(Date.now() / 60_000) * 60_000 - 30 * hourMs).toISOString();
  const failed = await runSince(server, since.replace(":00.000Z", "Z"));
  expect(failed.code).toBe(1);
  expect(failed.stderr).toContain(`The payment provider did not answer: run this again with --since ${since}\n`);
  clear();
  faults.add({ kind: "error", status: 503, times: 2, on: "payments.list" });
  const run = await runSince(server, "36h");
  expect(run).toMatchObject({ code: 0, stdout: expect.stringContaining("payments: 1 ") });
  expect(run.stderr).toMatch(/: 0 orders, 0 payments, 0 refunds read\n.*: 1 orders, 1 payments, 0 refunds read\n/);
  expect(await activeCourses(server, learner)).toEqual([String(course._id)]);
});
