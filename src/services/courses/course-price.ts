import { InvalidRequest } from "../../lib/errors.js";
import { currencyDecimals, fitsCurrency, priceBreakdown, toMinor } from "../payments/price.js";

/** Rounded half up to the two decimals that most currencies have, on the number as it is written in decimal. */
const twoDecimals = (value: number): number => Number(`${Math.round(Number(`${value}e2`))}e-2`);

/**
 * A price as it is stored: rounded where the currency (ISO 4217) has two decimals, as it is where it has others.
 * @throws InvalidRequest when it has more decimals than the currency.
 */
export function storedPrice(coursePrice: number, currency: string): number {
  if (currencyDecimals(currency) === 2) return twoDecimals(coursePrice);
  if (!fitsCurrency(coursePrice, currency)) throw InvalidRequest();
  return coursePrice;
}

/** @throws InvalidRequest when what a learner would pay lies between nothing and one unit: no provider takes it. */
export function requirePayable(coursePrice: number, discount: number, currency: string): void {
  const { totalMinor } = priceBreakdown({ coursePrice, discount }, currency);
  if (totalMinor > 0 && totalMinor < toMinor(1, currency)) throw InvalidRequest();
}
