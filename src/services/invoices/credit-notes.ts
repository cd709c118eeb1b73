import type { Invoice, InvoiceFacts } from "../../models/payments/invoice.js";
import type { Payment } from "../../models/payments/payment.js";
import type { Purchase } from "../../models/payments/purchase.js";
import { includedTaxMinor } from "../payments/price.js";

/** A document that has no number yet. */
export type Draft = Omit<Invoice, "number" | "_id" | "noticeDueAt" | "createdAt">;

/**
 * Drafts a credit note for each refund of an invoice's payment that has none, or a credit note for the whole invoice when
 * its payment was never captured. The credit notes of an invoice are together never more than the invoice.
 */
export function missingNotes(
  { voidedInvoices = [], creditNoteDueAt }: Pick<Purchase, "voidedInvoices" | "creditNoteDueAt">,
  invoice: Invoice,
  documents: readonly Invoice[],
  payments: readonly Pick<Payment, "_id" | "refunds">[],
): Draft[] {
  const whole = { refundId: null, amountMinor: invoice.facts.totalMinor };
  const payment = payments.find(({ _id }) => _id === invoice.facts.paymentId);
  const refunds = voidedInvoices.includes(invoice.number) ? [whole] : (payment?.refunds ?? []);
  const notes = documents.filter(({ facts }) => facts.invoiceNumber === invoice.number);
  const drafts: Draft[] = [];
  for (const { refundId, amountMinor } of refunds) {
    const earlier = [...notes, ...drafts];
    const left = whole.amountMinor - totalOf(earlier);
    const owed = Math.min(left, amountMinor - totalOf(notes.filter((note) => note.refundId === refundId)));
    if (owed <= 0) continue;
    drafts.push({
      kind: "credit-note",
      purchaseId: invoice.purchaseId,
      refundId,
      issuedAt: creditNoteDueAt ?? new Date(),
      facts: {
        ...invoice.facts,
        totalMinor: owed,
        tax: taxOfNote(owed, invoice.facts.tax, earlier),
        invoiceNumber: invoice.number,
      },
    });
  }
  return drafts;
}

type Sums = readonly Pick<Invoice, "facts">[];

const totalOf = (notes: Sums): number => notes.reduce((sum, { facts }) => sum + facts.totalMinor, 0);

/**
 * The tax of all that is paid back so far, at the rate of the invoice, without the tax of the earlier credit notes. So the
 * notes of a whole invoice have its tax together.
 */
function taxOfNote(totalMinor: number, rate: InvoiceFacts["tax"], earlier: Sums): InvoiceFacts["tax"] {
  const tax = taxIn(totalOf(earlier) + totalMinor, rate);
  const before = earlier.reduce((sum, { facts }) => sum + (facts.tax?.amountMinor ?? 0), 0);
  return tax && { ...tax, amountMinor: tax.amountMinor - before };
}

export const taxIn = (totalMinor: number, tax: Pick<NonNullable<InvoiceFacts["tax"]>, "name" | "percent"> | null) =>
  tax && { name: tax.name, percent: tax.percent, amountMinor: includedTaxMinor(totalMinor, tax.percent) };
