import { longDate } from "@lyceum/certificate-pdf/long-date";
import type { Invoice } from "../../models/payments/invoice.js";
import { formatAmount } from "../payments/price.js";

/** A label and what it says, such as a line of a receipt. */
export interface Line {
  readonly label: string;
  readonly value: string;
  readonly isTotal?: true;
}

/**
 * Describes an invoice or a credit note in words, as a mail shows it.
 * @param orderId the provider's id of the order.
 * @returns what identifies the document, and its amounts.
 */
export function describeInvoice(
  { kind, number, issuedAt, timeZone, refundId, facts }: Invoice,
  orderId: string,
): { references: Line[]; amounts: Line[] } {
  const { seller, currency, courseTitle, couponCode, tax } = facts;
  const isInvoice = kind === "invoice";
  const amount = (minor: number): string => formatAmount(minor, currency);
  const reduction = (label: string, minor: number): Line[] =>
    isInvoice && minor !== 0 ? [{ label, value: amount(-minor) }] : [];
  const address = [seller.name, ...seller.address.split("\n"), seller.taxId && `Tax ID ${seller.taxId}`];
  return {
    references: [
      { label: isInvoice ? "Invoice" : "Credit note", value: number },
      ...(facts.invoiceNumber ? [{ label: "For invoice", value: facts.invoiceNumber }] : []),
      { label: "Date", value: longDate(issuedAt, timeZone) },
      { label: "Order", value: orderId },
      { label: "Payment", value: facts.paymentId },
      { label: "Seller", value: address.filter((line) => line.trim() !== "").join("\n") },
    ],
    amounts: [
      { label: courseTitle, value: amount(isInvoice ? facts.priceMinor : facts.totalMinor) },
      // Without a discount, a total in whole tens of the minor unit can be above the price.
      ...reduction(facts.discountMinor > 0 ? "Discount" : "Rounding", facts.discountMinor),
      ...reduction(`Coupon ${couponCode}`, facts.couponMinor),
      {
        label: isInvoice || refundId === null ? "Total" : "Total paid back",
        value: amount(facts.totalMinor),
        isTotal: true,
      },
      ...(tax ? [{ label: `Includes ${tax.percent} % ${tax.name}`, value: amount(tax.amountMinor) }] : []),
    ],
  };
}
