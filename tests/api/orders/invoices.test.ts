import { createBrand } from "@lyceum/certificate-pdf";
import { Types } from "mongoose";
import { expect, onTestFinished, test, vi } from "vitest";
import { createDb } from "../../../src/db/db.js";
import type { Invoice } from "../../../src/models/payments/invoice.js";
import { describeInvoice } from "../../../src/services/invoices/describe-invoice.js";
import { financialYear, giveNumbers } from "../../../src/services/invoices/number-invoices.js";
import { renderInvoice } from "../../../src/services/invoices/render-invoice.js";
import { recordProof } from "../../../src/services/payments/record-proof.js";
import { saleTransaction } from "../../../src/services/payments/sale-transaction.js";
import { refusal } from "../../assertions/refusal.js";
import { buildCoupon } from "../../factories/coupons.js";
import { buildCourse } from "../../factories/courses.js";
import { deliverIdentity, signUp, unverifiedFirst, userData } from "../../factories/identity-events.js";
import { deliver, paymentEvent, refundEvent } from "../../factories/payment-events.js";
import { openPurchase, paymentId } from "../../factories/purchases.js";
import { buy } from "../../factories/sales.js";
import { connectThrough, startDatabaseProxy } from "../../server/database-proxy.js";
import { type SignedIn, startTestServer, type TestServer } from "../../server/test-server.js";

const server = await startTestServer({
  env: {
    SELLER_NAME: "Lyceum Learning Pvt Ltd",
    SELLER_ADDRESS: "1 School Lane\\nBengaluru 560001",
    SELLER_TAX_ID: "29ABCDE1234F1Z5",
    TAX_NAME: "GST",
    TAX_PERCENT: "18",
  },
});
const { db } = server.deps;
const seller = {
  name: "Lyceum Learning Pvt Ltd",
  address: "1 School Lane\nBengaluru 560001",
  taxId: "29ABCDE1234F1Z5",
};

/** Runs the job that gives numbers, so that the request need not wait for its number. */
async function invoice(learner: SignedIn, purchaseId: string, query = "", of = server) {
  await giveNumbers(numbers(of), later());
  return of.get(`/api/user/purchases/${purchaseId}/invoice${query}`, learner.token);
}
const nameOf = (answer: { headers: Headers }) => answer.headers.get("content-disposition");
const documentOf = (purchaseId: string) => db.Invoice.findOne({ purchaseId, kind: "invoice" }).orFail().lean();
const order = async (learner: SignedIn) =>
  (await server.get("/api/user/purchases?limit=1", learner.token)).body.purchases[0];
const now = new Date();
const series = financialYear(now, 4, "Asia/Kolkata").slice(2).replace("-", "");
const lyceum = createBrand(server.deps.config.platform);
const numbers = (of: TestServer) => ({ db: of.deps.db, settings: of.deps.config.invoices });
const later = () => new Date(Date.now() + 60_000);

test("an invoice is a readable PDF under its number, which never changes", async () => {
  const learner = await server.signedIn();
  const course = await buildCourse(server, { coursePrice: 2360, discount: 50 });
  const { purchaseId } = await buy(server, learner, course._id);
  const answer = await invoice(learner, purchaseId);
  expect(answer.status).toBe(200);
  expect(answer.headers.get("content-type")).toBe("application/pdf");
  const { number, facts } = await documentOf(purchaseId);
  expect(number).toMatch(new RegExp(`^INV-${series}-\\d{6}$`));
  expect(nameOf(answer)).toBe(`inline; filename="${number}.pdf"`);
  const pdf: string = answer.body;
  expect(pdf.startsWith("%PDF-1.7")).toBe(true);
  expect(pdf).toContain("/Alt (Lyceum logo)");
  // A screen reader finds the amounts in a table.
  const elements = (tag: string) => pdf.match(new RegExp(`/S /${tag}\\b`, "g"))?.length;
  expect([elements("H1"), elements("Table"), elements("TR"), elements("TH"), elements("TD")]).toEqual([1, 1, 5, 6, 4]);
  expect([pdf.match(/\/Scope \/Column/g)?.length, pdf.match(/\/Scope \/Row/g)?.length]).toEqual([2, 4]);
  expect(facts).toMatchObject({
    ...{ seller, courseTitle: course.courseTitle, currency: "INR", priceMinor: 236_000 },
    ...{ discountMinor: 118_000, couponMinor: 0 },
    ...{ totalMinor: 118_000, tax: { name: "GST", percent: 18, amountMinor: 18_000 }, couponCode: null },
    paymentId: expect.stringMatching(/^pay_/),
  });
  expect((await invoice(learner, purchaseId)).body).toBe(answer.body);
  expect((await order(learner)).invoiceNumber).toBe(number);
  const admin = await server.signedIn("admin");
  const seen = await server.get(`/api/admin/purchases/${purchaseId}/invoice`, admin.token);
  expect([nameOf(seen), seen.body]).toEqual([nameOf(answer), answer.body]);
});

