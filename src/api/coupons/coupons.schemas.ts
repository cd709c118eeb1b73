import { z } from "zod";
import { listReply } from "../../http/list-reply.js";
import { newestFirstPage, nextCursor } from "../../http/pages.js";
import { list } from "../../lib/fields.js";
import { couponKinds, couponRow } from "../../models/payments/coupon.js";
import { couponCode } from "../../services/coupons/coupon-use.js";
import { courseOrPath } from "../course-or-path.js";

const maxValue = 10_000_000;
const maxNamed = 500;
const maxRedemptions = z.int().min(1).max(1_000_000);

const moment = z.iso.datetime({ offset: true }).transform((text) => new Date(text));
const named = list(z.string(), maxNamed, 1).optional();

const code = couponCode
  .regex(/^[A-Z0-9-]{4,32}$/)
  .meta({ description: "4 to 32 characters of A–Z, 0–9 and `-`; absent: a random code" });

const given = {
  code: code.optional(),
  kind: z.enum(couponKinds),
  value: z.number().positive().max(maxValue).meta({ description: "percent (1 to 100), or an amount in major units" }),
  startsAt: moment.optional(),
  expiresAt: moment.optional(),
  maxRedemptions: maxRedemptions.optional(),
  maxPerUser: z.int().min(1).max(100).default(1),
};

interface Terms {
  kind: string;
  value: number;
  startsAt?: Date | undefined;
  expiresAt?: Date | undefined;
}
const isPercent = ({ kind, value }: Terms): boolean => kind !== "percent" || (value >= 1 && value <= 100);
const endsLater = ({ startsAt, expiresAt }: Terms): boolean => !startsAt || !expiresAt || startsAt < expiresAt;

const covered = {
  courseIds: named.meta({ description: "absent with `pathIds`: no course" }),
  pathIds: named.meta({ description: "absent with `courseIds`: no path" }),
};

/** An administrator's new coupon. Without both lists it is for everything. */
export const AdminCouponBody = z
  .object({ ...given, ...covered })
  .refine(isPercent)
  .refine(endsLater);

/** An educator's new coupon, for courses and paths of their own. */
export const EducatorCouponBody = AdminCouponBody.refine(
  ({ courseIds, pathIds }) => courseIds || pathIds,
  "names nothing",
);

export const CouponChangesBody = z.object({
  active: z.boolean().optional(),
  expiresAt: moment.nullable().optional(),
  maxRedemptions: maxRedemptions.nullable().optional(),
});

const { courseIds, pathIds, reserved, redeemed } = couponRow.shape;
const CouponView = couponRow
  .omit({ createdBy: true, updatedAt: true })
  .extend({
    courseIds: courseIds.meta({ description: "null: none is named; without `pathIds` too it is for everything" }),
    pathIds: pathIds.default(null).meta({ description: "null: none is named" }),
    reserved: reserved.meta({ description: "unfinished purchases that use it" }),
    redeemed: redeemed.meta({ description: "completed purchases that used it, including refunded ones" }),
  })
  .meta({ id: "Coupon" });

export const CouponReply = z.object({ coupon: CouponView });
export const CouponsQuery = z.object(newestFirstPage);
export const CouponsReply = listReply("coupons", CouponView, nextCursor);

export const CouponCheckBody = courseOrPath({ code: couponCode });
export const CouponCheckReply = z.object({
  amount: z.number().meta({ description: "major unit; the amount to pay" }),
  discountAmount: z.number().meta({ description: "major unit; discount of the coupon" }),
  currency: z.string().meta({ description: "ISO 4217" }),
});
