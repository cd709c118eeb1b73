import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { priceWithCoupon } from "../../../src/services/coupons/coupon-price.js";
import { financialYear, numberIn, seriesOf } from "../../../src/services/invoices/invoice-series.js";
import {
  currencyDecimals,
  fitsCurrency,
  includedTaxMinor,
  payableMinor,
  percentOfMinor,
  toMajor,
  toMinor,
} from "../../../src/services/payments/price.js";

/** A number of at most two decimals, as hundredths. */
const percent = fc.integer({ min: 0, max: 10_000 });
const minor = fc.integer({ min: 0, max: 10_000_000_000 });

/** `part / whole`, rounded half up, of whole numbers. */
const halfUp = (part: bigint, whole: bigint): number => Number((2n * part + whole) / (2n * whole));

describe("amounts", () => {
  test.each([
    ["JPY", 0, 1_999, 1_999],
    ["INR", 2, 19.99, 1_999],
    ["INR", 2, 1.005, 100],
    ["KWD", 3, 12.345, 12_345],
  ])("in %s have %i decimals", (currency, decimals, major, expected) => {
    expect(currencyDecimals(currency)).toBe(decimals);
    expect(currencyDecimals(currency)).toBe(decimals);
    expect(toMinor(major, currency)).toBe(expected);
  });

  test("come back from the minor unit as they were", () => {
    fc.assert(
      fc.property(minor, fc.constantFrom("JPY", "INR", "KWD"), (amount, currency) => {
        const major = toMajor(amount, currency);
        expect(toMinor(major, currency)).toBe(amount);
        expect(fitsCurrency(major, currency)).toBe(true);
      }),
    );
  });

  test("with more decimals than their currency do not fit it", () => {
    expect(fitsCurrency(1.5, "JPY")).toBe(false);
    expect(fitsCurrency(1.005, "INR")).toBe(false);
    expect(fitsCurrency(1.0005, "KWD")).toBe(false);
  });
});

describe("shares", () => {
  test("a discount is taken off exactly, rounded half up", () => {
    fc.assert(
      fc.property(minor, percent, (price, hundredths) => {
        const expected = halfUp(BigInt(price) * BigInt(10_000 - hundredths), 10_000n);
        expect(payableMinor(price / 100, hundredths / 100, "INR")).toBe(expected);
      }),
    );
    expect(payableMinor(0.01, 50, "INR")).toBe(1);
    expect(payableMinor(999, 10, "INR")).toBe(89_910);
    expect(payableMinor(19.99, 100, "INR")).toBe(0);
    expect(payableMinor(100, 0.000_000_1, "INR")).toBe(10_000);
  });

  test("a percentage is taken exactly, rounded half up", () => {
    fc.assert(
      fc.property(minor, percent, (amount, hundredths) => {
        expect(percentOfMinor(amount, hundredths / 100)).toBe(halfUp(BigInt(amount) * BigInt(hundredths), 10_000n));
      }),
    );
    expect(percentOfMinor(1, 50)).toBe(1);
    expect(percentOfMinor(1, 49)).toBe(0);
    // As it is written: the number next to it that a computer has is less.
    expect(percentOfMinor(500, 0.3)).toBe(2);
    // Such a number is written with an exponent.
    expect(percentOfMinor(10_000_000_000, 0.000_000_1)).toBe(10);
  });

  test("the tax that an amount includes and the rest are the amount", () => {
    fc.assert(
      fc.property(minor, percent, (amount, hundredths) => {
        const part = BigInt(amount) * BigInt(hundredths);
        expect(includedTaxMinor(amount, hundredths / 100)).toBe(halfUp(part, BigInt(10_000 + hundredths)));
      }),
    );
    expect(includedTaxMinor(11_800, 18)).toBe(1_800);
    expect(includedTaxMinor(10_000, 0)).toBe(0);
  });
});

describe("a coupon", () => {
  test.each([
    ["percent", 10, 20_000, { amountMinor: 18_000, discountMinor: 2_000 }],
    ["percent", 100, 20_000, { amountMinor: 0, discountMinor: 20_000 }],
    ["amount", 30, 20_000, { amountMinor: 17_000, discountMinor: 3_000 }],
    ["amount", 100, 10_000, { amountMinor: 0, discountMinor: 10_000 }],
    ["amount", 500, 10_000, { amountMinor: 0, discountMinor: 10_000 }],
    ["amount", 99.5, 10_000, { amountMinor: 100, discountMinor: 9_900 }],
    ["amount", 99, 10_000, { amountMinor: 100, discountMinor: 9_900 }],
    ["amount", 0.2, 50, { amountMinor: 50, discountMinor: 0 }],
    ["percent", 50, 0, { amountMinor: 0, discountMinor: 0 }],
  ] as const)("of %s %d leaves of %i nothing, or a unit at least, and never more", (kind, value, price, expected) => {
    expect(priceWithCoupon({ kind, value }, price, "INR")).toEqual(expected);
  });
});

describe("a series of invoices", () => {
  test.each([
    ["2026-03-31T23:59:59Z", 4, "2025-26"],
    ["2026-04-01T00:00:00Z", 4, "2026-27"],
    ["2026-01-01T00:00:00Z", 1, "2026-27"],
    ["2026-12-31T23:59:59Z", 1, "2026-27"],
    ["2099-12-31T00:00:00Z", 4, "2099-00"],
    ["2108-06-01T00:00:00Z", 4, "2108-09"],
  ])("of %s in a year that starts in month %i is of %s", (at, month, year) => {
    expect(financialYear(new Date(at), month)).toBe(year);
  });

  test("names its kind and counts in six digits", () => {
    const settings = { prefix: "INV", yearStartMonth: 4 } as Parameters<typeof seriesOf>[2];
    const at = new Date("2026-11-22");
    expect(seriesOf("invoice", at, settings)).toBe("INV-2026-27");
    expect(seriesOf("credit-note", at, settings)).toBe("INVCN-2026-27");
    expect(numberIn("INV-2026-27", 42)).toBe("INV-2026-27-000042");
  });
});

test.each([
  [999, 10, 89910],
  [0, 0, 0],
  [499, 100, 0],
  [0.29, 0, 29],
  [1.15, 0, 115],
  [4999.99, 33.33, 333349],
  [10, 0.05, 1000],
  [10.01, 50, 501],
  [33.33, 33.33, 2222],
  [10_000_000, 1e-7, 999999999],
  [1.01, 12.5, 88],
])("price %d with %d per cent off is %d minor units", (price, discount, minor) => {
  expect(payableMinor(price, discount, "INR")).toBe(minor);
});
