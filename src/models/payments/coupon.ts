import type { ClientSession, Model, Types } from "mongoose";
import { z } from "zod";
import { timestamp } from "../../lib/fields.js";
import { defineCollection } from "../collection.js";
import { objectIdField, rowTimes, withDefault } from "../row.js";

export const couponKinds = ["percent", "amount"] as const;

/** A code that lowers the price of courses and paths. `reserved` + `redeemed` never passes `maxRedemptions`. */
export type Coupon = z.input<typeof couponRow>;
export const couponRow = z.object({
  _id: objectIdField,
  /** Capital letters, digits and hyphens. */
  code: z.string(),
  kind: z.enum(couponKinds),
  /** Percent, or an amount in the major unit of the platform's currency. */
  value: z.number(),
  /** The courses, and the paths, that it applies to. null: none is named. A coupon that names neither applies to everything. */
  courseIds: z.array(objectIdField).nullable(),
  pathIds: withDefault(z.array(objectIdField).nullable().exactOptional(), null),
  startsAt: timestamp.nullable(),
  expiresAt: timestamp.nullable(),
  maxRedemptions: z.number().nullable(),
  /** How many purchases of one learner may use it. */
  maxPerUser: withDefault(z.number(), 1),
  active: withDefault(z.boolean(), true),
  /** Number of unpaid purchases that hold a redemption. */
  reserved: withDefault(z.number(), 0),
  /** Number of completed purchases that redeemed it. A refund does not lower it. */
  redeemed: withDefault(z.number(), 0),
  /** User id of the administrator or educator who created it. */
  createdBy: z.string(),
  ...rowTimes,
});

export const couponCollection = defineCollection({
  row: couponRow,
  indexes: [
    [{ code: 1 }, { unique: true }],
    [{ createdAt: -1, _id: -1 }], // the administrators' list, newest first
    [{ createdBy: 1, createdAt: -1, _id: -1 }], // an educator's list, newest first
    [{ courseIds: 1, createdAt: -1, _id: -1 }], // the list of a key with `courseIds`
    [{ pathIds: 1, createdAt: -1, _id: -1 }], // the same, of its paths
  ],
  holds: "lowers prices: terms, number of reserved and redeemed uses",
  kept: "for good",
  userData: { erasure: { keep: "names the administrator or educator who made it" } },
});

/** The course or path that a purchase with a coupon is about. */
export type CouponItem = { readonly courseId: Types.ObjectId } | { readonly pathId: Types.ObjectId };

/**
 * Returns the filter of the coupon with this code that applies to the course or path now. All conditions are in one filter, so that
 * a miss takes the same time whatever its reason.
 * @param held redemptions that the caller holds already and that do not count against the limit.
 */
const applicable = (code: string, item: CouponItem, now: Date, held = 0) => ({
  code,
  active: true,
  $and: [
    { $or: [{ startsAt: null }, { startsAt: { $lte: now } }] },
    { $or: [{ expiresAt: null }, { expiresAt: { $gt: now } }] },
    {
      $or: [
        { courseIds: null, pathIds: null },
        "courseId" in item ? { courseIds: item.courseId } : { pathIds: item.pathId },
      ],
    },
    {
      $or: [
        { maxRedemptions: null },
        { $expr: { $lt: [{ $add: ["$reserved", "$redeemed", -held] }, "$maxRedemptions"] } },
      ],
    },
  ],
});

type Coupons = { readonly Coupon: Model<Coupon> };

export function findApplicableCoupon(
  db: Coupons,
  code: string,
  item: CouponItem,
  { held = 0, session = null }: { held?: number; session?: ClientSession | null } = {},
): Promise<Coupon | null> {
  return db.Coupon.findOne(applicable(code, item, new Date(), held))
    .session(session)
    .lean<Coupon>()
    .exec();
}

/** Reserves one redemption. @returns the coupon; null, and nothing is reserved, when it does not apply. */
export function reserveCoupon(
  db: Coupons,
  code: string,
  item: CouponItem,
  session: ClientSession,
): Promise<Coupon | null> {
  const reserved = { $inc: { reserved: 1 } };
  const filter = applicable(code, item, new Date());
  return db.Coupon.findOneAndUpdate(filter, reserved, { session, returnDocument: "after", timestamps: false })
    .lean<Coupon>()
    .exec();
}

/** Moves the numbers of a coupon's redemptions. */
export async function addRedemptions(
  db: Coupons,
  _id: Types.ObjectId,
  by: Partial<Pick<Coupon, "reserved" | "redeemed">>,
  session: ClientSession,
): Promise<void> {
  await db.Coupon.updateOne({ _id }, { $inc: by }, { session, timestamps: false });
}
