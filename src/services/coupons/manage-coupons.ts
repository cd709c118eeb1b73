import { randomInt } from "node:crypto";
import { type ClientSession, type QueryFilter, Types } from "mongoose";
import { isDuplicateKey } from "../../db/database-errors.js";
import type { Db } from "../../db/db.js";
import { findIds } from "../../db/find-ids.js";
import { insertOnce } from "../../db/insert-once.js";
import { newestFirst } from "../../db/ordered-list.js";
import { BrokenRule, failure, WrongRole } from "../../lib/errors.js";
import { presentFields } from "../../lib/fields.js";
import type { Coupon } from "../../models/payments/coupon.js";
import { noneBut, onlyAmong } from "../../models/users/api-key.js";
import type { Manager } from "../../models/users/user.js";
import { audited } from "../audit/record-audit.js";
import { type CourseManager, findManagedCourseIds, visibleTo } from "../courses/managed-course.js";
import { CourseNotFound, PathNotFound } from "../failures.js";
import { managedPaths } from "../paths/managed-path.js";
import { fitsCurrency } from "../payments/price.js";

export const CouponNotFound = failure("coupon_not_found", 404, "Coupon not found");
export const CouponCodeTaken = failure("coupon_code_taken", 409, "Coupon code already exists");

/** Characters of random codes, without 0, O, 1 and I, which are read as one another. */
const codeCharacters = "23456789ABCDEFGHJKLMNPQRSTUVWXYZ";
const codeLength = 10;

/** Returns one of 2^50 codes, so that nobody can guess it. */
const randomCode = (): string =>
  Array.from({ length: codeLength }, () => codeCharacters[randomInt(codeCharacters.length)]).join("");

export interface NewCoupon extends Pick<Coupon, "kind" | "value" | "maxPerUser"> {
  readonly code?: string | undefined;
  readonly courseIds?: readonly string[] | undefined;
  readonly pathIds?: readonly string[] | undefined;
  readonly startsAt?: Date | undefined;
  readonly expiresAt?: Date | undefined;
  readonly maxRedemptions?: number | undefined;
}

/**
 * Creates a coupon. Without a code it gets a random one.
 * @throws InvalidRequest (an amount with more decimals than the currency), CourseNotFound, PathNotFound, WrongRole (an
 *   educator for courses or paths of others), CouponCodeTaken.
 */
export async function createCoupon(
  { db, currency }: { db: Db; currency: string },
  { code, courseIds, pathIds, ...fields }: NewCoupon,
  manager: Manager,
): Promise<Coupon> {
  if (fields.kind === "amount" && !fitsCurrency(fields.value, currency)) {
    throw BrokenRule("body.value: too many decimals for the currency");
  }
  // A coupon for everything is a coupon for courses that a key with `courseIds` does not see.
  if (!courseIds && !pathIds && manager.key?.courseIds) throw CourseNotFound();
  const courses = courseIds ? await findManagedCourseIds(db, courseIds, manager) : null;
  if (courses === undefined) throw manager.role === "educator" ? WrongRole() : CourseNotFound();
  const paths = pathIds ? await findIds(db.Path, pathIds, managedPaths(manager)) : null;
  if (paths === undefined) throw manager.role === "educator" ? WrongRole() : PathNotFound();
  const now = new Date();
  const coupon: Coupon = {
    _id: new Types.ObjectId(),
    code: code ?? randomCode(),
    kind: fields.kind,
    value: fields.value,
    courseIds: courses,
    pathIds: paths,
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
    await insertOnce(db, db.Coupon, coupon, {}, async (session) => {
      await db.Coupon.create([coupon], { session, timestamps: false });
      const { _id, reserved: _reserved, redeemed: _redeemed, ...after } = coupon;
      await audited(db, session, manager, "coupon.create", ["coupon", _id], { after });
    });
  } catch (error) {
    throw isDuplicateKey(error) ? CouponCodeTaken(error) : error;
  }
  return coupon;
}

export interface CouponChanges {
  readonly active?: boolean | undefined;
  readonly expiresAt?: Date | null | undefined;
  readonly maxRedemptions?: number | null | undefined;
}

/** Changes a coupon. Purchases that have reserved it keep it. @throws CouponNotFound. */
export function changeCoupon(db: Db, couponId: string, changes: CouponChanges, manager: Manager): Promise<Coupon> {
  const set = presentFields(changes);
  return db.transaction(async (session) => {
    const filter = { _id: couponId, ...(await visibleCoupons(db, manager, session)) };
    const before = await db.Coupon.findOneAndUpdate(filter, { $set: set }, { session }).lean<Coupon>();
    if (!before) throw CouponNotFound();
    const { active, expiresAt, maxRedemptions } = before;
    const states = { before: { active, expiresAt, maxRedemptions }, after: set };
    await audited(db, session, manager, "coupon.change", ["coupon", before._id], states);
    return { ...before, ...set };
  });
}

/** Reads the coupons that a manager sees, newest first. */
export async function listCoupons(db: Db, manager: CourseManager) {
  return newestFirst(db.Coupon, { filter: await visibleCoupons(db, manager) });
}

/** Filters the coupons that a manager sees. A key with `courseIds` sees those that name only courses and paths in its reach. */
async function visibleCoupons(
  db: Db,
  manager: CourseManager,
  session: ClientSession | null = null,
): Promise<QueryFilter<Coupon>> {
  if (!manager.key?.courseIds) return visibleTo(manager);
  const { courseIds } = manager.key;
  const paths = await db.Path.find(managedPaths(manager), { _id: 1 }).session(session).lean();
  const pathIds = paths.map(({ _id }) => _id);
  return {
    ...visibleTo({ ...manager, key: undefined }),
    $or: [
      { courseIds: onlyAmong(courseIds), pathIds: noneBut(pathIds) },
      ...(pathIds.length > 0 ? [{ courseIds: noneBut(courseIds), pathIds: onlyAmong(pathIds) }] : []),
    ],
  };
}
