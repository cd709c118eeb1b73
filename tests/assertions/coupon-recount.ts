import { expect } from "vitest";
import type { TestServer } from "../server/test-server.js";

/** Compares the redemptions of every coupon with a recount of the purchases that use it, and with its limits. */
export async function expectCouponRecount(server: TestServer): Promise<void> {
  const { Coupon, Purchase } = server.deps.db;
  for (const { _id, code, reserved, redeemed, maxPerUser, maxRedemptions } of await Coupon.find().lean()) {
    const purchases = await Purchase.find({ "coupon.couponId": _id }).lean();
    const inStates = (...states: string[]) => purchases.filter(({ status }) => states.includes(status));
    const counted = purchases.filter(({ couponUse }) => couponUse !== undefined);
    const countedIn = (...states: string[]) => counted.filter(({ status }) => states.includes(status)).length;
    expect({ code, reserved, redeemed }).toEqual({
      code,
      reserved: countedIn("created", "pending", "failed"),
      redeemed: countedIn("completed", "refunded"),
    });
    expect(reserved + redeemed).toBeLessThanOrEqual(maxRedemptions ?? Number.MAX_SAFE_INTEGER);
    expect(counted.every(({ couponUse, userId }) => couponUse === `${code}:${userId}`)).toBe(true);
    expect(inStates("created", "pending").every(({ couponUse }) => couponUse !== undefined)).toBe(true);
    for (const userId of new Set(counted.map((purchase) => purchase.userId))) {
      expect(counted.filter((purchase) => purchase.userId === userId).length).toBeLessThanOrEqual(maxPerUser);
    }
  }
}
