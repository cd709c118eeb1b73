import type { ClientSession, mongo, Types } from "mongoose";
import type { Db } from "../../db/db.js";
import { renewReplies } from "../../models/community/community-post.js";
import { type CounterRow, groupRows } from "../../models/counter-rows.js";
import type { Models } from "../../models/index.js";
import { toMinor } from "../payments/price.js";

/** Counters that are stored in one collection, and how their facts are counted. */
export interface Counters {
  readonly model: keyof Models;
  readonly fields: readonly string[];
  /** Fields beside `_id` by which the facts are found. */
  readonly keys?: readonly string[];
  /** What is changed beside a counter that is put right. */
  readonly alongside?: mongo.UpdateFilter<mongo.Document>;
  /** What is told of it elsewhere. */
  tell?(db: Db, row: CounterRow, session: ClientSession): Promise<void>;
  /** Counts the facts of some documents. @returns by `String(_id)`; what is missing is 0. */
  count(
    db: Db,
    rows: readonly CounterRow[],
    session?: ClientSession,
  ): Promise<ReadonlyMap<string, Record<string, number>>>;
}

const idsOf = (rows: readonly CounterRow[]): Types.ObjectId[] => rows.map(({ _id }) => _id as Types.ObjectId);
const one = { $sum: 1 };

class Tally extends Map<string, Record<string, number>> {
  add(key: unknown, counted: Record<string, number>): void {
    const before = this.get(String(key)) ?? {};
    for (const [field, by] of Object.entries(counted)) before[field] = (before[field] ?? 0) + by;
    this.set(String(key), before);
  }
}

/** Counts documents of `model` by one field that names the parent. */
async function countBy(
  db: Db,
  rows: readonly CounterRow[],
  { model, by, as, match = {} }: { model: keyof Models; by: string; as: string; match?: mongo.Document },
  session?: ClientSession,
): Promise<Tally> {
  const tally = new Tally();
  const found = await groupRows(
    db,
    model,
    { ...match, [by]: { $in: idsOf(rows) } },
    { _id: `$${by}`, count: one },
    session,
  );
  for (const { _id, count } of found) tally.add(_id, { [as]: count });
  return tally;
}

const merge = (...tallies: Tally[]): Tally => {
  const merged = new Tally();
  for (const tally of tallies) for (const [key, counted] of tally) merged.add(key, counted);
  return merged;
};

const sameCourses = (rows: readonly CounterRow[]) => ({ courseId: { $in: rows.map(({ courseId }) => courseId) } });

const courses: Counters = {
  model: "Course",
  fields: ["totalEnrolledStudents", "completedPurchases", "revenueMinor", "totalRatings", "ratingSum"],
  alongside: { $currentDate: { figuresChangedAt: true } },
  async count(db, rows, session) {
    const ids = { courseId: { $in: idsOf(rows) } };
    const tally = await countBy(
      db,
      rows,
      { model: "Enrollment", by: "courseId", as: "totalEnrolledStudents", match: { active: true } },
      session,
    );
    const amounts = { courseId: "$courseId", amount: "$amount", currency: "$currency" };
    const sold = await groupRows(
      db,
      "Purchase",
      { ...ids, status: "completed" },
      { _id: amounts, count: one },
      session,
    );
    for (const { _id, count } of sold) {
      const revenueMinor = count * toMinor(_id.amount, _id.currency);
      tally.add(_id.courseId, { completedPurchases: count, revenueMinor });
    }
    const ratings = { _id: "$courseId", totalRatings: one, ratingSum: { $sum: "$rating" } };
    for (const { _id, ...counted } of await groupRows(db, "CourseRating", ids, ratings, session))
      tally.add(_id, counted);
    return tally;
  },
};

const courseDays: Counters = {
  model: "CourseDailySales",
  fields: ["sales", "revenueMinor"],
  keys: ["courseId", "day"],
  async count(db, rows, session) {
    const rowOf = new Map(rows.map(({ _id, courseId, day }) => [`${courseId} ${day}`, _id]));
    const day = { $dateToString: { date: "$completedAt", format: "%Y-%m-%d" } };
    const key = { courseId: "$courseId", amount: "$amount", currency: "$currency", day };
    const match = { ...sameCourses(rows), status: "completed" };
    const tally = new Tally();
    for (const { _id, count } of await groupRows(db, "Purchase", match, { _id: key, count: one }, session)) {
      const row = rowOf.get(`${_id.courseId} ${_id.day}`);
      if (row) tally.add(row, { sales: count, revenueMinor: count * toMinor(_id.amount, _id.currency) });
    }
    return tally;
  },
};

const enrollments: Counters = {
  model: "Enrollment",
  fields: ["purchases"],
  keys: ["userId", "courseId"],
  async count(db, rows, session) {
    const rowOf = new Map(rows.map(({ _id, userId, courseId }) => [`${userId} ${courseId}`, _id]));
    const match = {
      userId: { $in: rows.map(({ userId }) => userId) },
      courseId: sameCourses(rows).courseId,
      status: "completed",
    };
    const key = { userId: "$userId", courseId: "$courseId" };
    const tally = new Tally();
    for (const { _id, count } of await groupRows(db, "Purchase", match, { _id: key, count: one }, session)) {
      const row = rowOf.get(`${_id.userId} ${_id.courseId}`);
      if (row) tally.add(row, { purchases: count });
    }
    return tally;
  },
};

