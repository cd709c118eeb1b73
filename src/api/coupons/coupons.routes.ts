import type { Deps } from "../../deps.js";
import { forManagers } from "../../http/for-managers.js";
import { limitExceeded } from "../../http/limits/rate-limits.js";
import { type RouteGroup, route } from "../../http/route.js";
import { ApiError, WrongRole } from "../../lib/errors.js";
import { createTurns } from "../../lib/turns.js";
import { checkCoupon } from "../../services/coupons/check-coupon.js";
import { CouponNotValid } from "../../services/coupons/coupon-use.js";
import {
  CouponCodeTaken,
  CouponNotFound,
  changeCoupon,
  createCoupon,
  listCoupons,
} from "../../services/coupons/manage-coupons.js";
import { CourseNotFound, PathNotFound } from "../../services/failures.js";
import { PathNotForSale } from "../../services/payments/for-sale.js";
import {
  AdminCouponBody,
  CouponChangesBody,
  CouponCheckBody,
  CouponCheckReply,
  CouponReply,
  CouponsQuery,
  CouponsReply,
  EducatorCouponBody,
} from "./coupons.schemas.js";

/** Coupons: creating and changing them, and checking the price with one. */
export function couponGroups({ db, limits, config: { currency } }: Deps): RouteGroup[] {
  const createInTurn = createTurns();

  return [
    ...forManagers("coupons", ["admin", "educator"], ({ role, isAdmin, infix }) => [
      isAdmin
        ? route("post", "/coupons", {
            operationId: "createAdminCoupon",
            summary: "Create a coupon for some courses and paths, or for everything",
            access: "admin",
            scope: "coupons:write",
            body: AdminCouponBody,
            reply: CouponReply,
            errors: [CourseNotFound, PathNotFound, CouponCodeTaken],
            handle: async ({ body, manager }) => ({ coupon: await createCoupon({ db, currency }, body, manager) }),
          })
        : route("post", "/coupons", {
            operationId: "createCoupon",
            summary: "Create a coupon for the educator's own courses and paths",
            description: "After ten conflicts within an hour, further creations are refused until the hour is over.",
            access: "educator",
            scope: "coupons:write",
            body: EducatorCouponBody,
            reply: CouponReply,
            errors: [WrongRole, CouponCodeTaken, limitExceeded("couponConflicts")],
            // An educator's creations run one at a time, so that each one sees the conflicts before it. Conflicts are
            // limited, because a conflict shows that a code exists.
            handle: ({ body, manager, req, res }) =>
              createInTurn(manager.userId, async () => {
                await limits.requireUnit("couponConflicts", req, res);
                try {
                  return { coupon: await createCoupon({ db, currency }, body, manager) };
                } catch (error) {
                  const isConflict = error instanceof ApiError && error.id === CouponCodeTaken.id;
                  if (isConflict) await limits.consume("couponConflicts", req, res);
                  throw error;
                }
              }),
          }),
      route("get", "/coupons", {
        operationId: `list${infix}Coupons`,
        summary: isAdmin ? "Every coupon, newest first" : "The educator's own coupons, newest first",
        access: role,
        scope: "coupons:read",
        query: CouponsQuery,
        reply: CouponsReply.schema,
        handle: async (request) => CouponsReply.answer(request, await listCoupons(db, request.manager)),
      }),
      route("patch", "/coupons/:id", {
        operationId: `update${infix}Coupon`,
        summary: "Change when and how often a coupon can be used",
        description: "Purchases that have reserved it keep it.",
        access: role,
        scope: "coupons:write",
        body: CouponChangesBody,
        reply: CouponReply,
        errors: [CouponNotFound],
        handle: async ({ params, body, manager }) => ({ coupon: await changeCoupon(db, params.id, body, manager) }),
      }),
    ]),
    {
      name: "coupons",
      base: "/api/user",
      routes: [
        route("post", "/coupon/check", {
          operationId: "checkCoupon",
          summary: "What a course costs with a coupon",
          description: "Nothing is reserved. The answer does not tell why a coupon is not valid.",
          access: "user",
          limit: "payments",
          body: CouponCheckBody,
          reply: CouponCheckReply,
          errors: [CourseNotFound, PathNotFound, PathNotForSale, CouponNotValid],
          handle: ({ body, viewer }) => checkCoupon({ db, currency }, viewer.id, body),
        }),
      ],
    },
  ];
}
