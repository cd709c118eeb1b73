import AsyncLock from "async-lock";
import type { z } from "zod";
import type { Deps } from "../../deps.js";
import { readPage } from "../../http/reply-with-list.js";
import type { RouteRequest } from "../../http/route.js";
import { ApiError } from "../../lib/errors.js";
import { checkCoupon } from "../../services/coupons/check-coupon.js";
import { CouponCodeTaken, changeCoupon, createCoupon, listCoupons } from "../../services/coupons/manage-coupons.js";
import type {
  AdminCouponBody,
  CouponChangesBody,
  CouponCheckBody,
  CouponParams,
  CouponsQuery,
} from "./coupons.schemas.js";

type Manager = "admin" | "educator";

type Creation = RouteRequest<undefined, undefined, z.output<typeof AdminCouponBody>, Manager>;

/** Administrators and educators manage coupons in the same way, but educators only their own. */
export function couponsController({ db, limits, config: { currency } }: Deps, role: Manager) {
  const creations = new AsyncLock({ maxPending: Number.POSITIVE_INFINITY });

  const create = async ({ body, viewer, req }: Creation) => {
    const manager = { userId: viewer.id, role, requestId: String(req.id) };
    return { coupon: await createCoupon({ db, currency }, body, manager) };
  };

  /** Limits conflicts of an educator, because a conflict shows that a code exists. */
  const createCounted = async (request: Creation) => {
    const { req, res } = request;
    await limits.requireUnit("couponConflicts", req, res);
    try {
      return await create(request);
    } catch (error) {
      if (error instanceof ApiError && error.id === CouponCodeTaken.id)
        await limits.consume("couponConflicts", req, res);
      throw error;
    }
  };

  return {
    // An educator's creations run one at a time, so that each sees the conflicts of those before it.
    create: (request: Creation) =>
      role === "admin" ? create(request) : creations.acquire(request.viewer.id, () => createCounted(request)),

    async list({ viewer, query }: RouteRequest<undefined, z.output<typeof CouponsQuery>, undefined, Manager>) {
      const { items: coupons, nextCursor } = await readPage(listCoupons(db, { userId: viewer.id, role }), query);
      return { coupons, nextCursor };
    },

    async change({
      params,
      body,
      viewer,
      req,
    }: RouteRequest<z.output<typeof CouponParams>, undefined, z.output<typeof CouponChangesBody>, Manager>) {
      const manager = { userId: viewer.id, role, requestId: String(req.id) };
      return { coupon: await changeCoupon(db, params.id, body, manager) };
    },
  };
}

export function couponCheckController({ db, config: { currency } }: Deps) {
  return {
    check: ({ body, viewer }: RouteRequest<undefined, undefined, z.output<typeof CouponCheckBody>, "user">) =>
      checkCoupon({ db, currency }, viewer.id, body),
  };
}
