import type { Coupon } from "../../models/payments/coupon.js";
import { percentOfMinor, toMinor } from "../payments/price.js";

/** Minor units: what is paid, and how much less that is than the price. */
export interface CouponPrice {
  readonly amountMinor: number;
  readonly discountMinor: number;
}

/**
 * What a price becomes with a coupon: never below 0, and never between 0 and the least amount that the provider takes,
 * which is one unit.
 * @param priceMinor what the course costs after its own discount.
 */
export function priceWithCoupon(
  { kind, value }: Pick<Coupon, "kind" | "value">,
  priceMinor: number,
  currency: string,
): CouponPrice {
  const off = kind === "percent" ? percentOfMinor(priceMinor, value) : toMinor(value, currency);
  const left = priceMinor - off;
  const amountMinor = left > 0 ? Math.min(priceMinor, Math.max(left, toMinor(1, currency))) : 0;
  return { amountMinor, discountMinor: priceMinor - amountMinor };
}
