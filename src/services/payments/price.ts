import type { Course } from "../../models/courses/course.js";
import type { Coupon } from "../../models/payments/coupon.js";
import type { PriceBreakdown } from "../../models/payments/purchase.js";
import type { Buyer } from "../../models/users/user.js";

/**
 * Decimals of the currencies (ISO 4217) that do not have two. The payment provider counts in these minor units. `Intl`
 * cannot replace the table, because it knows how amounts are usually written, such as without decimals for HUF and IDR.
 */
const decimalsOf = new Map(
  (
    [
      [0, "BIF CLP DJF GNF ISK JPY KMF KRW PYG RWF UGX UYI VND VUV XAF XOF XPF"],
      [3, "BHD IQD JOD KWD LYD OMR TND"],
      [4, "CLF UYW"],
    ] as const
  ).flatMap(([decimals, codes]) => codes.split(" ").map((code): [string, number] => [code, decimals])),
);

/** Decimals of a currency: 0 for JPY, 2 for INR, 3 for KWD. */
export const currencyDecimals = (currency: string): number => decimalsOf.get(currency) ?? 2;

/** Minor units of an amount that has at most the decimals of its currency. */
export const toMinor = (amount: number, currency: string): number =>
  Math.round(amount * 10 ** currencyDecimals(currency));

/** Major units of an amount in minor units. */
export const toMajor = (amountMinor: number, currency: string): number =>
  amountMinor / 10 ** currencyDecimals(currency);

/** Writes an amount as people do: `₹2,799.20`. */
export function formatAmount(amountMinor: number, currency: string): string {
  const decimals = currencyDecimals(currency);
  const digits = { minimumFractionDigits: decimals, maximumFractionDigits: decimals };
  return new Intl.NumberFormat("en", { style: "currency", currency, ...digits }).format(toMajor(amountMinor, currency));
}

/** Whether an amount can be written with the decimals of a currency. */
export const fitsCurrency = (amount: number, currency: string): boolean =>
  amount === toMajor(toMinor(amount, currency), currency);

/** The least amount, in minor units, that the payment provider takes. */
export const leastPayableMinor = 100;

/** Steps of totals in minor units, because the provider takes amounts of three decimals in whole tens only. */
const stepOf = (currency: string): bigint => (currencyDecimals(currency) === 3 ? 10n : 1n);

/** What the price of a course depends on. */
export interface Offer {
  readonly course: Pick<Course, "coursePrice" | "discount">;
  /** Who pays; null: anyone, as the catalog is shown to, or somebody whose user record is gone. */
  readonly buyer: Buyer | null;
  /** ISO 4217. */
  readonly currency: string;
  readonly coupon?: Pick<Coupon, "kind" | "value"> | null | undefined;
}

/**
 * The price rule of the platform: what a buyer pays for a course. Every place that shows, asks or compares a price uses it;
 * the invoice shows the breakdown that is stored with the purchase.
 *
 *   1. The course's discount is a percentage of the list price.
 *   2. The coupon takes a percentage, or an amount, off what is left.
 *   3. A coupon leaves either nothing to pay or at least what the provider takes. The course's own price is held to this
 *      when it is written (`requirePayable` in services/courses/create-course.ts).
 *
 * Shares are rounded half up and computed without floating point. In a currency of three decimals each total is rounded
 * once, from the exact value, so that a price without any discount can be rounded up; its discount is negative then.
 */
export function priceBreakdown({ course: { coursePrice, discount }, currency, coupon }: Offer): PriceBreakdown {
  const listMinor = toMinor(coursePrice, currency);
  const { digits, scale } = decimal(discount);
  const exact = { part: BigInt(listMinor) * (100n * scale - digits), whole: 100n * scale };
  const discountedMinor = halfUp(exact, stepOf(currency));
  const totalMinor = coupon ? afterCoupon(discountedMinor, exact, currency, coupon) : discountedMinor;
  return {
    listMinor,
    courseDiscountMinor: listMinor - discountedMinor,
    couponDiscountMinor: discountedMinor - totalMinor,
    totalMinor,
  };
}

/** The exact amount `part / whole` in minor units. */
interface Exact {
  readonly part: bigint;
  readonly whole: bigint;
}

function afterCoupon(
  priceMinor: number,
  exact: Exact,
  currency: string,
  { kind, value }: Pick<Coupon, "kind" | "value">,
): number {
  const step = stepOf(currency);
  const { part, whole } = step === 1n ? { part: BigInt(priceMinor), whole: 1n } : exact;
  const { digits, scale } = decimal(value);
  const off =
    kind === "percent"
      ? { part: part * digits, whole: whole * 100n * scale }
      : { part: BigInt(toMinor(value, currency)), whole: 1n };
  // Where totals have no steps, the discount is the number that is rounded.
  const leftMinor =
    step === 1n
      ? priceMinor - halfUp(off)
      : halfUp({ part: part * off.whole - off.part * whole, whole: whole * off.whole }, step);
  return leftMinor <= 0 ? 0 : Math.min(priceMinor, Math.max(leftMinor, leastPayableMinor));
}

/** The tax of `percent` that an amount in minor units includes. */
export function includedTaxMinor(amountMinor: number, percent: number): number {
  const { digits, scale } = decimal(percent);
  return halfUp({ part: BigInt(amountMinor) * digits, whole: 100n * scale + digits });
}

/** Rounds an amount half up to whole steps. */
const halfUp = ({ part, whole }: Exact, step = 1n): number =>
  Number(((2n * part + whole * step) / (2n * whole * step)) * step);

/** Returns a number as `digits / scale`, exactly as it is written in decimal. */
function decimal(value: number): { digits: bigint; scale: bigint } {
  const text = String(value).includes("e") ? value.toFixed(20) : String(value);
  const [whole = "0", fraction = ""] = text.split(".");
  return { digits: BigInt(whole + fraction), scale: 10n ** BigInt(fraction.length) };
}
