import { Types } from "mongoose";
import { addSales } from "../../tests/factories/stored-sales.js";
import { addSessions } from "../../tests/factories/time-sessions.js";
import type { Build } from "../processes/builds.js";
import { assessedChapterId, fillAssessment } from "./assessment.js";
import { fillCommunity, fillLists } from "./community.js";
import { educatorIds, fillCatalog, learnerId } from "./plain-catalog.js";

/** One learner, course, post and educator among so many others. */
export interface World {
  readonly scale: number;
  readonly courseId: string;
  readonly postId: string;
  readonly replyId: string;
  readonly groupId: string;
}

export const administrators: readonly string[] = Array.from({ length: 30 }, (_, i) => `user_admin_${i}`);
export const [educatorId = ""] = educatorIds;

/** What there is once; each is there `scale` times. */
export const once = { courses: 5, students: 100, sessions: 100, purchases: 10, posts: 100, replies: 10 } as const;

/** Fills an empty database; the learner is enrolled in the same five courses at every scale. */
export async function fillWorld({ connection, db }: Pick<Build, "connection" | "db">, scale: number): Promise<World> {
  const [courseId = ""] = await fillCatalog(connection, once.courses * scale);
  for (let left = once.students * scale; left > 0; left -= 5_000) {
    await addSales(db, new Types.ObjectId(courseId), Math.min(left, 5_000));
  }
  await fillHistory(db, { userId: learnerId, courseId, size: once.sessions * scale });
  await fillAssessment(db, { courseId, educatorId, size: once.students * scale });
  const [post] = (await fillCommunity(db, { authorId: learnerId, size: once.replies * scale, posts: 1 })).posts;
  const [groupId = ""] = await fillLists(db, { posts: once.posts * scale, groups: 3, memberId: learnerId });
  const roles = [educatorId, ...administrators].map((_id, i) => ({ _id, role: i === 0 ? "educator" : "admin" }));
  await db.RoleRecord.insertMany(roles.map((role) => ({ ...role, writtenAt: new Date() })));
  const terms = { courseTitle: "Course", coursePrice: 20_800, discount: 0, accessDays: null };
  const sold = { userId: learnerId, courseId, amount: 20_800, currency: "INR", status: "completed", terms };
  await db.Purchase.insertMany(
    Array.from({ length: once.purchases * scale }, (_, i) => ({
      ...{ ...sold, completedAt: new Date(), providerOrderId: `order_own_${i}`, providerPaymentId: `pay_own_${i}` },
    })),
  );
  return { scale, courseId, postId: post?.postId ?? "", replyId: post?.replyId ?? "", groupId };
}

/** Fills the database with what `size` sessions and `size` other learners leave behind. */
async function fillHistory(
  db: Build["db"],
  { userId, courseId, size }: { userId: string; courseId: string; size: number },
): Promise<void> {
  const now = Date.now();
  for (let from = 0; from < size; from += 5_000) {
    const part = Array.from({ length: Math.min(5_000, size - from) }, (_, n) => from + n);
    const learners = part.map((n) => ({ userId: `user_other_${n}`, courseId }));
    await db.CourseRating.insertMany(learners.map((one) => ({ ...one, rating: 4 })));
    await db.CourseProgress.insertMany(learners.map((one) => ({ ...one, lectureCompleted: ["ch1-l1"] })));
    await db.Enrollment.insertMany(learners.map((one) => ({ ...one, active: true, enrolledAt: new Date(now) })));
  }
  await db.Course.updateOne({ _id: courseId }, { $set: { ratingSum: 4 * size, totalRatings: size, ratings4: size } });
  await addSessions(db, { userId, courseId, count: size });
}

/** A request that is sent often, as it is at every scale. */
export interface HotRequest {
  readonly name: string;
  path(world: World): string;
  readonly method?: "GET" | "POST";
  /** Sent in turn. */
  bodies?(world: World): readonly object[];
  /** Users who send it in turn; without a token when absent. */
  readonly as?: readonly string[];
  /** Requests of one round. */
  readonly amount: number;
  /** Four when absent; a few kinds of work are refused when too much of it comes at once. */
  readonly connections?: number;
  /** Its answer holds everything there is of its kind. */
  readonly whole?: true;
  readonly charted?: true;
}

