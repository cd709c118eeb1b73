/** Minor units of an amount that has at most two decimals. */
export const toMinor = (amount: number): number => Math.round(amount * 100);

/** Major units of an amount in minor units, at most two decimals. */
export const toMajor = (amountMinor: number): number => amountMinor / 100;

/**
 * What a learner pays: price − price · discount / 100, rounded half up to two decimals, computed without floating
 * point.
 * @param price major unit, at most two decimals. @param discount percent, 0 to 100. @returns minor units.
 */
export function payableMinor(price: number, discount: number): number {
  const { digits, scale } = decimal(discount);
  const whole = 100n * scale;
  const doubled = 2n * BigInt(toMinor(price)) * (whole - digits) + whole;
  return Number(doubled / (2n * whole));
}

/** The number as digits / scale, exactly as it is written in decimal. */
function decimal(value: number): { digits: bigint; scale: bigint } {
  const text = String(value).includes("e") ? value.toFixed(20) : String(value);
  const [whole = "0", fraction = ""] = text.split(".");
  return { digits: BigInt(whole + fraction), scale: 10n ** BigInt(fraction.length) };
}
