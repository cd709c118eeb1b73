import type { ClientSession, Types } from "mongoose";
import type { Db } from "#server/db/db.js";
import { distinct } from "#server/lib/distinct.js";
import { chapterAttempts } from "#server/models/assessments/attempt-queries.js";
import type { Course } from "#server/models/courses/course.js";
import { lectureIdsOf } from "#server/models/courses/course-queries.js";
import type { Enrollment } from "#server/models/enrollments/enrollment.js";
import type { Grant } from "#server/models/enrollments/grant.js";
import { uncounted } from "#server/models/events/event.js";
import type { CourseProgress } from "#server/models/learning/course-progress.js";
import { coursesOf, givingCourses, type Purchase } from "#server/models/payments/purchase.js";
import {
  type AccessSale,
  accessOf,
  saleFields,
  saleOfCourse,
  saleOfPath,
} from "#server/services/enrollments/access.js";
import { amongPairs, pairKey } from "#server/services/learners/lecture-counts.js";
import { countPresent } from "#server/services/learning/completion.js";
import { type CounterRow, type Counters, maxTimeMS } from "./counter-row.js";

type LearnerRow = CounterRow & { userId: string; courseId: Types.ObjectId; lecturesDone?: number };
type Pair = Pick<LearnerRow, "userId" | "courseId">;

type AccessRow = CounterRow & Pick<Enrollment, "userId" | "active" | "expiresAt" | "boughtUntil">;
type GivenSale = AccessSale & Pick<Purchase, "userId" | "courseId">;
type GivenGrant = Pick<Grant, "userId" | "courseId" | "pathId" | "expiresAt">;

function groupBy<T>(rows: readonly T[], keyOf: (row: T) => string): (key: string) => T[] {
  const groups = new Map<string, T[]>();
  for (const row of rows) groups.set(keyOf(row), [...(groups.get(keyOf(row)) ?? []), row]);
  return (key) => groups.get(key) ?? [];
}

/** What gives a learner access, and when it ends. What a row without access had is not looked at. */
function counted(row: AccessRow, sales: readonly AccessSale[], grants: readonly GivenGrant[]) {
  const given = accessOf(sales, grants, new Date());
  const { expiresAt: end = null, boughtUntil: boughtEnd = null } = row.active ? given : row;
  return { purchases: given.purchases, grants: given.grants, expiresAt: end, boughtUntil: boughtEnd };
}

/** Reads the completed purchases and active grants of the learners of some rows, each by its learner and what it gives. */
async function findGiven(db: Db, rows: readonly AccessRow[], which: object, session: ClientSession | undefined) {
  const of = { userId: { $in: distinct(rows.map(({ userId }) => userId)) }, ...which };
  const sales = await db.Purchase.find({ ...of, status: "completed" }, saleFields)
    .session(session ?? null)
    .lean<GivenSale[]>();
  const grants = await db.Grant.find({ ...of, state: "active" }, { userId: 1, courseId: 1, pathId: 1, expiresAt: 1 })
    .session(session ?? null)
    .lean<GivenGrant[]>();
  return { sales, grants };
}

const accessFields = ["purchases", "grants", "expiresAt", "boughtUntil"];

export const access: Counters = {
  model: "Enrollment",
  fields: accessFields,
  keys: ["userId", "courseId", "active"],
  async count(db, found, session) {
    const rows = found as readonly (AccessRow & LearnerRow)[];
    const { sales, grants } = await findGiven(db, rows, givingCourses(rows.map(({ courseId }) => courseId)), session);
    const courses = sales.flatMap((sale) =>
      coursesOf(sale).map((courseId) => ({ ...saleOfCourse(sale, courseId), courseId })),
    );
    const [salesOf, grantsOf] = [groupBy(courses, pairKey), groupBy(grants as (GivenGrant & Pair)[], pairKey)];
    return new Map(rows.map((row) => [String(row._id), counted(row, salesOf(pairKey(row)), grantsOf(pairKey(row)))]));
  },
};

export const pathAccess: Counters = {
  model: "PathEnrollment",
  fields: accessFields,
  keys: ["userId", "pathId", "active"],
  async count(db, found, session) {
    const rows = found as readonly (AccessRow & { pathId: Types.ObjectId })[];
    const { sales, grants } = await findGiven(db, rows, { pathId: { $in: rows.map(({ pathId }) => pathId) } }, session);
    const keyOf = ({ userId, pathId }: { userId: unknown; pathId?: unknown }) => `${pathId} ${userId}`;
    const [salesOf, grantsOf] = [groupBy(sales.map(saleOfPath), keyOf), groupBy(grants, keyOf)];
    return new Map(rows.map((row) => [String(row._id), counted(row, salesOf(keyOf(row)), grantsOf(keyOf(row)))]));
  },
};

