/** Formats an amount in minor units of a currency (ISO 4217): `₹2,499.00`, `JP¥2,499`, `KWD 2.499`. */
export function money(amountMinor: number, currency: string): string;
/** Formats an amount in major units of a currency, such as rupees. */
export function moneyOf(amount: number, currency: string): string;
/** Writes an amount in minor units as a user types it: `2499.00`. */
export function plainAmount(amountMinor: number, currency: string): string;
/** Reads a typed amount such as `12.50` exactly. @returns minor units, or undefined when it is no such amount. */
export function toMinor(text: string, currency: string): number | undefined;
