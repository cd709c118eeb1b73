import { type ClientSession, Schema, type Types } from "mongoose";
import { defineCollection } from "../collection.js";
import type { Models } from "../index.js";

export const couponKinds = ["percent", "amount"] as const;
export type CouponKind = (typeof couponKinds)[number];

/** A code that lowers the price of courses. `reserved` + `redeemed` never passes `maxRedemptions`. */
export interface Coupon {
  _id: Types.ObjectId;
  /** Capital letters, digits and hyphens. */
  code: string;
  kind: CouponKind;
  /** Percent, or an amount in the major unit of the platform's currency. */
  value: number;
  /** The courses that it applies to; null: every course. */
  courseIds: Types.ObjectId[] | null;
  startsAt: Date | null;
  expiresAt: Date | null;
  maxRedemptions: number | null;
  /** How many purchases of one learner may use it. */
  maxPerUser: number;
  active: boolean;
  /** Number of unpaid purchases that hold a redemption. */
  reserved: number;
  /** Number of completed purchases that redeemed it. A refund does not lower it. */
  redeemed: number;
  /** User id of the administrator or educator who created it. */
  createdBy: string;
  createdAt: Date;
  updatedAt: Date;
}

const couponSchema = new Schema<Coupon>(
  {
    code: { type: String, required: true },
    kind: { type: String, enum: couponKinds, required: true },
    value: { type: Number, required: true },
    courseIds: { type: [Schema.Types.ObjectId], default: null },
    startsAt: { type: Date, default: null },
    expiresAt: { type: Date, default: null },
    maxRedemptions: { type: Number, default: null },
    maxPerUser: { type: Number, default: 1 },
    active: { type: Boolean, default: true },
    reserved: { type: Number, default: 0 },
    redeemed: { type: Number, default: 0 },
    createdBy: { type: String, required: true },
  },
  { timestamps: true, versionKey: false },
);
couponSchema.index({ code: 1 }, { unique: true });
couponSchema.index({ createdAt: -1, _id: -1 }); // the administrators' list, newest first
couponSchema.index({ createdBy: 1, createdAt: -1, _id: -1 }); // an educator's list, newest first
couponSchema.index({ courseIds: 1, createdAt: -1, _id: -1 }); // the list of a key with `courseIds`

export const couponCollection = defineCollection<Coupon>({
  schema: couponSchema,
  holds: "lowers prices: terms, number of reserved and redeemed uses",
  kept: "for good",
  userData: { erasure: { keep: "names the administrator or educator who made it" } },
});

/**
 * Returns the filter of the coupon with this code that applies to the course now. All conditions are in one filter, so that
 * a miss takes the same time whatever its reason.
 * @param held redemptions that the caller holds already and that do not count against the limit.
 */
const applicable = (code: string, courseId: Types.ObjectId, now: Date, held = 0) => ({
  code,
  active: true,
  $and: [
    { $or: [{ startsAt: null }, { startsAt: { $lte: now } }] },
    { $or: [{ expiresAt: null }, { expiresAt: { $gt: now } }] },
    { $or: [{ courseIds: null }, { courseIds: courseId }] },
    {
      $or: [
        { maxRedemptions: null },
        { $expr: { $lt: [{ $add: ["$reserved", "$redeemed", -held] }, "$maxRedemptions"] } },
      ],
    },
  ],
});

export function findApplicableCoupon(
  db: Models,
  code: string,
  courseId: Types.ObjectId,
  { held = 0, session = null }: { held?: number; session?: ClientSession | null } = {},
): Promise<Coupon | null> {
  return db.Coupon.findOne(applicable(code, courseId, new Date(), held))
    .session(session)
    .lean<Coupon>()
    .exec();
}

/** Reserves one redemption. @returns the coupon; null, and nothing is reserved, when it does not apply. */
export function reserveCoupon(
  db: Models,
  code: string,
  courseId: Types.ObjectId,
  session: ClientSession,
): Promise<Coupon | null> {
  const reserved = { $inc: { reserved: 1 } };
  const filter = applicable(code, courseId, new Date());
  return db.Coupon.findOneAndUpdate(filter, reserved, { session, returnDocument: "after", timestamps: false })
    .lean<Coupon>()
    .exec();
}

/** Moves the numbers of a coupon's redemptions. */
export async function addRedemptions(
  db: Models,
  _id: Types.ObjectId,
  by: Partial<Pick<Coupon, "reserved" | "redeemed">>,
  session: ClientSession,
): Promise<void> {
  await db.Coupon.updateOne({ _id }, { $inc: by }, { session, timestamps: false });
}