test("an invoice holds the facts of the day of completion", async () => {
  const learner = await signUp(server, "asha@example.com");
  const admin = await server.signedIn("admin");
  const course = await buildCourse(server, { courseTitle: "Before", coursePrice: 1000, discount: 10 });
  const { code } = await buildCoupon(server, admin, { kind: "amount", value: 100 });
  const body = { courseId: String(course._id), coupon: code };
  const { purchaseId } = (await server.post("/api/user/purchase", body, learner.token)).body;
  const listed = unverifiedFirst("asha@example.com", "mehta@example.com");
  const renamed = { first_name: "Asha", last_name: "Mehta", updated_at: Date.now() + 1_000, ...listed };
  await deliverIdentity(server, userData(learner.id, "mehta@example.com", renamed), "user.updated");
  const id = paymentId();
  await deliver(server, paymentEvent("payment.captured", { id, purchaseId }));
  await db.Course.updateOne({ _id: course._id }, { courseTitle: "After", coursePrice: 5, discount: 0 });
  const gone = { ...renamed, email_addresses: [], last_name: "Nobody", updated_at: Date.now() + 2_000 };
  await deliverIdentity(server, userData(learner.id, "nobody@example.com", gone), "user.updated");
  expect((await invoice(learner, purchaseId)).status).toBe(200);
  expect((await documentOf(purchaseId)).facts).toMatchObject({
    ...{ buyer: { name: "Asha Mehta", email: "mehta@example.com" }, courseTitle: "Before", priceMinor: 100_000 },
    ...{ discountMinor: 10_000, couponMinor: 10_000, couponCode: code, totalMinor: 80_000, paymentId: id },
    tax: { amountMinor: 12_203 },
  });
});

test("seller and tax are those of the completion, and a credit note has those of its invoice", async () => {
  const course = await buildCourse(server, { coursePrice: 1180, discount: 0 });
  const learner = await server.signedIn();
  const { purchaseId } = await openPurchase(server, learner, course);
  const moved = { SELLER_NAME: "Lyceum SE", SELLER_ADDRESS: "Elsewhere", SELLER_TAX_ID: "DE1", TAX_NAME: "VAT" };
  const abroad = await server.another({ ...moved, TAX_PERCENT: "19" });
  const id = paymentId();
  await deliver(server, paymentEvent("payment.captured", { id, purchaseId }));
  expect((await invoice(learner, purchaseId, "", abroad)).status).toBe(200);
  await deliver(abroad, refundEvent({ id: "rfnd_after_the_move", paymentId: id, amount: 118_000 }));
  expect((await invoice(learner, purchaseId, "?document=credit-note", abroad)).status).toBe(200);
  const documents = await db.Invoice.find({ purchaseId }).sort({ _id: 1 }).lean();
  const facts = { seller, tax: { name: "GST", percent: 18, amountMinor: 18_000 } };
  expect(documents).toMatchObject([
    { kind: "invoice", facts },
    { kind: "credit-note", facts },
  ]);
});

test("where no tax was in force at completion, none is added later", async () => {
  const untaxed = await server.another({ TAX_PERCENT: "", SELLER_NAME: "Before registration" });
  const learner = await server.signedIn();
  const { purchaseId } = await openPurchase(untaxed, learner, await buildCourse(server));
  await deliver(untaxed, paymentEvent("payment.captured", { id: paymentId(), purchaseId }));
  expect((await invoice(learner, purchaseId)).status).toBe(200);
  expect((await documentOf(purchaseId)).facts).toMatchObject({ seller: { name: "Before registration" }, tax: null });
});

