import type { Deps } from "../../deps.js";
import { limitExceeded } from "../../http/limits/rate-limits.js";
import { type Route, type RouteGroup, route } from "../../http/route.js";
import { WrongRole } from "../../lib/errors.js";
import { CouponNotValid } from "../../services/coupons/coupon-use.js";
import { CouponCodeTaken, CouponNotFound } from "../../services/coupons/manage-coupons.js";
import { CourseNotFound } from "../../services/failures.js";
import { couponCheckController, couponsController } from "./coupons.controller.js";
import {
  AdminCouponBody,
  CouponChangesBody,
  CouponCheckBody,
  CouponCheckReply,
  CouponParams,
  CouponReply,
  CouponsQuery,
  CouponsReply,
  EducatorCouponBody,
} from "./coupons.schemas.js";

/** Coupons: making and changing them, and asking what one is worth. */
export function couponGroups(deps: Deps): RouteGroup[] {
  const { check } = couponCheckController(deps);
  const admin = couponsController(deps, "admin");
  return [
    {
      name: "coupons",
      base: "/api/admin",
      access: "admin",
      limit: "admin",
      routes: [
        route({
          method: "post",
          path: "/coupons",
          summary: "Make a coupon for some courses or for every course",
          access: "admin",
          body: AdminCouponBody,
          reply: CouponReply,
          errors: [CourseNotFound, CouponCodeTaken],
          handle: admin.create,
        }),
        ...managing(deps, "admin"),
      ],
    },
    {
      name: "coupons",
      base: "/api/educator",
      routes: [
        route({
          method: "post",
          path: "/coupons",
          summary: "Make a coupon for courses of one's own",
          description: "After ten conflicts within an hour, further creations are refused until the hour is over.",
          access: "educator",
          body: EducatorCouponBody,
          reply: CouponReply,
          errors: [WrongRole, CouponCodeTaken, limitExceeded("couponConflicts")],
          handle: couponsController(deps, "educator").create,
        }),
        ...managing(deps, "educator"),
      ],
    },
    {
      name: "coupons",
      base: "/api/user",
      access: "user",
      routes: [
        route({
          method: "post",
          path: "/coupon/check",
          summary: "What a course costs with a coupon",
          description: "Nothing is reserved. The answer does not tell why a coupon is not valid.",
          access: "user",
          limit: "payments",
          body: CouponCheckBody,
          reply: CouponCheckReply,
          errors: [CourseNotFound, CouponNotValid],
          handle: check,
        }),
      ],
    },
  ];
}

function managing(deps: Deps, role: "admin" | "educator"): Route[] {
  const coupons = couponsController(deps, role);
  return [
    route({
      method: "get",
      path: "/coupons",
      summary: role === "admin" ? "Every coupon, newest first" : "One's own coupons, newest first",
      access: role,
      query: CouponsQuery,
      reply: CouponsReply,
      errors: [],
      handle: coupons.list,
    }),
    route({
      method: "patch",
      path: "/coupons/:id",
      summary: "Change when and how often a coupon can be used",
      description: "Purchases that have reserved it keep it.",
      access: role,
      params: CouponParams,
      body: CouponChangesBody,
      reply: CouponReply,
      errors: [CouponNotFound],
      handle: coupons.change,
    }),
  ];
}