/** The figures that an educator sees of a learner. */
export const learners: Counters = {
  model: "Enrollment",
  fields: ["lecturesDone", "quizAttempts", "bestQuizPercent"],
  keys: ["userId", "courseId"],
  async count(db, found, session) {
    const rows = found as readonly LearnerRow[];
    const among = amongPairs(rows);
    const presentIn = await presentLectures(db, rows, session);
    const progresses = await db.CourseProgress.find(among, { userId: 1, courseId: 1, lectureCompleted: 1 })
      .session(session ?? null)
      .lean<(Pair & Pick<CourseProgress, "lectureCompleted">)[]>();
    const attempts = await db.QuizResult.aggregate<{ _id: Pair; quizAttempts: number; bestQuizPercent: number }>(
      [
        ...chapterAttempts(db, among),
        {
          $group: {
            _id: { userId: "$userId", courseId: "$courseId" },
            quizAttempts: { $sum: 1 },
            bestQuizPercent: { $max: "$percent" },
          },
        },
      ],
      { maxTimeMS, ...(session && { session }) },
    );
    const completedBy = new Map(progresses.map((progress) => [pairKey(progress), progress.lectureCompleted]));
    const attemptsBy = new Map(attempts.map(({ _id, ...counted }) => [pairKey(_id), counted]));
    return new Map(
      rows.map((row) => {
        const present = presentIn(row.courseId);
        // While an edit of the course waits for its job, the number is still the former one.
        const lecturesDone = present ? countPresent(completedBy.get(pairKey(row)), present) : (row.lecturesDone ?? 0);
        return [String(row._id), { lecturesDone, ...attemptsBy.get(pairKey(row)) }];
      }),
    );
  },
};

/** Reads the lectures of the courses of some rows. @returns nothing for a course whose job is due, or that is gone. */
async function presentLectures(db: Db, rows: readonly LearnerRow[], session: ClientSession | undefined) {
  const fields = { "courseContent.chapterContent.lectureId": 1, completionsDueAt: 1 } as const;
  const courses = await db.Course.find({ _id: { $in: rows.map(({ courseId }) => courseId) } }, fields)
    .session(session ?? null)
    .lean<Pick<Course, "_id" | "courseContent" | "completionsDueAt">[]>();
  const settled = courses.filter(({ completionsDueAt }) => !completionsDueAt);
  const lectures = new Map(settled.map((course) => [String(course._id), new Set(lectureIdsOf(course.courseContent))]));
  return (courseId: Types.ObjectId): ReadonlySet<string> | undefined => lectures.get(String(courseId));
}

type Counted = { _id: { courseId: Types.ObjectId; lectureId: string }; completed: number };

/** How many learners with an active enrollment have completed a lecture, without those whose events wait to be counted. */
export const lectureCompletions: Counters = {
  model: "LectureCompletions",
  fields: ["completed"],
  keys: ["courseId", "lectureId"],
  async count(db, rows, session) {
    const courseIds = distinct(rows.map(({ courseId }) => courseId));
    const waiting = [
      { $match: { ...uncounted, type: "lecture.completed", courseId: { $in: courseIds } } },
      { $project: { courseId: 1, done: "$data.lectureId", by: { $literal: -1 } } },
    ];
    const found = await db.Enrollment.aggregate<Counted>(
      [
        { $match: { courseId: { $in: courseIds }, active: true } },
        {
          $lookup: { from: db.CourseProgress.collection.name, localField: "userId", foreignField: "userId", as: "all" },
        },
        { $unwind: "$all" },
        { $project: { courseId: 1, done: "$all.lectureCompleted", isOwn: { $eq: ["$all.courseId", "$courseId"] } } },
        { $match: { isOwn: true } },
        { $unwind: "$done" },
        { $project: { courseId: 1, done: 1, by: { $literal: 1 } } },
        { $unionWith: { coll: db.Event.collection.name, pipeline: waiting } },
        { $group: { _id: { courseId: "$courseId", lectureId: "$done" }, completed: { $sum: "$by" } } },
      ],
      { maxTimeMS, ...(session && { session }) },
    );
    const completedOf = new Map(found.map(({ _id, completed }) => [`${_id.courseId} ${_id.lectureId}`, completed]));
    return new Map(
      rows.map((row) => [String(row._id), { completed: completedOf.get(`${row.courseId} ${row.lectureId}`) ?? 0 }]),
    );
  },
};
