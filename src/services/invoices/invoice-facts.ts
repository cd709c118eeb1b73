import type { InvoiceSettings } from "../../config.js";
import type { InvoiceFacts } from "../../models/payments/invoice.js";
import type { Purchase } from "../../models/payments/purchase.js";
import { includedTaxMinor, payableMinor, toMinor } from "../payments/price.js";

/** What purchases that an earlier version completed do not hold themselves. */
export interface Substitutes {
  readonly courseTitle: string;
  readonly buyer: { readonly name: string; readonly email: string };
}

/**
 * What the invoice of a completed purchase says: all of it as it was then.
 * @param settings are in force for purchases that an earlier version completed.
 */
export function invoiceFacts(purchase: Purchase, settings: InvoiceSettings, substitutes: Substitutes): InvoiceFacts {
  const { terms, currency, coupon, amount, providerPaymentId = "" } = purchase;
  const totalMinor = toMinor(amount, currency);
  const couponMinor = coupon?.discountMinor ?? 0;
  const priceMinor = terms ? toMinor(terms.coursePrice, currency) : totalMinor;
  const afterDiscount = terms ? payableMinor(terms.coursePrice, terms.discount, currency) : totalMinor;
  const { seller, tax = null } = purchase.seller ? { seller: purchase.seller, tax: purchase.tax } : settings;
  const { name, email } = purchase.buyer ?? substitutes.buyer;
  return {
    seller: { ...seller },
    buyer: { name, email },
    courseTitle: terms?.courseTitle ?? substitutes.courseTitle,
    ...{ currency, priceMinor, discountMinor: priceMinor - afterDiscount, couponMinor },
    couponCode: coupon?.code ?? null,
    totalMinor,
    tax: taxIn(totalMinor, tax),
    paymentId: providerPaymentId,
    invoiceNumber: null,
  };
}

/** What a credit note about a part of an invoice says: with the tax of the invoice. */
export function creditNoteFacts(invoice: InvoiceFacts, invoiceNumber: string, totalMinor: number): InvoiceFacts {
  const { tax } = invoice;
  return {
    ...invoice,
    totalMinor,
    tax: taxIn(totalMinor, tax),
    invoiceNumber,
  };
}

const taxIn = (totalMinor: number, tax: InvoiceSettings["tax"]): InvoiceFacts["tax"] =>
  tax && { ...tax, amountMinor: includedTaxMinor(totalMinor, tax.percent) };
