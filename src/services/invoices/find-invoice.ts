import { setTimeout as pause } from "node:timers/promises";
import type { Db } from "../../db/db.js";
import { failure } from "../../lib/errors.js";
import type { Invoice, InvoiceKind } from "../../models/payments/invoice.js";
import { type Purchase, salesInReach } from "../../models/payments/purchase.js";
import type { KeyUse } from "../../models/users/api-key.js";
import { giveNumbers, type InvoiceDeps, numberedAfterMs } from "./number-invoices.js";

export const InvoiceNotFound = failure("invoice_not_found", 404, "Invoice not found");

interface WantedInvoice {
  readonly purchaseId: string;
  /** Only a purchase of this user; any purchase when absent. */
  readonly userId?: string | undefined;
  /** Only a purchase that this API key sees. */
  readonly key?: KeyUse | undefined;
  readonly kind: InvoiceKind;
  /** An earlier credit note; the newest when absent. */
  readonly number?: string | undefined;
}

/**
 * Finds the invoice of a completed purchase, or a credit note of it. A document without a number gets its number now. For
 * the first seconds after a completion, this waits until all earlier completions are committed.
 * @param deps `signal` ends the wait when the client leaves. @throws InvoiceNotFound.
 */
export async function findInvoice(
  { db, settings, signal }: InvoiceDeps & { readonly signal: AbortSignal },
  { purchaseId, userId, key, kind, number }: WantedInvoice,
): Promise<Invoice> {
  const own = { _id: purchaseId, ...salesInReach(key), ...(userId === undefined ? {} : { userId }) };
  const purchase = await db.Purchase.findOne(own).lean<Purchase>();
  const paid = purchase?.status === "completed" || purchase?.status === "refunded";
  if (!purchase || !paid || purchase.amount <= 0) throw InvoiceNotFound();
  const hasNote = purchase.refundedMinor > 0 || purchase.creditNoteDueAt || purchase.creditNoteNumber;
  if (kind === "credit-note" && !hasNote) throw InvoiceNotFound();
  for (let due = await waitingSince(db, purchase._id, kind); due; due = await waitingSince(db, purchase._id, kind)) {
    // The wait is bounded also when the clock of the instance that completed the purchase is ahead.
    const untilDueMs = Math.max(0, due.getTime() + numberedAfterMs - Date.now());
    await pause(Math.min(numberedAfterMs, untilDueMs), undefined, { signal });
    // The job, or another request, may have numbered the document meanwhile.
    if (!(await waitingSince(db, purchase._id, kind))) break;
    if ((await giveNumbers({ db, settings }, due)) === 0) break;
  }
  const ofNumber = number === undefined ? {} : { number };
  const invoice = await db.Invoice.findOne({ purchaseId: purchase._id, kind, ...ofNumber })
    .sort({ _id: -1 })
    .lean<Invoice>();
  if (!invoice) throw InvoiceNotFound();
  return invoice;
}

/** Returns up to which date documents have to be numbered, so that this one has its number; undefined when it has one. */
async function waitingSince(db: Db, _id: Purchase["_id"], kind: InvoiceKind): Promise<Date | undefined> {
  const purchase = await db.Purchase.findById(_id, { invoiceDueAt: 1, creditNoteDueAt: 1 }).lean<Purchase>();
  const { invoiceDueAt, creditNoteDueAt } = purchase ?? {};
  if (kind === "invoice") return invoiceDueAt;
  if (!creditNoteDueAt) return undefined;
  // A credit note names its invoice.
  return invoiceDueAt && invoiceDueAt > creditNoteDueAt ? invoiceDueAt : creditNoteDueAt;
}
