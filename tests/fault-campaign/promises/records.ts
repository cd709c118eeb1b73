import type { Db } from "../../../src/db/db.js";
import { userOwnedCollections } from "../../../src/models/index.js";
import type { Invoice } from "../../../src/models/payments/invoice.js";
import { missingDocuments } from "../../../src/services/recount/missing.js";
import { recount } from "../../../src/services/recount/recount.js";
import { attemptDiscrepancies, timeDiscrepancies } from "../../assertions/learning-recount.js";
import { discrepancies } from "../../assertions/recount.js";
import { type Promised, promise } from "./promise.js";

export const ofRecords: readonly Promised[] = [
  promise("every counter equals a recount", async ({ system: { db } }, expect) => {
    let compared = 0;
    const progress = (_collection: string, count: number): void => {
      compared += count;
    };
    for await (const { collection, id, field, stored, counted } of recount(db, { fix: false, progress })) {
      expect(false, () => `${collection} ${id} ${field}: stored ${stored}, counted ${counted}`);
    }
    for await (const missing of missingDocuments(db)) expect(false, () => missing);
    for (const line of await discrepancies({ deps: { db } })) expect(false, () => line);
    for (const { _id } of await db.Course.find({}, { _id: 1 }).lean()) {
      const wrong = await attemptDiscrepancies(db, _id);
      expect(wrong.length === 0, () => `course ${_id}: ${JSON.stringify(wrong)}`);
    }
    for (const userId of await db.TimeSession.distinct("userId")) {
      const wrong = await timeDiscrepancies(db, userId);
      expect(wrong.length === 0, () => `time of ${userId}: ${JSON.stringify(wrong)}`);
    }
    return compared;
  }),
  promise("invoices are numbered without a gap, one for each sale and refund", async ({ system }, expect) => {
    const { Invoice: Invoices, InvoiceSeries, Purchase } = system.db;
    const rows = await Invoices.find().lean<Invoice[]>();
    for (const { _id, last } of await InvoiceSeries.find().lean()) {
      const start = _id.replace("CN-", "C-").replace(/-\d\d(\d\d)-/, "-$1");
      const numbers = rows.map(({ number }) => number).filter((number) => number.startsWith(`${start}-`));
      const given = new Set(numbers.map((number) => Number(number.slice(start.length + 1))));
      const whole = given.size === last && numbers.length === last && Math.max(0, ...given) === last;
      expect(whole, () => `series ${_id}: ${numbers.length} numbers up to ${last}`);
    }
    const { refunds } = system.emulators.payments.records();
    const sum = (amounts: number[]): number => amounts.reduce((total, amount) => total + amount, 0);
    for (const purchase of await Purchase.find({
      status: { $in: ["completed", "refunded"] },
      amount: { $gt: 0 },
    }).lean()) {
      const { _id, providerPaymentId, invoiceNumber, voidedInvoices = [] } = purchase;
      const own = rows.filter(({ purchaseId }) => purchaseId.equals(_id));
      const bills = own.filter(({ kind }) => kind === "invoice");
      const current = bills.filter(
        ({ number, facts }) => facts.paymentId === providerPaymentId && !voidedInvoices.includes(number),
      );
      expect(
        current.length === 1 && current[0]?.number === invoiceNumber,
        () => `purchase ${_id} has ${current.length} invoices for ${providerPaymentId}, number ${invoiceNumber}`,
      );
      for (const { number, facts } of bills) {
        const noted = sum(
          own.filter((note) => note.facts.invoiceNumber === number).map((note) => note.facts.totalMinor),
        );
        const paidBack = refunds.filter(
          ({ paymentId, status }) => paymentId === facts.paymentId && status === "processed",
        );
        const owed = voidedInvoices.includes(number) ? facts.totalMinor : sum(paidBack.map(({ amount }) => amount));
        expect(noted === owed, () => `invoice ${number} has credit notes of ${noted} for refunds of ${owed}`);
      }
    }
  }),
  promise("an erasure that was accepted is complete", async ({ system: { db }, journal }, expect) => {
    for (const userId of journal.erased) {
      expect((await db.Erasure.findById(userId).lean()) === null, () => `the erasure of ${userId} is not done`);
      for (const { name, owner, erasure } of userOwnedCollections) {
        if (erasure === "ownStep" || (typeof erasure === "object" && "keep" in erasure)) continue;
        const left = await (db[name] as Db["CourseProgress"]).countDocuments({ [owner]: userId });
        expect(left === 0, () => `${left} rows of ${name} name ${userId}`);
      }
    }
  }),
];
