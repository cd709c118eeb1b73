import type { z } from "zod";
import type { Deps } from "../../deps.js";
import { replyWithList } from "../../http/reply-with-list.js";
import type { RouteRequest } from "../../http/route.js";
import { checkCoupon } from "../../services/coupons/check-coupon.js";
import { changeCoupon, createCoupon, listCoupons } from "../../services/coupons/manage-coupons.js";
import {
  type AdminCouponBody,
  type CouponChangesBody,
  type CouponCheckBody,
  type CouponParams,
  type CouponsQuery,
  CouponsReply,
} from "./coupons.schemas.js";

type Manager = "admin" | "educator";

/** What administrators and educators do with coupons; only which ones they see differs. */
export function couponsController({ db, config: { currency } }: Deps, role: Manager) {
  return {
    async create({ body, viewer, req }: RouteRequest<undefined, undefined, z.output<typeof AdminCouponBody>, Manager>) {
      const manager = { userId: viewer.id, role, requestId: String(req.id) };
      return { coupon: await createCoupon({ db, currency }, body, manager) };
    },

    list: (request: RouteRequest<undefined, z.output<typeof CouponsQuery>, undefined, Manager>) =>
      replyWithList(request, {
        ...{ reply: CouponsReply, field: "coupons" },
        list: listCoupons(db, { userId: request.viewer.id, role }),
        wrap: (coupons, { nextCursor = null }) => ({ coupons, nextCursor }),
      }),

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
