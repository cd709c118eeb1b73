/**
 * Decimals of the currencies that have not two (ISO 4217): the payment provider counts in these minor units. `Intl` has
 * the decimals in which amounts are usually written instead, such as none for HUF, IDR and PKR.
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

/** Major units of an amount in minor units: as exact as a decimal number is. */
export const toMajor = (amountMinor: number, currency: string): number =>
  amountMinor / 10 ** currencyDecimals(currency);

/** Whether an amount can be written with the decimals of a currency. */
export const fitsCurrency = (amount: number, currency: string): boolean =>
  amount === toMajor(toMinor(amount, currency), currency);

/**
 * What a learner pays: price − price · discount / 100, rounded half up to the decimals of the currency, computed
 * without floating point.
 * @param price major unit, with those decimals at most. @param discount percent, 0 to 100. @returns minor units.
 */
export function payableMinor(price: number, discount: number, currency: string): number {
  const { digits, scale } = decimal(discount);
  const whole = 100n * scale;
  const doubled = 2n * BigInt(toMinor(price, currency)) * (whole - digits) + whole;
  return Number(doubled / (2n * whole));
}

/** Percent of an amount in minor units, rounded half up, computed without floating point. */
export function percentOfMinor(amountMinor: number, percent: number): number {
  const { digits, scale } = decimal(percent);
  const whole = 100n * scale;
  return Number((2n * BigInt(amountMinor) * digits + whole) / (2n * whole));
}

/** The tax of so many percent that an amount in minor units includes, rounded half up. */
export function includedTaxMinor(amountMinor: number, percent: number): number {
  const { digits, scale } = decimal(percent);
  const whole = 100n * scale + digits;
  return Number((2n * BigInt(amountMinor) * digits + whole) / (2n * whole));
}

/** The number as digits / scale, exactly as it is written in decimal. */
function decimal(value: number): { digits: bigint; scale: bigint } {
  const text = String(value).includes("e") ? value.toFixed(20) : String(value);
  const [whole = "0", fraction = ""] = text.split(".");
  return { digits: BigInt(whole + fraction), scale: 10n ** BigInt(fraction.length) };
}
