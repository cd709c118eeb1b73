import { setTimeout as pause } from "node:timers/promises";
import type { InvoiceSettings } from "../../config.js";
import type { Db } from "../../db/db.js";
import { failure } from "../../lib/errors.js";
import type { Invoice, InvoiceKind } from "../../models/payments/invoice.js";
import type { Purchase } from "../../models/payments/purchase.js";
import { giveNumbers, numberedAfterMs } from "./number-invoices.js";

export const InvoiceNotFound = failure("invoice_not_found", 404, "Invoice not found");

interface InvoiceQuery {
  readonly purchaseId: string;
  /** Only a purchase of this user; any when absent. */
  readonly userId?: string;
  readonly kind: InvoiceKind;
  /** An earlier credit note; the newest when absent. */
  readonly number?: string | undefined;
}

interface Waiting {
  readonly db: Db;
  readonly settings: InvoiceSettings;
  /** Ends the wait when the client leaves. */
  readonly signal: AbortSignal;
}

/**
 * The invoice of a completed purchase, or a credit note of it. A document without a number gets its number now, after
 * all earlier completions: for the first seconds after a completion, this waits until they are committed.
 * @throws InvoiceNotFound.
 */
export async function findInvoice(
  { db, settings, signal }: Waiting,
  { purchaseId, userId, kind, number }: InvoiceQuery,
): Promise<Invoice> {
  const own = { _id: purchaseId, ...(userId === undefined ? {} : { userId }) };
  const purchase = await db.Purchase.findOne(own).lean<Purchase>();
  const paid = purchase?.status === "completed" || purchase?.status === "refunded";
  if (!purchase || !paid || purchase.amount <= 0) throw InvoiceNotFound();
  const hasNote = purchase.refundedMinor > 0 || purchase.creditNoteDueAt || purchase.creditNoteNumber;
  if (kind === "credit-note" && !hasNote) throw InvoiceNotFound();
  await queueEarlier(db, purchase);
  for (let due = await waitingSince(db, purchase._id, kind); due; due = await waitingSince(db, purchase._id, kind)) {
    // Not longer than that, also when the clock of the instance that completed the purchase is ahead.
    const untilDue = Math.max(0, due.getTime() + numberedAfterMs - Date.now());
    await pause(Math.min(numberedAfterMs, untilDue), undefined, { signal });
    // The job, or another request, may have done it meanwhile.
    if (!(await waitingSince(db, purchase._id, kind))) break;
    if ((await giveNumbers({ db, settings }, due)) === 0) break;
  }
  const named = number === undefined ? {} : { number };
  const invoice = await db.Invoice.findOne({ purchaseId: purchase._id, kind, ...named })
    .sort({ _id: -1 })
    .lean<Invoice>();
  if (!invoice) throw InvoiceNotFound();
  return invoice;
}

/** Up to which date documents have to be numbered, so that this one has its number; undefined when it has one. */
async function waitingSince(db: Db, _id: Purchase["_id"], kind: InvoiceKind): Promise<Date | undefined> {
  const purchase = await db.Purchase.findById(_id, { invoiceDueAt: 1, creditNoteDueAt: 1 }).lean<Purchase>();
  const { invoiceDueAt, creditNoteDueAt } = purchase ?? {};
  if (kind === "invoice") return invoiceDueAt;
  if (!creditNoteDueAt) return undefined;
  // A credit note names its invoice.
  return invoiceDueAt && invoiceDueAt > creditNoteDueAt ? invoiceDueAt : creditNoteDueAt;
}

/** What an earlier version completed or refunded waits for a number from the first request on. */
async function queueEarlier(db: Db, purchase: Purchase): Promise<void> {
  const { _id, completedAt, refundedAt, refundedMinor, createdAt, updatedAt } = purchase;
  const missing = { $exists: false };
  if (!purchase.invoiceNumber && !purchase.invoiceDueAt) {
    const due = { $set: { invoiceDueAt: completedAt ?? createdAt } };
    await db.Purchase.updateOne({ _id, invoiceNumber: missing }, due, { timestamps: false });
  }
  if (refundedMinor > 0 && !purchase.creditNoteNumber && !purchase.creditNoteDueAt) {
    const due = { $set: { creditNoteDueAt: refundedAt ?? updatedAt } };
    await db.Purchase.updateOne({ _id, creditNoteNumber: missing }, due, { timestamps: false });
  }
}
