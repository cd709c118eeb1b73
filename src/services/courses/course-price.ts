import { InvalidRequest } from "../../lib/errors.js";
import { currencyDecimals, fitsCurrency, priceBreakdown, toMinor } from "../payments/price.js";

/** Rounds half up to two decimals, on the number as it is written in decimal. */
const twoDecimals = (value: number): number => Number(`${Math.round(Number(`${value}e2`))}e-2`);

/**
 * Rounds a price where the currency (ISO 4217) has two decimals.
 * @throws InvalidRequest when the price has too many decimals for another currency.
 */
export function storedPrice(coursePrice: number, currency: string): number {
  if (currencyDecimals(currency) === 2) return twoDecimals(coursePrice);
  if (!fitsCurrency(coursePrice, currency)) throw InvalidRequest();
  return coursePrice;
}

/** @throws InvalidRequest for an amount between nothing and one unit, because no payment provider takes it. */
export function requirePayable(coursePrice: number, discount: number, currency: string): void {
  const { totalMinor } = priceBreakdown({ coursePrice, discount }, currency);
  if (totalMinor > 0 && totalMinor < toMinor(1, currency)) throw InvalidRequest();
}
