/** Currencies whose number of decimals is not two (ISO 4217). `Intl` has the usual display format instead. */
const decimalsOf = new Map(
  Object.entries({
    0: "BIF CLP DJF GNF ISK JPY KMF KRW PYG RWF UGX UYI VND VUV XAF XOF XPF",
    3: "BHD IQD JOD KWD LYD OMR TND",
    4: "CLF UYW",
  }).flatMap(([decimals, codes]) => codes.split(" ").map((code) => [code, Number(decimals)])),
);

/** @param {number} amountMinor @param {string} currency */
export function money(amountMinor, currency) {
  const decimals = decimalsOf.get(currency) ?? 2;
  const digits = { minimumFractionDigits: decimals, maximumFractionDigits: decimals };
  const format = new Intl.NumberFormat("en-IN", { style: "currency", currency, ...digits });
  return format.format(amountMinor / 10 ** decimals);
}