test("there is no invoice of what was not paid, or not by the caller", async () => {
  const [learner, other] = [await server.signedIn(), await server.signedIn()];
  const [course, free] = [await buildCourse(server), await buildCourse(server, { coursePrice: 0 })];
  const open = await openPurchase(server, learner, course);
  const taken = await buy(server, learner, free._id);
  const paid = await buy(server, learner, (await buildCourse(server))._id);
  const missing = refusal(404, "Invoice not found");
  expect(await invoice(learner, open.purchaseId)).toMatchObject(missing);
  expect(await invoice(learner, taken.purchaseId)).toMatchObject(missing);
  expect(await invoice(other, paid.purchaseId)).toMatchObject(missing);
  expect(await invoice(learner, "665f1c2ab7e4d90012ab34cd")).toMatchObject(missing);
  expect(await invoice(learner, paid.purchaseId, "?document=credit-note")).toMatchObject(missing);
  const odd = await invoice(learner, paid.purchaseId, "?document=receipt");
  expect(odd).toMatchObject(refusal(400, "Invalid request data"));
});

test("each refund has a credit note of its own, and together they are no more than was paid", async () => {
  const learner = await server.signedIn();
  const course = await buildCourse(server, { coursePrice: 1000, discount: 0 });
  const { purchaseId } = await openPurchase(server, learner, course);
  const id = paymentId();
  // Paid back in part before it is reported.
  await deliver(server, refundEvent({ id: "rfnd_part", paymentId: id, amount: 30_000 }));
  await deliver(server, paymentEvent("payment.captured", { id, purchaseId }));
  const part = await invoice(learner, purchaseId, "?document=credit-note");
  expect(nameOf(part)).toMatch(new RegExp(`filename="INVC-${series}-\\d{6}\\.pdf"`));
  await deliver(server, refundEvent({ id: "rfnd_rest", paymentId: id, amount: 90_000 }));
  await deliver(server, refundEvent({ id: "rfnd_part", paymentId: id, amount: 30_000, event: "refund.processed" }));
  const rest = await invoice(learner, purchaseId, "?document=credit-note");
  expect(nameOf(rest)).not.toBe(nameOf(part));
  const notes = await db.Invoice.find({ purchaseId, kind: "credit-note" }).sort({ _id: 1 }).lean();
  expect(notes.map(({ refundId, facts }) => [refundId, facts.totalMinor, facts.tax?.amountMinor])).toEqual([
    ["rfnd_part", 30_000, 4_576],
    ["rfnd_rest", 70_000, 10_678],
  ]);
  const [first, second] = notes.map(({ number }) => number);
  expect(await order(learner)).toMatchObject({ status: "refunded", creditNoteNumber: second });
  const earlier = await invoice(learner, purchaseId, `?document=credit-note&number=${first}`);
  expect(nameOf(earlier)).toBe(nameOf(part));
  const none = await invoice(learner, purchaseId, "?document=credit-note&number=INVC-1");
  expect(none).toMatchObject(refusal(404, "Invoice not found"));
  expect((await invoice(learner, purchaseId)).status).toBe(200);
});

test("money above the price has no credit note when it is paid back", async () => {
  const learner = await server.signedIn();
  const { purchaseId } = await openPurchase(
    server,
    learner,
    await buildCourse(server, { coursePrice: 500, discount: 0 }),
  );
  const id = paymentId();
  await deliver(server, paymentEvent("payment.captured", { id, purchaseId, amount: 51_180 }));
  await deliver(server, refundEvent({ id: "rfnd_fee", paymentId: id, amount: 1_180 }));
  const none = await invoice(learner, purchaseId, "?document=credit-note");
  expect(none).toMatchObject(refusal(404, "Invoice not found"));
  expect(await db.Purchase.findById(purchaseId).lean()).not.toHaveProperty("creditNoteNumber");
  await deliver(server, refundEvent({ id: "rfnd_part", paymentId: id, amount: 10_000 }));
  expect((await invoice(learner, purchaseId, "?document=credit-note")).status).toBe(200);
  await deliver(server, refundEvent({ id: "rfnd_end", paymentId: id, amount: 40_000 }));
  expect((await invoice(learner, purchaseId, "?document=credit-note")).status).toBe(200);
  const notes = await db.Invoice.find({ purchaseId, kind: "credit-note" }).sort({ _id: 1 }).lean();
  expect(notes.map(({ refundId, facts }) => [refundId, facts.totalMinor, facts.tax?.amountMinor])).toEqual([
    ["rfnd_part", 10_000, 1_525],
    ["rfnd_end", 40_000, 6_102],
  ]);
  expect((await documentOf(purchaseId)).facts.tax?.amountMinor).toBe(7_627);
});

