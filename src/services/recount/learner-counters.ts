import type { ClientSession, Types } from "mongoose";
import type { Db } from "../../db/db.js";
import { distinct } from "../../lib/distinct.js";
import { chapterAttempts } from "../../models/assessments/attempt-queries.js";
import type { Course } from "../../models/courses/course.js";
import { lectureIdsOf } from "../../models/courses/course-queries.js";
import { uncounted } from "../../models/events/event.js";
import type { CourseProgress } from "../../models/learning/course-progress.js";
import { amongPairs, pairKey } from "../learners/lecture-counts.js";
import { countPresent } from "../learning/completion.js";
import type { CounterRow, Counters } from "./counters.js";

/** Time limit of a query that counts a batch. It is above that of a request. */
const maxTimeMS = 60_000;

type LearnerRow = CounterRow & { userId: string; courseId: Types.ObjectId; lecturesDone?: number };
type Pair = Pick<LearnerRow, "userId" | "courseId">;

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
