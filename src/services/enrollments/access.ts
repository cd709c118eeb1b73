import type { Types } from "mongoose";
import { dayMs } from "../../lib/days.js";
import { isAhead } from "../../models/enrollments/enrollment.js";
import type { Access } from "../../models/enrollments/enrollment-queries.js";
import type { Grant } from "../../models/enrollments/grant.js";
import type { Purchase } from "../../models/payments/purchase.js";

/** A completed purchase, paid or free, of a course or of a path, as far as it gives access. */
export type AccessSale = Pick<Purchase, "amount" | "completedAt" | "createdAt" | "terms" | "pathId">;

/** The fields that tell an `AccessSale`, and whose it is. */
export const saleFields = {
  userId: 1,
  courseId: 1,
  pathId: 1,
  amount: 1,
  completedAt: 1,
  terms: 1,
  createdAt: 1,
} as const;

/** Sales that follow each other without a gap: the newest ones of a course, or one of a path. */
export interface AccessRun {
  readonly sales: readonly AccessSale[];
  /** When the days of the newest sale begin. */
  readonly since: Date;
  /** When the days of all of them end; null: never. */
  readonly until: Date | null;
}

interface BoughtAccess {
  /** One run of the sales of the course, and one run for each sale of a path. */
  readonly runs: readonly AccessRun[];
  /** When the days of the newest sale of the course begin; undefined without one. */
  readonly since: Date | undefined;
  /** When the last of all ends; null: never. */
  readonly until: Date | null;
}

/** From how long before its end access may be bought again. */
const renewalMs = 30 * dayMs;

/** When a purchase was completed; a completed one has the date. */
export const completionOf = ({ completedAt, createdAt }: Pick<AccessSale, "completedAt" | "createdAt">): Date =>
  completedAt ?? createdAt;

export const daysAfter = (since: Date, days: number | null): Date | null =>
  days === null ? null : new Date(since.getTime() + days * dayMs);

/** A sale as far as it gives a course: the days of access are those of the course in the path that was sold. */
export function saleOfCourse<T extends AccessSale>(sale: T, courseId: Types.ObjectId): T {
  const own = sale.terms.courses?.find((one) => one.courseId.equals(courseId));
  return own ? { ...sale, terms: { ...sale.terms, accessDays: own.accessDays } } : sale;
}

/** A sale of a path as far as it holds the path: for as long as the last of its courses. */
export function saleOfPath<T extends AccessSale>(sale: T): T {
  const days = sale.terms.courses?.map(({ accessDays }) => accessDays) ?? [];
  const accessDays = days.includes(null) ? null : Math.max(0, ...days.map(Number));
  return { ...sale, terms: { ...sale.terms, accessDays } };
}

/**
 * Adds up the days of a learner's sales of a course, in order of completion. A sale prolongs the access that lasts when it
 * is completed; after the end, access begins anew. Sales of paths run beside; a sale of the course prolongs those that the
 * learner had when it was opened. @returns undefined without a sale.
 */
export function boughtAccess(sales: readonly AccessSale[]): BoughtAccess | undefined {
  if (sales.length === 0) return undefined;
  const paths = sales.flatMap((sale): AccessRun[] => {
    const since = completionOf(sale);
    return sale.pathId ? [{ sales: [sale], since, until: daysAfter(since, sale.terms.accessDays) }] : [];
  });
  let own: AccessRun | undefined;
  const ofCourse = sales.filter(({ pathId }) => !pathId);
  for (const sale of ofCourse.toSorted((a, b) => completionOf(a).getTime() - completionOf(b).getTime())) {
    const at = completionOf(sale);
    const lasting: AccessRun | undefined = own && isAhead(own.until, at) ? own : undefined;
    const had = paths.filter(({ since, until }) => since <= sale.createdAt && isAhead(until, at));
    const ends = [...(lasting ? [lasting] : []), ...had].map(({ until }) => until);
    const since: Date = (ends.length > 0 ? latest(ends) : at) ?? at;
    const until = ends.includes(null) ? null : daysAfter(since, sale.terms.accessDays);
    own = { sales: [...(lasting?.sales ?? []), sale], since, until };
  }
  const runs = [...(own ? [own] : []), ...paths];
  return { runs, since: own?.since, until: latest(runs.map(({ until }) => until)) };
}

/** Whether a learner may buy a course again: what was bought has ended, or ends within 30 days. */
export const isRenewable = ({ until }: Pick<BoughtAccess, "until">, now: Date): boolean =>
  until !== null && until.getTime() - now.getTime() <= renewalMs;

/**
 * Decides a learner's access to a course by what gives it, whatever the order in which the server learnt of it. Days of
 * sales add up; grants and sales run beside each other, and the last end counts.
 */
export function accessOf(sales: readonly AccessSale[], grants: readonly Pick<Grant, "expiresAt">[], now: Date): Access {
  const bought = boughtAccess(sales);
  const inForce = bought?.runs.filter(({ until }) => isAhead(until, now)) ?? [];
  const current = inForce.flatMap(({ sales: ofRun }) => ofRun);
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
