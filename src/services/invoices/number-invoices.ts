import { type ClientSession, type QueryFilter, Types } from "mongoose";
import type { InvoiceSettings } from "../../config.js";
import type { Db } from "../../db/db.js";
import { type Invoice, type InvoiceFacts, type InvoiceKind, takeNumbers } from "../../models/payments/invoice.js";
import type { Payment } from "../../models/payments/payment.js";
import type { Purchase } from "../../models/payments/purchase.js";
import { type Draft, missingNotes, taxIn } from "./credit-notes.js";

/**
 * Milliseconds after a completion before its invoice is numbered. Numbers follow the order of completion, so no earlier
 * completion may still be uncommitted then; a transaction sends its commit within 2.8 s.
 */
export const numberedAfterMs = 3_500;

/** Maximum number of purchases that one transaction numbers. */
export const maxInvoicesTogether = 50;

/** Purchases whose credit notes can be numbered. A credit note names its invoice, so the invoice is numbered first. */
export const withInvoiceNumber = { invoiceNumber: { $exists: true }, invoiceDueAt: { $exists: false } } as const;

export interface InvoiceDeps {
  readonly db: Db;
  readonly settings: InvoiceSettings;
}

/** A purchase that a payment completed has a buyer and a seller. */
type SoldPurchase = Purchase & Required<Pick<Purchase, "buyer" | "seller">>;

/**
 * Gives numbers to the oldest invoices and credit notes that wait for a number. The transaction that stores the documents
 * writes the counter of their series, so that a number is given once and no number is left out.
 * @param until only documents that have waited since then are numbered. @returns how many purchases got a number.
 */
export async function giveNumbers(deps: InvoiceDeps, until: Date): Promise<number> {
  return (await numberInvoices(deps, until)) + (await numberCreditNotes(deps, until));
}

type Among = QueryFilter<Purchase>;

/** Gives the oldest invoices their numbers, or those of some purchases. @returns how many purchases got a number. */
export const numberInvoices = (deps: InvoiceDeps, until: Date, among: Among = {}): Promise<number> =>
  numberInTurn(deps, (session) => numberDueInvoices(deps, session, { invoiceDueAt: { $lte: until }, ...among }));

/** As `numberInvoices`, for credit notes. */
export const numberCreditNotes = (deps: InvoiceDeps, until: Date, among: Among = {}): Promise<number> =>
  numberInTurn(deps, (session) => numberDueCreditNotes(deps, session, { creditNoteDueAt: { $lte: until }, ...among }));

async function numberInTurn({ db }: InvoiceDeps, work: (session: ClientSession) => Promise<number>): Promise<number> {
  const count = await db.transaction(work, { mutex: "invoice-numbers" });
  if (count > 0) db.jobWakeups.emit("Invoice");
  return count;
}

async function numberDueInvoices({ db, settings }: InvoiceDeps, session: ClientSession, which: Among): Promise<number> {
  const due = await db.Purchase.find(which)
    .sort({ invoiceDueAt: 1 })
    .limit(maxInvoicesTogether)
    .session(session)
    .lean<SoldPurchase[]>();
  if (due.length === 0) return 0;
  const earlier = await db.Invoice.find({ purchaseId: { $in: due.map(({ _id }) => _id) }, kind: "invoice" })
    .session(session)
    .lean<Invoice[]>();
  const drafts = due.map((purchase): Draft => {
    const ordinal = 1 + earlier.filter(({ purchaseId }) => purchaseId.equals(purchase._id)).length;
    const { completedAt, createdAt, invoiceDueAt } = purchase;
    return {
      kind: "invoice",
      purchaseId: purchase._id,
      ordinal,
      refundId: null,
      issuedAt: (ordinal === 1 ? completedAt : invoiceDueAt) ?? createdAt,
      facts: invoiceFacts(purchase),
    };
  });
  const stored = await store(db, session, settings, drafts);
  await db.Purchase.bulkWrite(
    stored.map(({ purchaseId, number }) => ({
      updateOne: {
        filter: { _id: purchaseId },
        update: { $set: { invoiceNumber: number }, $unset: { invoiceDueAt: 1 } },
        timestamps: false,
      },
    })),
    { session },
  );
  return due.length;
}

