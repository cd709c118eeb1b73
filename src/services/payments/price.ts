import type { Course } from "../../models/courses/course.js";
import type { Coupon } from "../../models/payments/coupon.js";
import type { PriceBreakdown } from "../../models/payments/purchase.js";

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

/** Whether an amount can be written with the decimals of a currency. */
export const fitsCurrency = (amount: number, currency: string): boolean =>
  amount === toMajor(toMinor(amount, currency), currency);

/**
 * The price rule of the platform. Opening a purchase, checking a coupon and judging a late payment use it; the invoice
 * shows the breakdown that is stored with the purchase.
 *
 *   1. The course's discount is a percentage of the list price.
 *   2. The coupon takes a percentage, or an amount, off what is left.
 *   3. A coupon leaves either nothing to pay or at least one unit of the currency, because the provider takes no less.
 *      The course's own price is held to this when it is written (`requirePayable` in services/courses/create-course.ts).
 *
 * Shares are rounded half up and computed without floating point.
 * @param currency ISO 4217.
 */
export function priceBreakdown(
  { coursePrice, discount }: Pick<Course, "coursePrice" | "discount">,
  currency: string,
  coupon?: Pick<Coupon, "kind" | "value">,
): PriceBreakdown {
  const listMinor = toMinor(coursePrice, currency);
  const { digits, scale } = decimal(discount);
  const discountedMinor = shareMinor(listMinor, 100n * scale - digits, 100n * scale);
  const totalMinor = coupon ? afterCoupon(discountedMinor, currency, coupon) : discountedMinor;
  return {
    listMinor,
    courseDiscountMinor: listMinor - discountedMinor,
    couponDiscountMinor: discountedMinor - totalMinor,
    totalMinor,
  };
}

function afterCoupon(priceMinor: number, currency: string, { kind, value }: Pick<Coupon, "kind" | "value">): number {
  const { digits, scale } = decimal(value);
  const offMinor = kind === "percent" ? shareMinor(priceMinor, digits, 100n * scale) : toMinor(value, currency);
  if (offMinor >= priceMinor) return 0;
  const leastMinor = toMinor(1, currency);
  return Math.min(priceMinor, Math.max(priceMinor - offMinor, leastMinor));
}

/** The tax of `percent` that an amount in minor units includes. */
export function includedTaxMinor(amountMinor: number, percent: number): number {
  const { digits, scale } = decimal(percent);
  return shareMinor(amountMinor, digits, 100n * scale + digits);
}

/** `amountMinor · part / whole`, rounded half up. */
const shareMinor = (amountMinor: number, part: bigint, whole: bigint): number =>
  Number((2n * BigInt(amountMinor) * part + whole) / (2n * whole));

/** Returns a number as `digits / scale`, exactly as it is written in decimal. */
function decimal(value: number): { digits: bigint; scale: bigint } {
  const text = String(value).includes("e") ? value.toFixed(20) : String(value);
  const [whole = "0", fraction = ""] = text.split(".");
  return { digits: BigInt(whole + fraction), scale: 10n ** BigInt(fraction.length) };
}
