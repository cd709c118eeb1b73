import { expect } from "vitest";
import { counterDifferences } from "../../ops/recount/counter-differences.js";
import { missingDocuments } from "../../ops/recount/missing-documents.js";
import type { Db } from "../../src/db/db.js";
import { type Grant, grantsOfCourses } from "../../src/models/enrollments/grant.js";
import type { Models } from "../../src/models/index.js";
import { coursesOf, type Purchase } from "../../src/models/payments/purchase.js";
import { accessOf, saleOfCourse } from "../../src/services/enrollments/access.js";
import { isPseudonym } from "../../src/services/privacy/pseudonym.js";

interface Tested {
  readonly deps: { readonly db: Db };
}

/** Lists the wrong counters of some models, or of all, as the recount tool finds them. */
export async function differencesIn(db: Db, models?: readonly (keyof Models)[]): Promise<string[]> {
  const lines: string[] = [];
  for await (const { field, collection, id, stored, counted } of counterDifferences(db, {
    fix: false,
    ...(models && { models }),
  })) {
    lines.push(`${field} of ${collection} ${id} is ${stored}, recount ${counted}`);
  }
  return lines;
}

/** Lists completed purchases without an enrollment or without a day of sale. */
async function missingRows(db: Db): Promise<string[]> {
  const missing: string[] = [];
  for await (const line of missingDocuments(db)) missing.push(line);
  return missing;
}

/** Lists all that `npm run recount` reports. */
export const allDifferences = async (db: Db): Promise<string[]> => [
  ...(await differencesIn(db)),
  ...(await missingRows(db)),
];

/**
 * Expects active enrollments exactly for purchases and grants with access, except those of erased users, and every sales figure to equal a recount.
 * An enrollment whose time is over must have ended.
 */
export async function expectRecount({ deps: { db } }: Tested): Promise<void> {
  expect(await missingRows(db)).toEqual([]);
  expect(await differencesIn(db, ["Course", "CourseDailySales", "Enrollment"])).toEqual([]);
  const pair = (row: { userId: string | null; courseId: unknown }) => `${row.userId} ${row.courseId}`;
  const completed = await db.Purchase.find({ status: "completed" }).lean<Purchase[]>();
  const sales = completed.flatMap((sale) =>
    coursesOf(sale).map((courseId) => ({ ...saleOfCourse(sale, courseId), courseId })),
  );
  const grants = await db.Grant.find({ state: "active", ...grantsOfCourses }).lean<Grant[]>();
  const of = <T extends Purchase | Grant>(one: string, rows: readonly T[]) => rows.filter((row) => pair(row) === one);
  const entitled = [...sales, ...grants]
    .filter(({ userId }) => !isPseudonym(userId ?? ""))
    .map(pair)
    .filter((one) => accessOf(of(one, sales), of(one, grants), new Date()).active);
  const active = await db.Enrollment.find({ active: true }).lean();
  expect(new Set(active.map(pair))).toEqual(new Set(entitled));
}

/** Expects every coupon's redemptions to equal a recount and to stay within its limits. */
export async function expectCouponRecount({ deps: { db } }: Tested): Promise<void> {
  expect(await differencesIn(db, ["Coupon"])).toEqual([]);
  for (const { _id, code, reserved, redeemed, maxPerUser, maxRedemptions } of await db.Coupon.find().lean()) {
    const purchases = await db.Purchase.find({ "coupon.couponId": _id }).lean();
    const counted = purchases.filter(({ couponUse }) => couponUse !== undefined);
    expect(reserved + redeemed).toBeLessThanOrEqual(maxRedemptions ?? Number.MAX_SAFE_INTEGER);
    expect(counted.every(({ couponUse, userId }) => couponUse === `${code}:${userId}`)).toBe(true);
    const unfinished = purchases.filter(({ status }) => status === "created" || status === "pending");
    expect(unfinished.every(({ couponUse }) => couponUse !== undefined)).toBe(true);
    for (const userId of new Set(counted.map((purchase) => purchase.userId))) {
      expect(counted.filter((purchase) => purchase.userId === userId).length).toBeLessThanOrEqual(maxPerUser);
    }
  }
}

/** Lists wrong counters of ratings. */
export const ratingDiscrepancies = async (db: Db): Promise<string[]> =>
  (await differencesIn(db, ["Course", "CourseRating"])).filter((line) => /^(\w*rating|helpful)/i.test(line));

/** Lists wrong counters of the community and rows whose parent is missing. */
export async function discrepancies({ deps: { db } }: Tested): Promise<string[]> {
  const { CommunityGroup, CommunityPost, CommunityReply, GroupMembership, Vote, RemovedGroup, UngroupedPosts } = db;
  const wrong = await differencesIn(db, ["CommunityGroup", "CommunityPost", "CommunityReply", "UngroupedPosts"]);
  if ((await UngroupedPosts.countDocuments()) !== 1) wrong.push("the posts in no group are not counted once");
  const [groups, posts, replies, memberships, votes] = await Promise.all([
    Promise.all([CommunityGroup.find({}, { _id: 1 }).lean(), RemovedGroup.find({}, { _id: 1 }).lean()]),
    CommunityPost.find({}, { acceptedReplyId: 1 }).lean(),
    CommunityReply.find({}, { postId: 1 }).lean(),
    GroupMembership.find({}, { groupId: 1 }).lean(),
    Vote.find({}, { targetId: 1, postId: 1 }).lean(),
  ]);
  const postOf = new Map(replies.map(({ _id, postId }) => [String(_id), String(postId)]));
  for (const { _id, acceptedReplyId } of posts) {
    if (acceptedReplyId && postOf.get(String(acceptedReplyId)) !== String(_id)) wrong.push(`${_id} accepts nothing`);
  }
  const known = new Set([...groups.flat(), ...posts, ...replies].map(({ _id }) => String(_id)));
  const parents = [
    ...replies.map(({ _id, postId }) => [`post of reply ${_id}`, postId] as const),
    ...votes.map(({ _id, targetId }) => [`target of vote ${_id}`, targetId] as const),
    ...votes.map(({ _id, postId }) => [`post of vote ${_id}`, postId] as const),
    ...memberships.map(({ _id, groupId }) => [`group of membership ${_id}`, groupId] as const),
  ];
  for (const [what, parent] of parents) if (!known.has(String(parent))) wrong.push(`the ${what} is gone`);
  return wrong;
}
