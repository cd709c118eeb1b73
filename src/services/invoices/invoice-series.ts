import type { InvoiceSettings } from "../../config.js";
import type { InvoiceKind } from "../../models/payments/invoice.js";

/** The financial year of a moment in UTC, such as `2026-27`. */
export function financialYear(at: Date, startMonth: number): string {
  const year = at.getUTCFullYear() - (at.getUTCMonth() + 1 < startMonth ? 1 : 0);
  return `${year}-${String((year + 1) % 100).padStart(2, "0")}`;
}

/** The series that a document of that moment is numbered in: `INV-2026-27`, credit notes `INVCN-2026-27`. */
export const seriesOf = (kind: InvoiceKind, at: Date, { prefix, yearStartMonth }: InvoiceSettings): string =>
  `${prefix}${kind === "credit-note" ? "CN" : ""}-${financialYear(at, yearStartMonth)}`;

export const numberIn = (series: string, sequence: number): string => `${series}-${String(sequence).padStart(6, "0")}`;
