import { expect } from "vitest";
import type { TestServer } from "../server/test-server.js";
import { wrongCounters } from "./recount.js";

/** Expects every coupon's redemptions to equal a recount and to stay within its limits. */
export async function expectCouponRecount({ deps: { db } }: Pick<TestServer, "deps">): Promise<void> {
  expect(await wrongCounters(db, "Coupon")).toEqual([]);
  for (const { _id, code, reserved, redeemed, maxPerUser, maxRedemptions } of await db.Coupon.find().lean()) {
    const purchases = await db.Purchase.find({ "coupon.couponId": _id }).lean();
    const counted = purchases.filter(({ couponUse }) => couponUse !== undefined);
    const open = purchases.filter(({ status }) => status === "created" || status === "pending");
    expect(reserved + redeemed).toBeLessThanOrEqual(maxRedemptions ?? Number.MAX_SAFE_INTEGER);
    expect(counted.every(({ couponUse, userId }) => couponUse === `${code}:${userId}`)).toBe(true);
    expect(open.every(({ couponUse }) => couponUse !== undefined)).toBe(true);
    for (const userId of new Set(counted.map((purchase) => purchase.userId))) {
      expect(counted.filter((purchase) => purchase.userId === userId).length).toBeLessThanOrEqual(maxPerUser);
    }
  }
}
