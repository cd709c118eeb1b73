import { dayMs } from "../../lib/days.js";
import { isAhead } from "../../models/enrollments/enrollment.js";
import type { Access } from "../../models/enrollments/enrollment-queries.js";
import type { Grant } from "../../models/enrollments/grant.js";
import type { Purchase } from "../../models/payments/purchase.js";

/** A completed purchase, paid or free, as far as it gives access. */
export type AccessSale = Pick<Purchase, "amount" | "completedAt" | "createdAt" | "terms">;

/** The fields that tell an `AccessSale`, and whose it is. */
export const saleFields = { userId: 1, courseId: 1, amount: 1, completedAt: 1, terms: 1, createdAt: 1 } as const;

/** The sales that follow each other without a gap, the newest of a learner and course. */
interface BoughtAccess {
  readonly sales: readonly AccessSale[];
  /** When the days of the newest sale begin. */
  readonly since: Date;
  /** When the days of all of them end; null: never. */
  readonly until: Date | null;
}

/** From how long before its end access may be bought again. */
const renewalMs = 30 * dayMs;

/** When a purchase was completed; a completed one has the date. */
export const completionOf = ({ completedAt, createdAt }: AccessSale): Date => completedAt ?? createdAt;

/**
 * Adds up the days of a learner's sales of a course, in order of completion. A sale prolongs the access that lasts when it
 * is completed; after the end, access begins anew. @returns undefined without a sale.
 */
export function boughtAccess(sales: readonly AccessSale[]): BoughtAccess | undefined {
  let bought: BoughtAccess | undefined;
  for (const sale of sales.toSorted((a, b) => completionOf(a).getTime() - completionOf(b).getTime())) {
    const at = completionOf(sale);
    const lasting: BoughtAccess | undefined = bought && isAhead(bought.until, at) ? bought : undefined;
    const since: Date = lasting?.until ?? at;
    const days = lasting?.until === null ? null : sale.terms.accessDays;
    const until = days === null ? null : new Date(since.getTime() + days * dayMs);
    bought = { sales: [...(lasting?.sales ?? []), sale], since, until };
  }
  return bought;
}

/** Whether a learner may buy a course again: what was bought has ended, or ends within 30 days. */
export const isRenewable = ({ until }: BoughtAccess, now: Date): boolean =>
  until !== null && until.getTime() - now.getTime() <= renewalMs;

/**
 * Decides a learner's access to a course by what gives it, whatever the order in which the server learnt of it. Days of
 * sales add up; grants and sales run beside each other, and the last end counts.
 */
export function accessOf(sales: readonly AccessSale[], grants: readonly Pick<Grant, "expiresAt">[], now: Date): Access {
  const bought = boughtAccess(sales);
  const current = bought && isAhead(bought.until, now) ? bought.sales : [];
  const ends = [...(bought ? [bought.until] : []), ...grants.map(({ expiresAt }) => expiresAt)];
  const paid = current.some(({ amount }) => amount > 0) ? "purchase" : "free";
  const [first] = current.map(({ createdAt }) => createdAt).toSorted((a, b) => a.getTime() - b.getTime());
  return {
    active: ends.some((end) => isAhead(end, now)),
    purchases: sales.length,
    grants: grants.length,
    expiresAt: latest(ends),
    boughtUntil: bought?.until ?? null,
    purchasedAt: first,
    kind: first ? paid : grants.length > 0 ? "grant" : undefined,
  };
}

/** Returns the latest end; null, which means never, is later than any date. */
function latest(ends: readonly (Date | null)[]): Date | null {
  if (ends.length === 0 || ends.includes(null)) return null;
  return new Date(Math.max(...ends.map((end) => end?.getTime() ?? 0)));
}
