import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { invoiceKinds } from "../../../src/models/payments/invoice.js";
import { financialYear, numberIn, seriesOf } from "../../../src/services/invoices/number-invoices.js";
import {
  currencyDecimals,
  fitsCurrency,
  includedTaxMinor,
  priceBreakdown,
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

describe("a price", () => {
  const percentOff = (value: number) => ({ kind: "percent", value }) as const;
  const amountOff = (value: number) => ({ kind: "amount", value }) as const;

  // List price, percent off, coupon, currency; list, course discount, coupon discount and total in minor units.
  test.each([
    [999, 10, undefined, "INR", [99_900, 9_990, 0, 89_910]],
    [0, 0, undefined, "INR", [0, 0, 0, 0]],
    [19.99, 100, undefined, "INR", [1_999, 1_999, 0, 0]],
    [1.15, 0, undefined, "INR", [115, 0, 0, 115]],
    [10, 0.05, undefined, "INR", [1_000, 0, 0, 1_000]],
    // Such a percentage is written with an exponent.
    [10_000_000, 1e-7, undefined, "INR", [1_000_000_000, 1, 0, 999_999_999]],
    [1_000, 10, undefined, "JPY", [1_000, 100, 0, 900]],
    // Totals of three decimals are whole tens, rounded once from the exact value.
    [12.345, 10, undefined, "KWD", [12_345, 1_235, 0, 11_110]],
    [12.345, 0, undefined, "KWD", [12_345, -5, 0, 12_350]],
    [10.001, 50, undefined, "KWD", [10_001, 5_001, 0, 5_000]],
    [9.99, 50, percentOff(50), "KWD", [9_990, 4_990, 2_500, 2_500]],
    [10.01, 50, percentOff(10), "KWD", [10_010, 5_000, 510, 4_500]],
    [1, 0, amountOff(0.005), "KWD", [1_000, 0, 0, 1_000]],
    [1, 0, amountOff(0.015), "KWD", [1_000, 0, 10, 990]],
    [1, 0, amountOff(0.95), "KWD", [1_000, 0, 900, 100]],
    [1, 0, percentOff(100), "KWD", [1_000, 0, 1_000, 0]],
    [1, 0, amountOff(2), "KWD", [1_000, 0, 1_000, 0]],
    // A coupon takes its part off what the course's discount leaves.
    [200, 50, percentOff(10), "INR", [20_000, 10_000, 1_000, 9_000]],
    [200, 0, amountOff(30), "INR", [20_000, 0, 3_000, 17_000]],
    [200, 0, percentOff(100), "INR", [20_000, 0, 20_000, 0]],
    [100, 0, amountOff(100), "INR", [10_000, 0, 10_000, 0]],
    [100, 0, amountOff(500), "INR", [10_000, 0, 10_000, 0]],
    [0, 0, percentOff(50), "INR", [0, 0, 0, 0]],
    [1_000, 0, amountOff(300), "JPY", [1_000, 0, 300, 700]],
    // It leaves nothing, or at least 100 minor units, and never adds to the price.
    [1_000, 0, amountOff(950), "JPY", [1_000, 0, 900, 100]],
    [100, 0, amountOff(99), "INR", [10_000, 0, 9_900, 100]],
    [0.5, 0, amountOff(0.2), "INR", [50, 0, 0, 50]],
  ] as const)(
    "of %d with %d %% off and the coupon %o in %s comes about as %j",
    (coursePrice, discount, coupon, currency, expected) => {
      const [listMinor, courseDiscountMinor, couponDiscountMinor, totalMinor] = expected;
      const breakdown = { listMinor, courseDiscountMinor, couponDiscountMinor, totalMinor };
      expect(priceBreakdown({ course: { coursePrice, discount }, buyer: null, currency, coupon })).toEqual(breakdown);
    },
  );

  test("is exact to half a minor unit, and its parts add up", () => {
    fc.assert(
      fc.property(minor, percent, percent, (list, off, couponOff) => {
        const course = { coursePrice: list / 100, discount: off / 100 };
        const offer = { course, buyer: null, currency: "INR", coupon: percentOff(couponOff / 100) };
        const { listMinor, courseDiscountMinor, couponDiscountMinor, totalMinor } = priceBreakdown(offer);
        const discounted = halfUp(BigInt(list) * BigInt(10_000 - off), 10_000n);
        const left = discounted - halfUp(BigInt(discounted) * BigInt(couponOff), 10_000n);
        const total = left === 0 ? 0 : Math.min(discounted, Math.max(left, 100));
        expect([listMinor, totalMinor]).toEqual([list, total]);
        expect(listMinor - courseDiscountMinor).toBe(discounted);
        expect(listMinor - courseDiscountMinor - couponDiscountMinor).toBe(totalMinor);
      }),
    );
  });
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

describe("a series of invoices", () => {
  test.each([
    ["2026-03-31T23:59:59Z", 4, "UTC", "2025-26"],
    ["2026-04-01T00:00:00Z", 4, "UTC", "2026-27"],
    ["2026-03-31T18:29:59Z", 4, "Asia/Kolkata", "2025-26"],
    ["2026-03-31T18:30:00Z", 4, "Asia/Kolkata", "2026-27"],
    ["2026-01-01T00:00:00Z", 1, "UTC", "2026"],
    ["2026-12-31T23:59:59Z", 1, "UTC", "2026"],
    ["2026-01-01T04:59:59Z", 1, "America/New_York", "2025"],
    ["2026-01-31T23:59:59Z", 2, "UTC", "2025-26"],
    ["2099-12-31T00:00:00Z", 4, "UTC", "2099-00"],
    ["2108-06-01T00:00:00Z", 4, "UTC", "2108-09"],
  ])("of %s in a year that starts in month %i in %s is of %s", (at, month, timeZone, year) => {
    expect(financialYear(new Date(at), month, timeZone)).toBe(year);
  });

  test.each([
    ["INV", 4, ["INV-2627-000042", "INVC-2627-000042"]],
    ["7CN", 4, ["7CN-2627-000042", "7CNC-2627-000042"]],
    ["INV", 1, ["INV-2026-000042", "INVC-2026-000042"]],
  ])("of %s in years that start in month %i has numbers such as %j", (prefix, yearStartMonth, numbers) => {
    const settings = { prefix, yearStartMonth, timeZone: "UTC" } as Parameters<typeof seriesOf>[2];
    const at = new Date("2026-11-22");
    const found = invoiceKinds.map((kind) => numberIn(seriesOf(kind, at, settings).start, 42));
    expect(found).toEqual(numbers);
    expect(Math.max(...found.map(({ length }) => length))).toBeLessThanOrEqual(16);
  });
});
