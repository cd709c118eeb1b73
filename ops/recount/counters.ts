import type { ClientSession, mongo } from "mongoose";
import type { Db } from "#server/db/db.js";
import { distinct } from "#server/lib/distinct.js";
import { counted } from "#server/models/courses/course-rating.js";
import { uncounted } from "#server/models/events/event.js";
import type { ModelName } from "#server/models/index.js";
import { type Inbox, readUpTo } from "#server/models/notices/inbox.js";
import { toMinor } from "#server/services/payments/price.js";
import { type CounterRow, type Counters, groupRows, maxTimeMS } from "./counter-row.js";
import { access, learners, lectureCompletions, pathAccess } from "./learner-counters.js";

type Tally = Map<string, Record<string, number>>;

/** One collection of facts, grouped for the rows of a counter. */
interface Facts {
  readonly from: ModelName;
  readonly match?: mongo.Document;
  /** For each key field of the counter's row: the field or the expression of the fact that equals it. */
  readonly by: Readonly<Record<string, string | mongo.Document>>;
  /** Further fields that split the groups. */
  readonly split?: Readonly<Record<string, string>>;
  /** Sums beside `count`, the number of facts. */
  readonly sums?: mongo.Document;
  /** Returns the values that a group adds to the fields of its row. */
  values(group: mongo.Document): Record<string, number>;
}

/** Counts facts for the rows whose key fields they name. */
async function count(
  db: Db,
  rows: readonly CounterRow[],
  { from, match = {}, by, split = {}, sums = {}, values }: Facts,
  session?: ClientSession,
): Promise<Tally> {
  const keys = Object.keys(by);
  const nameOf = (row: mongo.Document) => keys.map((key) => String(row[key])).join(" ");
  const rowOf = new Map(rows.map((row) => [nameOf(row), String(row._id)]));
  const ofRows = Object.entries(by).flatMap(([key, field]) =>
    typeof field === "string" ? [[field, { $in: distinct(rows.map((row) => row[key])) }]] : [],
  );
  const fields = Object.entries({ ...by, ...split }).map(([key, field]) => [
    key,
    typeof field === "string" ? `$${field}` : field,
  ]);
  const group = { _id: Object.fromEntries(fields), count: { $sum: 1 }, ...sums };
  const tally: Tally = new Map();
  for (const found of await groupRows(db, from, { ...match, ...Object.fromEntries(ofRows) }, group, session)) {
    const row = rowOf.get(nameOf(found._id));
    if (row) addTo(tally, row, values(found));
  }
  return tally;
}

function addTo(tally: Tally, row: string, counted: Record<string, number>): void {
  const before = tally.get(row) ?? {};
  for (const [field, by] of Object.entries(counted)) before[field] = (before[field] ?? 0) + by;
  tally.set(row, before);
}

/** Counts several collections of facts. */
const countAll =
  (...facts: readonly Facts[]): Counters["count"] =>
  async (db, rows, session) => {
    const all: Tally = new Map();
    for (const one of facts) {
      for (const [row, counted] of await count(db, rows, one, session)) addTo(all, row, counted);
    }
    return all;
  };

const sale = {
  from: "Purchase",
  match: { status: "completed" },
  split: { amount: "amount", currency: "currency" },
} as const;
const revenueOf = ({ _id, count: sales }: mongo.Document): number => sales * toMinor(_id.amount, _id.currency);

const courses: Counters = {
  model: "Course",
  fields: [
    ...["totalEnrolledStudents", "completedPurchases", "revenueMinor", "totalRatings", "ratingSum"],
    ...["ratings1", "ratings2", "ratings3", "ratings4", "ratings5"],
  ],
  count: countAll(
    {
      from: "Enrollment",
      match: { active: true },
      by: { _id: "courseId" },
      values: (group) => ({ totalEnrolledStudents: group.count }),
    },
    {
      ...sale,
      by: { _id: "courseId" },
      values: (group) => ({ completedPurchases: group.count, revenueMinor: revenueOf(group) }),
    },
    {
      from: "CourseRating",
      match: counted,
      by: { _id: "courseId" },
      split: { rating: "rating" },
      values: ({ _id: { rating }, count: ratings }) => ({
        totalRatings: ratings,
        ratingSum: ratings * rating,
        [`ratings${rating}`]: ratings,
      }),
    },
  ),
};

const paths: Counters = {
  model: "Path",
  fields: ["learners", "completedPurchases", "revenueMinor"],
  count: countAll(
    {
      from: "PathEnrollment",
      match: { active: true },
      by: { _id: "pathId" },
      values: (group) => ({ learners: group.count }),
    },
    {
      ...sale,
      by: { _id: "pathId" },
      values: (group) => ({ completedPurchases: group.count, revenueMinor: revenueOf(group) }),
    },
  ),
};

const reviews: Counters = {
  model: "CourseRating",
  fields: ["helpfulCount"],
  count: countAll({
    from: "HelpfulVote",
    by: { _id: "reviewId" },
    values: (group) => ({ helpfulCount: group.count }),
  }),
};

