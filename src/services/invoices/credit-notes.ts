import type { Invoice, InvoiceFacts } from "../../models/payments/invoice.js";
import type { Payment } from "../../models/payments/payment.js";
import type { Purchase } from "../../models/payments/purchase.js";
import { includedTaxMinor } from "../payments/price.js";

/** A document that has no number yet. */
export type Draft = Omit<Invoice, "number" | "_id" | "noticeDueAt" | "createdAt">;

type Refund = { readonly refundId: string | null; readonly amountMinor: number; readonly paymentId: string };

/**
 * Drafts the credit notes that an invoice lacks: for each refund one, or one for the whole invoice when its payment was
 * never captured. Together they are about what was paid back below the price: earlier refunds are of the money above it,
 * or of a second payment.
 * @param documents of the purchase, the oldest first. @param payments of the purchase.
 */
export function missingNotes(
  purchase: Purchase,
  invoice: Invoice,
  documents: readonly Invoice[],
  payments: readonly Payment[],
): Draft[] {
  const { voidedInvoices = [], creditNoteDueAt, creditedMinor = purchase.refundedMinor } = purchase;
  const { number, facts, purchaseId } = invoice;
  const isVoided = voidedInvoices.includes(number);
  const isNewest = documents.findLast(({ kind }) => kind === "invoice") === invoice;
  const whole = { refundId: null, amountMinor: facts.totalMinor, paymentId: facts.paymentId };
  const notes = documents.filter((note) => note.facts.invoiceNumber === number);
  // A purchase that was completed again after an invoice had been refunded in full.
  const owed = isVoided || !isNewest ? facts.totalMinor : Math.min(facts.totalMinor, creditedMinor);
  let left = owed - totalOf(notes);
  const refunds = (isVoided ? [whole] : refundsOf(purchase, invoice, isNewest, payments)).map((refund) => ({
    ...refund,
    amountMinor: refund.amountMinor - totalOf(notes.filter(({ refundId }) => refundId === refund.refundId)),
  }));
  let above = refunds.reduce((sum, { amountMinor }) => sum + amountMinor, 0) - left;
  const drafts: Draft[] = [];
  for (const { refundId, amountMinor, paymentId } of refunds) {
    const aside = Math.min(amountMinor, Math.max(0, above));
    above -= aside;
    const totalMinor = Math.min(left, amountMinor - aside);
    if (totalMinor <= 0) continue;
    left -= totalMinor;
    const tax = taxOfNote(totalMinor, facts.tax, [...notes, ...drafts]);
    const issuedAt = creditNoteDueAt ?? new Date();
    const content = { ...facts, totalMinor, tax, paymentId, invoiceNumber: number };
    drafts.push({ kind: "credit-note", purchaseId, refundId, issuedAt, facts: content });
  }
  return drafts;
}

/** The refunds that an invoice's credit notes can be about, those of its present payment last. */
function refundsOf(
  { status, providerPaymentId = "", formerPaymentIds = [] }: Purchase,
  { facts }: Invoice,
  isNewest: boolean,
  payments: readonly Payment[],
): Refund[] {
  // When all is paid back, the purchase names the payment that was made first. The one that completed it last is the last former.
  const isNamedAgain = status === "refunded" && formerPaymentIds.includes(providerPaymentId);
  const completing = isNamedAgain ? formerPaymentIds.at(-1) : providerPaymentId;
  const last = isNewest ? completing : facts.paymentId;
  const isOfInvoice = ({ _id, captured, verdict }: Payment) =>
    isNewest ? captured && verdict === "accepted" : formerPaymentIds.includes(_id);
  return [
    ...payments.filter((payment) => payment._id !== last && isOfInvoice(payment)),
    ...payments.filter(({ _id }) => _id === last),
  ].flatMap(({ _id: paymentId, refunds }) => refunds.map((refund) => ({ ...refund, paymentId })));
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
