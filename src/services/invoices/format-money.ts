import { currencyDecimals, toMajor } from "../payments/price.js";

/** Such as `INR 1,299.00`: with the code, which every font and every reader has. */
export function formatMoney(amountMinor: number, currency: string): string {
  const decimals = currencyDecimals(currency);
  const digits = { minimumFractionDigits: decimals, maximumFractionDigits: decimals };
  return `${currency} ${toMajor(amountMinor, currency).toLocaleString("en-US", digits)}`;
}
