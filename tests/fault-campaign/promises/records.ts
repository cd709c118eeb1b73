import { counterDifferences } from "../../../ops/recount/counter-differences.js";
import { missingDocuments } from "../../../ops/recount/missing-documents.js";
import type { Db } from "../../../src/db/db.js";
import { userOwnedCollections } from "../../../src/models/index.js";
import type { Invoice } from "../../../src/models/payments/invoice.js";
import { attemptDiscrepancies, timeDiscrepancies } from "../../assertions/learning-recount.js";
import { discrepancies } from "../../assertions/recount.js";
import { type Promised, promise } from "./promise.js";

export const ofRecords: readonly Promised[] = [
  promise("every counter equals a recount", async ({ system: { db } }, expect) => {
    let compared = 0;
    const progress = (_collection: string, count: number): void => {
      compared += count;
    };
    for await (const { collection, id, field, stored, counted } of counterDifferences(db, { fix: false, progress })) {
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
  promise(
    "invoices are numbered without a gap, and their credit notes say what was paid back of them",
    async ({ system }, expect) => {
      const { Invoice: Invoices, InvoiceSeries, Payment, Purchase } = system.db;
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
        const { _id, status, invoiceNumber, voidedInvoices = [] } = purchase;
        const own = rows.filter(({ purchaseId }) => purchaseId.equals(_id));
        const bills = own.filter(({ kind }) => kind === "invoice");
        const newest = bills.toSorted((a, b) => (a.ordinal ?? 1) - (b.ordinal ?? 1)).at(-1);
        expect(
          newest?.number === invoiceNumber && !voidedInvoices.includes(newest?.number ?? ""),
          () => `purchase ${_id} has the invoice ${newest?.number}, and shows ${invoiceNumber}`,
        );
        const sold = await Payment.find({ purchaseId: _id, verdict: "accepted", captured: true }).lean();
        const paidBack = refunds.filter(
          ({ paymentId, status: state }) => state === "processed" && sold.some((payment) => payment._id === paymentId),
        );
        const kept = sum(sold.map(({ amountMinor }) => amountMinor ?? 0)) - sum(paidBack.map(({ amount }) => amount));
        for (const { number, facts } of bills) {
          const noted = sum(
            own.filter((note) => note.facts.invoiceNumber === number).map((note) => note.facts.totalMinor),
          );
          const isOver = number !== invoiceNumber || status === "refunded";
          const owed = isOver ? facts.totalMinor : Math.max(0, facts.totalMinor - kept);
          expect(noted === owed, () => `invoice ${number} has credit notes of ${noted}, ${owed} of it was paid back`);
        }
      }
    },
  ),
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
