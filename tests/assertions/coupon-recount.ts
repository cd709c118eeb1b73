import { expect } from "vitest";
import type { TestServer } from "../server/test-server.js";

/** Compares the redemptions of every coupon with a recount of the purchases that use it, and with its limits. */
export async function expectCouponRecount(server: TestServer): Promise<void> {
  const { Coupon, Purchase } = server.deps.db;
  for (const { _id, code, reserved, redeemed, maxPerUser } of await Coupon.find().lean()) {
    const purchases = await Purchase.find({ "coupon.couponId": _id }).lean();
    const inStates = (...states: string[]) => purchases.filter(({ status }) => states.includes(status));
    const counted = inStates("created", "pending", "completed", "refunded");
    expect({ code, reserved, redeemed }).toEqual({
      code,
      reserved: inStates("created", "pending").length,
      redeemed: inStates("completed", "refunded").length,
    });
    expect(counted.every(({ couponUse, userId }) => couponUse === `${code}:${userId}`)).toBe(true);
    expect(inStates("failed").every(({ couponUse }) => couponUse === undefined)).toBe(true);
    for (const userId of new Set(counted.map((purchase) => purchase.userId))) {
      expect(counted.filter((purchase) => purchase.userId === userId).length).toBeLessThanOrEqual(maxPerUser);
    }
  }
}