async function numberDueCreditNotes(
  { db, settings }: InvoiceDeps,
  session: ClientSession,
  which: Among,
): Promise<number> {
  const due = await db.Purchase.find({ ...which, ...withInvoiceNumber })
    .sort({ creditNoteDueAt: 1 })
    .limit(maxInvoicesTogether)
    .session(session)
    .lean<Purchase[]>();
  if (due.length === 0) return 0;
  const ofThem = { purchaseId: { $in: due.map(({ _id }) => _id) } };
  const documents = await db.Invoice.find(ofThem).sort({ _id: 1 }).session(session).lean<Invoice[]>();
  // A payment of version 1.0 may not name its purchase.
  const named = [...due.map(({ providerPaymentId = "" }) => providerPaymentId), ...documents.map(paymentIn)];
  const payments = await db.Payment.find({ $or: [ofThem, { _id: { $in: named } }] })
    .session(session)
    .lean<Payment[]>();
  const drafts = due.flatMap((purchase) => {
    const own = documents.filter(({ purchaseId }) => purchaseId.equals(purchase._id));
    const ids = [purchase.providerPaymentId, ...own.map(paymentIn)];
    const its = payments.filter(({ _id, purchaseId }) => purchaseId?.equals(purchase._id) || ids.includes(_id));
    return own.filter(({ kind }) => kind === "invoice").flatMap((invoice) => missingNotes(purchase, invoice, own, its));
  });
  const stored = await store(db, session, settings, drafts);
  const newest = new Map(stored.map(({ purchaseId, number }) => [String(purchaseId), number]));
  await db.Purchase.bulkWrite(
    due.map(({ _id, creditNoteNumber }) => ({
      updateOne: {
        filter: { _id },
        update: {
          $set: { creditNoteNumber: newest.get(String(_id)) ?? creditNoteNumber },
          $unset: { creditNoteDueAt: 1 },
        },
        timestamps: false,
      },
    })),
    { session },
  );
  return due.length;
}

const paymentIn = ({ facts }: Invoice): string => facts.paymentId;

/** Numbers documents in their order, each in its series, and stores them. */
async function store(
  db: Db,
  session: ClientSession,
  settings: InvoiceSettings,
  drafts: readonly Draft[],
): Promise<Invoice[]> {
  const series = drafts.map(({ kind, issuedAt }) => seriesOf(kind, issuedAt, settings));
  const next = new Map<string, number>();
  for (const { counter } of series) next.set(counter, (next.get(counter) ?? 0) + 1);
  for (const [counter, count] of next) next.set(counter, await takeNumbers(db, counter, count, session));
  const { timeZone } = settings;
  const invoices = drafts.map((draft, i): Invoice => {
    const { counter = "", start = "" } = series[i] ?? {};
    const sequence = next.get(counter) ?? 0;
    next.set(counter, sequence + 1);
    const [number, now] = [numberIn(start, sequence), new Date()];
    return { ...draft, _id: new Types.ObjectId(), timeZone, number, noticeDueAt: now, createdAt: now };
  });
  if (invoices.length > 0) await db.Invoice.insertMany(invoices, { session });
  return invoices;
}

/** Returns the content of an invoice, as course, buyer and seller were when the purchase was completed. */
function invoiceFacts(purchase: SoldPurchase): InvoiceFacts {
  const { terms, price, currency, coupon, providerPaymentId = "", buyer, seller, tax = null } = purchase;
  return {
    seller: { ...seller },
    buyer: { ...buyer },
    courseTitle: terms.courseTitle,
    currency,
    priceMinor: price.listMinor,
    discountMinor: price.courseDiscountMinor,
    couponMinor: price.couponDiscountMinor,
    couponCode: coupon?.code ?? null,
    totalMinor: price.totalMinor,
    tax: taxIn(price.totalMinor, tax),
    paymentId: providerPaymentId,
    invoiceNumber: null,
  };
}

/** The financial year of a moment in a time zone, such as `2026-27`; `2026` when it begins in January. */
export function financialYear(at: Date, startMonth: number, timeZone: string): string {
  const parts = new Intl.DateTimeFormat("en", { year: "numeric", month: "numeric", timeZone }).formatToParts(at);
  const [year = 0, month = 0] = ["year", "month"].map((unit) => Number(parts.find(({ type }) => type === unit)?.value));
  if (startMonth === 1) return `${year}`;
  const first = year - (month < startMonth ? 1 : 0);
  return `${first}-${String((first + 1) % 100).padStart(2, "0")}`;
}

/**
 * The series of a document: the id of its counter, `INV-2026-27` or `INVCN-2026-27` as numbers once began, and how its
 * numbers begin, `INV-2627` or `INVC-2627`. Indian law allows numbers of at most 16 characters.
 */
export function seriesOf(kind: InvoiceKind, at: Date, { prefix, yearStartMonth, timeZone }: InvoiceSettings) {
  const year = financialYear(at, yearStartMonth, timeZone);
  const isInvoice = kind === "invoice";
  return {
    counter: `${prefix}${isInvoice ? "" : "CN"}-${year}`,
    start: `${prefix}${isInvoice ? "" : "C"}-${year.replace(/^\d\d(\d\d)-/, "$1")}`,
  };
}

export const numberIn = (start: string, sequence: number): string => `${start}-${String(sequence).padStart(6, "0")}`;