const grants: Counters = {
  model: "Enrollment",
  fields: ["grants"],
  keys: ["userId", "courseId"],
  async count(db, rows, session) {
    const rowOf = new Map(rows.map(({ _id, userId, courseId }) => [`${userId} ${courseId}`, _id]));
    const match = { ...sameCourses(rows), userId: { $in: rows.map(({ userId }) => userId) }, state: "active" };
    const key = { userId: "$userId", courseId: "$courseId" };
    const tally = new Tally();
    for (const { _id, count } of await groupRows(db, "Grant", match, { _id: key, count: one }, session)) {
      const row = rowOf.get(`${_id.userId} ${_id.courseId}`);
      if (row) tally.add(row, { grants: count });
    }
    return tally;
  },
};

const coupons: Counters = {
  model: "Coupon",
  fields: ["reserved", "redeemed"],
  async count(db, rows, session) {
    // A purchase that lost its redemption does not count.
    const match = { "coupon.couponId": { $in: idsOf(rows) }, couponUse: { $exists: true } };
    const key = { coupon: "$coupon.couponId", status: "$status" };
    const tally = new Tally();
    for (const { _id, count } of await groupRows(db, "Purchase", match, { _id: key, count: one }, session)) {
      if (["created", "pending", "failed"].includes(_id.status)) tally.add(_id.coupon, { reserved: count });
      // A refund leaves the redemption.
      if (["completed", "refunded"].includes(_id.status)) tally.add(_id.coupon, { redeemed: count });
    }
    return tally;
  },
};

const groups: Counters = {
  model: "CommunityGroup",
  fields: ["memberCount", "postCount"],
  async count(db, rows, session) {
    const members = await countBy(db, rows, { model: "GroupMembership", by: "groupId", as: "memberCount" }, session);
    const posts = await countBy(db, rows, { model: "CommunityPost", by: "groupId", as: "postCount" }, session);
    return merge(members, posts);
  },
};

const posts: Counters = {
  model: "CommunityPost",
  fields: ["replyCount", "upvoteCount"],
  async count(db, rows, session) {
    const replies = await countBy(db, rows, { model: "CommunityReply", by: "postId", as: "replyCount" }, session);
    const match = { postId: { $in: idsOf(rows) } };
    const votes = await countBy(db, rows, { model: "Vote", by: "targetId", as: "upvoteCount", match }, session);
    return merge(replies, votes);
  },
};

const replies: Counters = {
  model: "CommunityReply",
  fields: ["upvoteCount"],
  keys: ["postId"],
  tell: (db, { postId }, session) => renewReplies(db, [postId as Types.ObjectId], session),
  count(db, rows, session) {
    const match = { postId: { $in: rows.map(({ postId }) => postId) } };
    return countBy(db, rows, { model: "Vote", by: "targetId", as: "upvoteCount", match }, session);
  },
};

const ungroupedPosts: Counters = {
  model: "UngroupedPosts",
  fields: ["postCount"],
  async count(db, rows, session) {
    // Posts of a removed group name it until a job has unlinked them.
    const removed = await groupRows(db, "RemovedGroup", {}, { _id: "$_id" }, session);
    const inNoGroup = { groupId: { $in: [null, ...removed.map(({ _id }) => _id)] } };
    const [found] = await groupRows(db, "CommunityPost", inNoGroup, { _id: null, count: one }, session);
    return new Tally(rows.map(({ _id }) => [String(_id), { postCount: found?.count ?? 0 }]));
  },
};

const quizChapters: Counters = {
  model: "QuizChapterStats",
  fields: ["attempts", "totalPct", "needs_review", "on_track", "mastered"],
  keys: ["courseId", "chapterId"],
  async count(db, rows, session) {
    const rowOf = new Map(rows.map(({ _id, courseId, chapterId }) => [`${courseId} ${chapterId}`, _id]));
    const key = { courseId: "$courseId", chapterId: "$chapterId", group: "$group" };
    const sums = { _id: key, attempts: one, totalPct: { $sum: "$percentage" } };
    const tally = new Tally();
    for (const { _id, attempts, totalPct } of await groupRows(db, "QuizResult", sameCourses(rows), sums, session)) {
      const row = rowOf.get(`${_id.courseId} ${_id.chapterId}`);
      if (row) tally.add(row, { attempts, totalPct, [_id.group]: attempts });
    }
    return tally;
  },
};

const quizVersions: Counters = {
  model: "QuizVersionStats",
  fields: ["attempts"],
  keys: ["courseId", "chapterId", "version"],
  async count(db, rows, session) {
    const nameOf = (row: Record<string, unknown>) => `${row.courseId} ${row.chapterId} ${row.version}`;
    const rowOf = new Map(rows.map((row) => [nameOf(row), row._id]));
    const key = { courseId: "$courseId", chapterId: "$chapterId", version: "$version" };
    const tally = new Tally();
    for (const { _id, attempts } of await groupRows(
      db,
      "QuizResult",
      sameCourses(rows),
      { _id: key, attempts: one },
      session,
    )) {
      const row = rowOf.get(nameOf(_id));
      if (row) tally.add(row, { attempts });
    }
    return tally;
  },
};

/** Every stored counter whose facts are all still there. Sums of tracked time are not: sessions expire. */
export const counters: readonly Counters[] = [
  courses,
  courseDays,
  enrollments,
  grants,
  coupons,
  groups,
  posts,
  replies,
  ungroupedPosts,
  quizChapters,
  quizVersions,
];