/** Each connection begins with the first of them, and a limit is each administrator's own: no two requests share one. */
const administratorsOf = (request: 0 | 1 | 2) => administrators.slice(request * 10, request * 10 + 10);
const learner = [learnerId];
const educator = [educatorId];
const list = "/api/community/posts?limit=20";
const study = { as: learner, method: "POST", amount: 100 } as const;

export const hotRequests: readonly HotRequest[] = [
  { name: "catalog", path: () => "/api/course/all", amount: 300, whole: true, charted: true },
  { name: "course", path: ({ courseId }) => `/api/course/${courseId}`, amount: 200, charted: true },
  { name: "own data", path: () => "/api/user/data", as: learner, amount: 200, charted: true },
  { name: "own courses", path: () => "/api/user/enrolled-courses", as: learner, amount: 150 },
  { name: "player", path: ({ courseId }) => `/api/user/enrolled-courses/${courseId}`, as: learner, amount: 150 },
  {
    name: "lesson",
    path: ({ courseId }) => `/api/user/enrolled-courses/${courseId}/lectures/ch1-l1`,
    as: learner,
    amount: 150,
  },
  {
    ...{ ...study, name: "attempt" },
    path: ({ courseId }) => `/api/quiz/assessments/${courseId}/${assessedChapterId}/attempts`,
  },
  { name: "continue", path: () => "/api/user/continue", as: learner, amount: 150 },
  { name: "analytics", path: () => "/api/user/analytics", as: learner, amount: 100, charted: true },
  { name: "own purchases", path: () => "/api/user/purchases", as: learner, amount: 150 },
  { name: "posts, newest", path: () => list, amount: 100, charted: true },
  { name: "posts, trending", path: () => `${list}&tab=trending`, amount: 100 },
  { name: "posts of a group", path: ({ groupId }) => `${list}&groupId=${groupId}`, amount: 100 },
  { name: "posts of own groups", path: () => `${list}&tab=myGroups`, as: learner, amount: 100 },
  { name: "posts with a text", path: () => `${list}&q=number+42+of`, amount: 30, connections: 1 },
  {
    ...{ name: "post with its replies", path: ({ postId }) => `/api/community/posts/${postId}`, amount: 30 },
    ...{ whole: true, charted: true },
  },
  {
    ...{ name: "vote on a reply", method: "POST", as: educatorIds, amount: 100, charted: true },
    path: ({ postId, replyId }) => `/api/community/posts/${postId}/replies/${replyId}/upvote`,
  },
  {
    ...{ ...study, name: "completed lecture", path: () => "/api/user/update-course-progress", charted: true },
    bodies: ({ courseId }) => [{ courseId, lectureId: "ch1-l1" }],
  },
  {
    ...{ ...study, name: "rating", path: () => "/api/user/add-rating" },
    bodies: ({ courseId }) => [2, 5, 3].map((rating) => ({ courseId, rating })),
  },
  {
    ...{ ...study, name: "tracked session", path: () => "/api/user/track-time" },
    bodies: ({ courseId }) => [{ page: "Learning", path: `/player/${courseId}`, duration: 30 }],
  },
  { name: "educator's courses", path: () => "/api/educator/courses", as: educator, amount: 50, whole: true },
  {
    ...{ name: "educator's dashboard", path: () => "/api/educator/dashboard", as: educator, amount: 20 },
    ...{ whole: true, charted: true },
  },
  {
    ...{ name: "educator's students", path: () => "/api/educator/enrolled-students", as: educator, amount: 20 },
    whole: true,
  },
  {
    ...{ name: "educator's learners", path: ({ courseId }) => `/api/educator/courses/${courseId}/learners` },
    ...{ as: educator, amount: 50, charted: true },
  },
  {
    name: "educator's learner",
    path: ({ courseId }) => `/api/educator/courses/${courseId}/learners/${learnerId}`,
    as: educator,
    amount: 50,
  },
  {
    name: "educator's funnel",
    path: ({ courseId }) => `/api/educator/courses/${courseId}/funnel`,
    as: educator,
    amount: 50,
  },
  { name: "admin's figures", path: () => "/api/admin/stats", as: administratorsOf(0), amount: 40 },
  { name: "admin's chart", path: () => "/api/admin/chart-data", as: administratorsOf(1), amount: 40 },
  { name: "admin's purchases", path: () => "/api/admin/purchases", as: administratorsOf(2), amount: 20, whole: true },
];
