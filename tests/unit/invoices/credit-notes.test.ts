import fc from "fast-check";
import { Types } from "mongoose";
import { expect, test } from "vitest";
import type { Invoice } from "../../../src/models/payments/invoice.js";
import { missingNotes } from "../../../src/services/invoices/credit-notes.js";
import { unreported, withProof } from "../../../src/services/payments/facts.js";
import { includedTaxMinor } from "../../../src/services/payments/price.js";
import { openedPurchase } from "../payments/fold-facts.js";

const invoiceOf = (totalMinor: number, percent: number): Invoice => ({
  _id: new Types.ObjectId(),
  kind: "invoice",
  number: "INV-1",
  purchaseId: new Types.ObjectId(),
  ordinal: 1,
  refundId: null,
  issuedAt: new Date(),
  createdAt: new Date(),
  facts: {
    seller: { name: "Seller", address: "", taxId: "" },
    buyer: { name: "Asha", email: "asha@example.com" },
    ...{ courseTitle: "Course", currency: "INR", priceMinor: totalMinor, discountMinor: 0, couponMinor: 0 },
    ...{ couponCode: null, totalMinor, paymentId: "pay_1", invoiceNumber: null },
    tax: { name: "GST", percent, amountMinor: includedTaxMinor(totalMinor, percent) },
  },
});

const capture = { paymentId: "pay_1", proof: "capture", eventKey: null } as const;
const accepted = { purchaseId: new Types.ObjectId(), verdict: "accepted" } as const;

/** An amount, and the parts in which it is paid back. */
const split = fc
  .tuple(
    fc.integer({ min: 1, max: 1_000_000 }),
    fc.array(fc.double({ min: 0, max: 1, noNaN: true }), { maxLength: 12 }),
  )
  .map(([total, cuts]) => {
    const ends = [...new Set([...cuts.map((cut) => Math.floor(cut * total)), 0, total])].sort((a, b) => a - b);
    return { total, parts: ends.slice(1).map((end, i) => end - (ends[i] ?? 0)) };
  });

test("the credit notes of all that is paid back have the amount and the tax of their invoice together", () => {
  const percent = fc.integer({ min: 0, max: 990_000 }).map((digits) => digits / 10_000);
  fc.assert(
    fc.property(split, percent, fc.boolean(), ({ total, parts }, rate, atOnce) => {
      const invoice = invoiceOf(total, rate);
      const documents = [invoice];
      const refunds = parts.map((amountMinor, i) => ({ refundId: `rfnd_${i}`, amountMinor }));
      for (let count = atOnce ? parts.length : 1; count <= parts.length; count += 1) {
        const paidBack = refunds.slice(0, count);
        const payment = { ...withProof(unreported("pay_1"), capture, accepted), refunds: paidBack };
        const creditedMinor = paidBack.reduce((sum, { amountMinor }) => sum + amountMinor, 0);
        const purchase = openedPurchase({ providerPaymentId: "pay_1", creditedMinor });
        const drafts = missingNotes(purchase, invoice, documents, [payment]);
        documents.push(...drafts.map((draft, i): Invoice => ({ ...invoice, ...draft, number: `CN-${count}-${i}` })));
      }
      const notes = documents.slice(1).map(({ facts }) => facts);
      expect(notes.map(({ totalMinor }) => totalMinor)).toEqual(parts);
      const taxes = notes.map(({ tax }) => tax?.amountMinor ?? Number.NaN);
      expect(taxes.reduce((sum, tax) => sum + tax, 0)).toBe(invoice.facts.tax?.amountMinor);
      expect(Math.min(...taxes)).toBeGreaterThanOrEqual(0);
    }),
    { numRuns: 1_000 },
  );
});
