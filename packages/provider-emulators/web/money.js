/** Currencies whose number of decimals is not two (ISO 4217). `Intl` has the usual display format instead. */
const decimalsOf = new Map(
  Object.entries({
    0: "BIF CLP DJF GNF ISK JPY KMF KRW PYG RWF UGX UYI VND VUV XAF XOF XPF",
    3: "BHD IQD JOD KWD LYD OMR TND",
    4: "CLF UYW",
  }).flatMap(([decimals, codes]) => codes.split(" ").map((code) => [code, Number(decimals)])),
);

/** @param {string} currency */
const decimalsIn = (currency) => decimalsOf.get(currency) ?? 2;

/** @param {number} amountMinor @param {string} currency */
export const money = (amountMinor, currency) => moneyOf(amountMinor / 10 ** decimalsIn(currency), currency);

/** @param {number} amount @param {string} currency */
export function moneyOf(amount, currency) {
  const decimals = decimalsIn(currency);
  const digits = { minimumFractionDigits: decimals, maximumFractionDigits: decimals };
  return new Intl.NumberFormat("en-IN", { style: "currency", currency, ...digits }).format(amount);
}

/** @param {number} amountMinor @param {string} currency */
export const plainAmount = (amountMinor, currency) =>
  (amountMinor / 10 ** decimalsIn(currency)).toFixed(decimalsIn(currency));

/** @param {string} text @param {string} currency */
export function toMinor(text, currency) {
  const decimals = decimalsIn(currency);
  const [, whole, fraction = ""] = /^(\d+)(?:\.(\d+))?$/.exec(text.trim()) ?? [];
  if (whole === undefined || fraction.length > decimals) return undefined;
  // Joined digits stay exact; a multiplication by 100 would not.
  const amountMinor = Number(whole + fraction.padEnd(decimals, "0"));
  return Number.isSafeInteger(amountMinor) ? amountMinor : undefined;
}
