import type { ClientSession, Types } from "mongoose";
import type { Db } from "#server/db/db.js";
import { distinct } from "#server/lib/distinct.js";
import { chapterAttempts } from "#server/models/assessments/attempt-queries.js";
import type { Course } from "#server/models/courses/course.js";
import { lectureIdsOf } from "#server/models/courses/course-queries.js";
import type { Grant } from "#server/models/enrollments/grant.js";
import { uncounted } from "#server/models/events/event.js";
import type { CourseProgress } from "#server/models/learning/course-progress.js";
import { type AccessSale, accessOf, saleFields } from "#server/services/enrollments/access.js";
import { amongPairs, pairKey } from "#server/services/learners/lecture-counts.js";
import { countPresent } from "#server/services/learning/completion.js";
import { type CounterRow, type Counters, maxTimeMS } from "./counter-row.js";

type LearnerRow = CounterRow & { userId: string; courseId: Types.ObjectId; lecturesDone?: number };
type Pair = Pick<LearnerRow, "userId" | "courseId">;

type AccessRow = LearnerRow & { active: boolean; expiresAt: Date | null; boughtUntil: Date | null };

/** What gives a learner access, and when it ends. What an enrollment without access had is not looked at. */
export const access: Counters = {
  model: "Enrollment",
  fields: ["purchases", "grants", "expiresAt", "boughtUntil"],
  keys: ["userId", "courseId", "active"],
  async count(db, found, session) {
    const rows = found as readonly AccessRow[];
    const among = amongPairs(rows);
    const sales = await db.Purchase.find({ ...among, status: "completed" }, saleFields)
      .session(session ?? null)
      .lean<(AccessSale & Pair)[]>();
    const grants = await db.Grant.find({ ...among, state: "active" }, { userId: 1, courseId: 1, expiresAt: 1 })
      .session(session ?? null)
      .lean<(Pick<Grant, "expiresAt"> & Pair)[]>();
    const ofPair = <T extends Pair>(all: readonly T[]) => {
      const byPair = new Map<string, T[]>();
      for (const one of all) byPair.set(pairKey(one), [...(byPair.get(pairKey(one)) ?? []), one]);
      return byPair;
    };
    const [salesOf, grantsOf] = [ofPair(sales), ofPair(grants)];
    return new Map(
      rows.map((row) => {
        const { _id, active, expiresAt, boughtUntil } = row;
        const given = accessOf(salesOf.get(pairKey(row)) ?? [], grantsOf.get(pairKey(row)) ?? [], new Date());
        const { purchases = 0, grants: granted = 0 } = given;
        const ends = active ? given : { expiresAt, boughtUntil };
        const [end = null, boughtEnd = null] = [ends.expiresAt, ends.boughtUntil];
        return [String(_id), { purchases, grants: granted, expiresAt: end, boughtUntil: boughtEnd }];
      }),
    );
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