test("numbers are given without a gap, in order of completion, by instances and requests at once", async () => {
  const fresh = await startTestServer({ own: "begins a series of numbers" });
  const other = await fresh.another();
  const learners = [await fresh.signedIn(), await fresh.signedIn()];
  const purchases: string[] = [];
  for (let i = 0; i < 12; i += 1) {
    const buyer = learners[i % 2] as SignedIn;
    purchases.push((await buy(fresh, buyer, (await buildCourse(fresh))._id)).purchaseId);
  }
  // The completions are longer ago than the time that requests wait.
  vi.useFakeTimers({ toFake: ["Date"], now: Date.now() + 5_000 });
  onTestFinished(() => void vi.useRealTimers());
  const get = (to: TestServer, i: number) =>
    to.get(`/api/user/purchases/${purchases[i]}/invoice`, learners[i % 2]?.token);
  const done = await Promise.all([
    ...[get(fresh, 11), get(other, 3), get(fresh, 3), get(other, 0)],
    ...[giveNumbers(numbers(fresh), later()), giveNumbers(numbers(other), later())],
  ]);
  expect(done).toHaveLength(6);
  const stored = await fresh.deps.db.Invoice.find().sort({ number: 1 }).lean();
  expect(stored.map(({ number }) => number)).toEqual(
    purchases.map((_, i) => `INV-${series}-${String(i + 1).padStart(6, "0")}`),
  );
  expect(stored.map(({ purchaseId }) => String(purchaseId))).toEqual(purchases);
  expect(await giveNumbers(numbers(fresh), later())).toBe(0);
});

test("a request numbers no invoice ahead of an earlier completion that is not committed yet", async () => {
  const fresh = await startTestServer({ own: "begins a series of numbers" });
  const [anna, ben] = [await fresh.signedIn(), await fresh.signedIn()];
  const first = await openPurchase(fresh, anna, await buildCourse(fresh));
  const proxy = await startDatabaseProxy(fresh.databaseUri);
  const connection = await connectThrough(proxy);
  // The payment and the purchase are written, and the transaction goes on.
  const there = proxy.holdAfter(2);
  const { config } = fresh.deps;
  const report = { paymentId: paymentId(), eventKey: null, proof: "capture" } as const;
  const [through, purchaseId] = [createDb(connection), new Types.ObjectId(first.purchaseId)];
  const completion = saleTransaction(
    through,
    async () => undefined,
    (session) => recordProof({ db: through, config }, session, purchaseId, report),
  );
  await there;
  const second = await buy(fresh, ben, (await buildCourse(fresh))._id);
  const asked = fresh.get(`/api/user/purchases/${second.purchaseId}/invoice`, ben.token);
  // The request, which no job helps, waits for its number far longer than this.
  await new Promise((resolve) => setTimeout(resolve, 200));
  proxy.release();
  expect(await completion).toMatchObject({ purchase: { status: "completed" } });
  expect((await asked).status).toBe(200);
  const stored = await fresh.deps.db.Invoice.find().sort({ number: 1 }).lean();
  expect(stored.map(({ purchaseId }) => String(purchaseId))).toEqual([first.purchaseId, second.purchaseId]);
  await connection.close();
  await proxy.close();
});

