import { expect } from "vitest";
import type { SignedIn, TestServer } from "../server/test-server.js";

export interface MadeCoupon {
  readonly _id: string;
  readonly code: string;
}

/** Creates a coupon through the API, by default 50 % off every course. */
export async function buildCoupon(
  server: TestServer,
  admin: SignedIn,
  fields: Record<string, unknown> = {},
): Promise<MadeCoupon> {
  const { status, body } = await server.post(
    "/api/admin/coupons",
    { kind: "percent", value: 50, ...fields },
    admin.token,
  );
  expect({ status, success: body.success }).toEqual({ status: 200, success: true });
  return body.coupon;
}