const dayOf = (date: string) => ({ $dateToString: { date, format: "%Y-%m-%d" } });

const courseDays: Counters = {
  model: "CourseDailySales",
  fields: ["sales", "revenueMinor"],
  keys: ["courseId", "day"],
  count: countAll(
    {
      ...sale,
      by: { courseId: { $ifNull: ["$courseId", "$pathId"] }, day: dayOf("$completedAt") },
      values: (group) => ({ sales: group.count, revenueMinor: revenueOf(group) }),
    },
    {
      // Sales whose events wait to be counted.
      from: "Event",
      match: { ...uncounted, type: "purchase.completed" },
      by: { courseId: { $ifNull: ["$courseId", "$data.pathId"] }, day: dayOf("$uncountedAt") },
      split: { amount: "data.amount", currency: "data.currency" },
      values: (group) => ({ sales: -group.count, revenueMinor: -revenueOf(group) }),
    },
  ),
};

const coupons: Counters = {
  model: "Coupon",
  fields: ["reserved", "redeemed"],
  count: countAll({
    from: "Purchase",
    // A purchase that lost its redemption does not count. A refund leaves the redemption.
    match: { couponUse: { $exists: true } },
    by: { _id: "coupon.couponId" },
    split: { status: "status" },
    values: ({ _id, count: uses }) => {
      const isPaid: boolean = ["completed", "refunded"].includes(_id.status);
      return isPaid ? { redeemed: uses } : { reserved: uses };
    },
  }),
};

const groups: Counters = {
  model: "CommunityGroup",
  fields: ["memberCount", "postCount"],
  count: countAll(
    { from: "GroupMembership", by: { _id: "groupId" }, values: (group) => ({ memberCount: group.count }) },
    { from: "CommunityPost", by: { _id: "groupId" }, values: (group) => ({ postCount: group.count }) },
  ),
};

const posts: Counters = {
  model: "CommunityPost",
  fields: ["replyCount", "upvoteCount"],
  count: countAll(
    { from: "CommunityReply", by: { _id: "postId" }, values: (group) => ({ replyCount: group.count }) },
    { from: "Vote", by: { _id: "targetId" }, values: (group) => ({ upvoteCount: group.count }) },
  ),
};

const replies: Counters = {
  model: "CommunityReply",
  fields: ["upvoteCount"],
  keys: ["postId"],
  count: countAll({
    // The post is in the index of votes.
    from: "Vote",
    by: { postId: "postId", _id: "targetId" },
    values: (group) => ({ upvoteCount: group.count }),
  }),
};

const ungroupedPosts: Counters = {
  model: "UngroupedPosts",
  fields: ["postCount"],
  async count(db, rows, session) {
    // Posts of a removed group name it until a job has unlinked them.
    const removed = await groupRows(db, "RemovedGroup", {}, { _id: "$_id" }, session);
    const inNoGroup = { groupId: { $in: [null, ...removed.map(({ _id }) => _id)] } };
    const [found] = await groupRows(db, "CommunityPost", inNoGroup, { _id: null, count: { $sum: 1 } }, session);
    return new Map(rows.map(({ _id }) => [String(_id), { postCount: found?.count ?? 0 }]));
  },
};

const quizChapters: Counters = {
  model: "QuizChapterStats",
  fields: ["attempts", "totalPct", "needs_review", "on_track", "mastered"],
  keys: ["courseId", "chapterId"],
  count: countAll({
    from: "QuizResult",
    by: { courseId: "courseId", chapterId: "chapterId" },
    split: { group: "group" },
    sums: { totalPct: { $sum: "$percentage" } },
    values: ({ _id, count: attempts, totalPct }) => ({ attempts, totalPct, [_id.group]: attempts }),
  }),
};

const quizVersions: Counters = {
  model: "QuizVersionStats",
  fields: ["attempts"],
  keys: ["courseId", "chapterId", "version"],
  count: countAll({
    from: "QuizResult",
    by: { courseId: "courseId", chapterId: "chapterId", version: "version" },
    values: (group) => ({ attempts: group.count }),
  }),
};

const inboxes: Counters = {
  model: "Inbox",
  fields: ["unread"],
  keys: ["readMarks"],
  async count(db, rows, session) {
    const counted: [string, Record<string, number>][] = [];
    for (const row of rows as readonly (CounterRow & Pick<Inbox, "readMarks">)[]) {
      const unread = { userId: String(row._id), app: true, readAt: null, seq: { $gt: readUpTo(row) } };
      const found = await db.Notice.countDocuments(unread, { maxTimeMS, ...(session && { session }) });
      counted.push([String(row._id), { unread: found }]);
    }
    return new Map(counted);
  },
};

/** The counters that can be counted again. Sums of tracked time are missing, because time sessions expire. */
export const counters: readonly Counters[] = [
  courses,
  paths,
  reviews,
  courseDays,
  access,
  pathAccess,
  learners,
  lectureCompletions,
  coupons,
  groups,
  posts,
  replies,
  ungroupedPosts,
  quizChapters,
  quizVersions,
  inboxes,
];
