import type { InvoiceSettings } from "../../config.js";
import type { InvoiceFacts } from "../../models/payments/invoice.js";
import type { Purchase } from "../../models/payments/purchase.js";
import { includedTaxMinor, payableMinor, toMinor } from "../payments/price.js";

/** A purchase that a payment completed holds its buyer and its seller. */
export type SoldPurchase = Purchase & Required<Pick<Purchase, "buyer" | "seller">>;

/** Writes the invoice of a purchase as the course, the buyer and the seller were at its completion. */
export function invoiceFacts(purchase: SoldPurchase): InvoiceFacts {
  const { terms, currency, coupon, amount, providerPaymentId = "", buyer, seller, tax = null } = purchase;
  const totalMinor = toMinor(amount, currency);
  const couponMinor = coupon?.discountMinor ?? 0;
  const priceMinor = toMinor(terms.coursePrice, currency);
  const afterDiscount = payableMinor(terms.coursePrice, terms.discount, currency);
  return {
    seller: { ...seller },
    buyer: { ...buyer },
    courseTitle: terms.courseTitle,
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
