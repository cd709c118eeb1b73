import { randomInt } from "node:crypto";
import { type QueryFilter, Types } from "mongoose";
import { isDuplicateKey } from "../../db/database-errors.js";
import type { Db } from "../../db/db.js";
import { findAfter } from "../../db/find-after.js";
import { BrokenRule, failure, WrongRole } from "../../lib/errors.js";
import { isObjectId } from "../../lib/fields.js";
import type { Coupon } from "../../models/payments/coupon.js";
import { allCoursesInReach, reachesCourse } from "../../models/users/api-key.js";
import { actorOf, type Manager } from "../../models/users/manager.js";
import { recordAudit } from "../audit/record-audit.js";
import { CourseNotFound } from "../failures.js";
import { fitsCurrency } from "../payments/price.js";

export const CouponNotFound = failure("coupon_not_found", 404, "Coupon not found");
export const CouponCodeTaken = failure("coupon_code_taken", 409, "Coupon code already exists");

/** Leaves out 0, O, 1 and I, which are read as one another. */
const codeCharacters = "23456789ABCDEFGHJKLMNPQRSTUVWXYZ";
const codeLength = 10;

/** Returns a code that cannot be guessed: one of 2^50. */
const randomCode = (): string =>
  Array.from({ length: codeLength }, () => codeCharacters[randomInt(codeCharacters.length)]).join("");

export interface NewCoupon extends Pick<Coupon, "kind" | "value" | "maxPerUser"> {
  readonly code?: string | undefined;
  readonly courseIds?: readonly string[] | undefined;
  readonly startsAt?: Date | undefined;
  readonly expiresAt?: Date | undefined;
  readonly maxRedemptions?: number | undefined;
}

/**
 * Creates a coupon. Without a code it gets a random one.
 * @throws InvalidRequest (an amount with more decimals than the currency), CourseNotFound, WrongRole (an educator for
 *   courses of others), CouponCodeTaken.
 */
export async function createCoupon(
  { db, currency }: { db: Db; currency: string },
  { code, courseIds, ...fields }: NewCoupon,
  manager: Manager,
): Promise<Coupon> {
  if (fields.kind === "amount" && !fitsCurrency(fields.value, currency)) {
    throw BrokenRule("body.value: too many decimals for the currency");
  }
  // A coupon for every course is a coupon for courses that a key with `courseIds` does not see.
  if (!courseIds && manager.key?.courseIds) throw CourseNotFound();
  const courses = courseIds ? await coursesOf(db, courseIds, manager) : null;
  const now = new Date();
  const coupon: Coupon = {
    _id: new Types.ObjectId(),
    code: code ?? randomCode(),
    kind: fields.kind,
    value: fields.value,
    courseIds: courses,
    startsAt: fields.startsAt ?? null,
    expiresAt: fields.expiresAt ?? null,
    maxRedemptions: fields.maxRedemptions ?? null,
    maxPerUser: fields.maxPerUser,
    active: true,
    reserved: 0,
    redeemed: 0,
    createdBy: manager.userId,
    createdAt: now,
    updatedAt: now,
  };
  try {
    await db.transaction(async (session) => {
      // A repeat after a commit whose result was lost finds the coupon.
      if (await db.Coupon.exists({ _id: coupon._id }).session(session)) return;
      await db.Coupon.create([coupon], { session, timestamps: false });
      const { _id, reserved: _reserved, redeemed: _redeemed, ...after } = coupon;
      await audit(db, session, manager, "coupon.create", { _id, after });
    });
  } catch (error) {
    throw isDuplicateKey(error) ? CouponCodeTaken(error) : error;
  }
  return coupon;
}

async function coursesOf(
  db: Db,
  courseIds: readonly string[],
  { userId, role, key }: Manager,
): Promise<Types.ObjectId[]> {
  const ids = [...new Set(courseIds.map((courseId) => courseId.toLowerCase()))];
  const seen = ids.filter((courseId) => isObjectId(courseId) && reachesCourse(key, courseId));
  const courses = await db.Course.find({ _id: { $in: seen } }, { educatorId: 1 }).lean();
  if (role === "educator" && !courses.every(({ educatorId }) => educatorId === userId)) throw WrongRole();
  if (courses.length < ids.length) throw role === "educator" ? WrongRole() : CourseNotFound();
  return ids.map((courseId) => new Types.ObjectId(courseId));
}

export interface CouponChanges {
  readonly active?: boolean | undefined;
  readonly expiresAt?: Date | null | undefined;
  readonly maxRedemptions?: number | null | undefined;
}

/** Changes a coupon. Purchases that have reserved it keep it. @throws CouponNotFound. */
export function changeCoupon(db: Db, couponId: string, changes: CouponChanges, manager: Manager): Promise<Coupon> {
  const set = Object.fromEntries(Object.entries(changes).filter(([, value]) => value !== undefined));
  return db.transaction(async (session) => {
    const filter = { _id: couponId, ...visibleTo(manager) };
    const before = await db.Coupon.findOneAndUpdate(filter, { $set: set }, { session }).lean<Coupon>();
    if (!before) throw CouponNotFound();
    const { active, expiresAt, maxRedemptions } = before;
    await audit(db, session, manager, "coupon.change", {
      _id: before._id,
      before: { active, expiresAt, maxRedemptions },
      after: set,
    });
    return { ...before, ...set };
  });
}

/** Reads the coupons that a manager sees, newest first. */
export function listCoupons(db: Db, manager: Pick<Manager, "userId" | "role" | "key">) {
  return {
    find: (after: [Date, Types.ObjectId] | undefined, limit: number) =>
      findAfter(db.Coupon, { filter: visibleTo(manager), sort: { createdAt: -1, _id: -1 }, after, limit }),
    keyOf: ({ createdAt, _id }: Coupon): [Date, Types.ObjectId] => [createdAt, _id],
    describe: async (coupons: readonly Coupon[]) => [...coupons],
  };
}

/** A key with `courseIds` sees the coupons that apply to no other course. */
const visibleTo = ({ userId, role, key }: Pick<Manager, "userId" | "role" | "key">): QueryFilter<Coupon> => ({
  ...(role === "educator" && { createdBy: userId }),
  ...allCoursesInReach(key),
});

function audit(
  db: Db,
  session: Parameters<typeof recordAudit>[1],
  manager: Manager,
  action: string,
  { _id, before, after }: { _id: Types.ObjectId; before?: unknown; after: unknown },
): Promise<void> {
  const target = { targetKind: "coupon", targetId: String(_id) };
  return recordAudit(db, session, { ...actorOf(manager), action, ...target, before, after });
}
