/** Formats an amount in minor units of a currency (ISO 4217): `₹2,499.00`, `JP¥2,499`, `KWD 2.499`. */
export function money(amountMinor: number, currency: string): string;
