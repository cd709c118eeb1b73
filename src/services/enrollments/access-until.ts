import type { Purchase } from "../../models/payments/purchase.js";

const dayMs = 24 * 60 * 60_000;

/** When the access of a completed purchase ends, by the terms it was opened on; null: never. */
export function accessUntil({ completedAt, terms }: Pick<Purchase, "completedAt" | "terms">): Date | null {
  const days = terms.accessDays;
  return days === null ? null : new Date((completedAt ?? new Date()).getTime() + days * dayMs);
}