test("the series and its year are those that are configured", async () => {
  const fresh = await startTestServer({
    env: { INVOICE_PREFIX: "A1", INVOICE_YEAR_START_MONTH: "1", INVOICE_TIME_ZONE: "UTC" },
  });
  const learner = await fresh.signedIn();
  const { purchaseId } = await buy(fresh, learner, (await buildCourse(fresh))._id);
  const { db: models } = fresh.deps;
  const dayBefore = new Date(Date.UTC(now.getUTCFullYear() - 1, 11, 31, 23, 59));
  await models.Purchase.updateOne({ _id: purchaseId }, { completedAt: dayBefore });
  await giveNumbers(numbers(fresh), later());
  const { number, facts } = await models.Invoice.findOne().orFail().lean();
  expect(number).toBe(`A1-${now.getUTCFullYear() - 1}-000001`);
  expect(facts).toMatchObject({ seller: { name: "Lyceum", address: "", taxId: "" }, tax: null });
});

test("a year in India begins at its own midnight, and its series goes on where numbers of the former form ended", async () => {
  const fresh = await startTestServer({ own: "begins a series of numbers" });
  const { Purchase, Invoice, InvoiceSeries } = fresh.deps.db;
  const { purchaseId } = await buy(fresh, await fresh.signedIn(), (await buildCourse(fresh))._id);
  const { _id, providerOrderId, providerPaymentId, ...bought } = await Purchase.findById(purchaseId).orFail().lean();
  await Purchase.deleteOne({ _id });
  await InvoiceSeries.create({ _id: "INV-2026-27", last: 41 });
  const hours = Array.from({ length: 72 }, (_, hour) => new Date(Date.UTC(2027, 2, 30, 12 + hour)));
  await Purchase.insertMany(hours.map((at) => ({ ...bought, completedAt: at, invoiceDueAt: at })));
  while ((await giveNumbers(numbers(fresh), new Date("2028-01-01"))) > 0);
  const stored = await Invoice.find().sort({ issuedAt: 1 }).lean();
  const shown = stored.map((one) => [
    one.number,
    describeInvoice(one, "order").references.find(({ label }) => label === "Date")?.value,
  ]);
  // 18:30 in UTC is midnight.
  const expected = hours.map((at, hour) => {
    const india = new Date(at.getTime() + 5.5 * 60 * 60_000);
    const isNew = india >= new Date("2027-04-01T00:00Z");
    const sequence = isNew ? hour - 30 : 42 + hour;
    const date = `${india.getUTCDate()} ${india.getUTCMonth() === 2 ? "March" : "April"} 2027`;
    return [`INV-${isNew ? "2728" : "2627"}-${String(sequence).padStart(6, "0")}`, date];
  });
  expect(shown).toEqual(expected);
  const drawn = (zone: object) => renderInvoice({ ...(stored[31] as Invoice), ...zone }, lyceum);
  expect((await drawn({})).equals(await drawn({ timeZone: "UTC" }))).toBe(false);
});

test("any name and title fits on one page, and the same document gives the same bytes", async () => {
  const learner = await server.signedIn();
  const title = "हिन्दी में डेटा विज्ञान & <types> 🎓 ".repeat(2).slice(0, 80);
  const { purchaseId } = await buy(server, learner, (await buildCourse(server, { courseTitle: title }))._id);
  await invoice(learner, purchaseId);
  const stored = await documentOf(purchaseId);
  const long = "Maximiliana Alexandrina Wilhelmina von Hohenzollern-Sigmaringen ".repeat(4);
  const crowded = {
    ...stored,
    facts: {
      ...stored.facts,
      seller: { name: long, address: `${long}\n`.repeat(9), taxId: long },
      buyer: { name: long, email: `${"a".repeat(200)}@example.com` },
      ...{ couponCode: "A".repeat(32), couponMinor: 1, priceMinor: Number.MAX_SAFE_INTEGER },
    },
  };
  for (const one of [stored, crowded]) {
    const pdf = await renderInvoice(one, lyceum);
    expect(pdf.equals(await renderInvoice(one, lyceum))).toBe(true);
    expect(pdf.toString("latin1").match(/\/Type \/Page\b/g)).toHaveLength(1);
  }
  const billedTo = (name: string) => {
    const buyer = { name, email: "asha@example.com" };
    return renderInvoice({ ...stored, facts: { ...stored.facts, buyer } }, lyceum);
  };
  const byAddress = await billedTo("asha@example.com");
  expect(byAddress.equals(await billedTo("\u2060"))).toBe(true);
  expect(byAddress.equals(await billedTo("דביר"))).toBe(false);
});
