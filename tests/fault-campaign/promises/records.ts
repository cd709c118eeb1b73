import type { Invoice } from "../../../src/models/payments/invoice.js";
import { treatments } from "../../../src/services/privacy/personal-data.js";
import { missingDocuments } from "../../../src/services/recount/missing.js";
import { recount } from "../../../src/services/recount/recount.js";
import { discrepancies } from "../../assertions/community-recount.js";
import { attemptDiscrepancies, ratingDiscrepancies, timeDiscrepancies } from "../../assertions/learning-recount.js";
import { Findings, type Promised } from "./promise.js";

const counters: Promised = {
  name: "every counter equals a recount",
  async check({ system: { db } }) {
    const findings = new Findings();
    let compared = 0;
    const progress = (_collection: string, count: number): void => {
      compared += count;
    };
    for await (const { collection, id, field, stored, counted } of recount(db, { fix: false, progress })) {
      findings.expect(false, () => `${collection} ${id} ${field}: stored ${stored}, counted ${counted}`);
    }
    for await (const missing of missingDocuments(db)) findings.expect(false, () => missing);
    for (const line of await discrepancies({ deps: { db } })) findings.expect(false, () => line);
    for (const { _id } of await db.Course.find({}, { _id: 1 }).lean()) {
      const wrong = [...(await ratingDiscrepancies(db, _id)), ...(await attemptDiscrepancies(db, _id))];
      findings.expect(wrong.length === 0, () => `course ${_id}: ${JSON.stringify(wrong)}`);
    }
    for (const userId of await db.TimeSession.distinct("userId")) {
      const wrong = await timeDiscrepancies(db, userId);
      findings.expect(wrong.length === 0, () => `time of ${userId}: ${JSON.stringify(wrong)}`);
    }
    findings.count += compared;
    return findings;
  },
};

const invoices: Promised = {
  name: "invoices are numbered without a gap, one for each sale and refund",
  async check({ system }) {
    const { Invoice: Invoices, InvoiceSeries, Purchase } = system.db;
    const findings = new Findings();
    const rows = await Invoices.find().lean<Invoice[]>();
    for (const { _id, last } of await InvoiceSeries.find().lean()) {
      const numbers = rows.map(({ number }) => number).filter((number) => number.startsWith(`${_id}-`));
      const given = new Set(numbers.map((number) => Number(number.slice(_id.length + 1))));
      const whole = given.size === last && numbers.length === last && Math.max(0, ...given) === last;
      findings.expect(whole, () => `series ${_id}: ${numbers.length} numbers up to ${last}`);
    }
    const { refunds } = system.emulators.payments.records();
    for (const { _id, providerPaymentId, invoiceNumber, invoiceDueAt } of await Purchase.find({
      status: { $in: ["completed", "refunded"] },
      amount: { $gt: 0 },
    }).lean()) {
      const own = rows.filter(({ purchaseId }) => purchaseId.equals(_id));
      const [bills, notes] = [
        own.filter(({ kind }) => kind === "invoice"),
        own.filter(({ kind }) => kind === "credit-note"),
      ];
      const paidBack = refunds.filter(
        ({ paymentId, status }) => paymentId === providerPaymentId && status === "processed",
      );
      findings.expect(
        bills.length === 1,
        () =>
          `purchase ${_id} has ${bills.length} invoices, number ${invoiceNumber}, due ${invoiceDueAt?.toISOString()}`,
      );
      findings.expect(
        notes.length === paidBack.length,
        () => `purchase ${_id} has ${notes.length} credit notes for ${paidBack.length} refunds`,
      );
    }
    return findings;
  },
};

const erasures: Promised = {
  name: "an erasure that was accepted is complete",
  async check({ system: { db }, journal }) {
    const findings = new Findings();
    for (const userId of journal.erased) {
      findings.expect(
        (await db.Erasure.findById(userId).lean()) === null,
        () => `the erasure of ${userId} is not done`,
      );
      for (const [name, treatment] of Object.entries(treatments)) {
        if (treatment.rows !== "removed" && treatment.rows !== "anonymised") continue;
        const model = db[name as "CourseProgress"];
        const left = await model.countDocuments({ [treatment.owner]: userId });
        findings.expect(left === 0, () => `${left} rows of ${name} name ${userId}`);
      }
    }
    return findings;
  },
};

export const ofRecords: readonly Promised[] = [counters, invoices, erasures];
