import type { Types } from "mongoose";
import type { Db } from "../../db/db.js";
import { failure } from "../../lib/errors.js";
import { chapterAttempts } from "../../models/assessments/attempt-queries.js";
import type { Course } from "../../models/courses/course.js";
import { type Enrollment, isInForce, neverActive } from "../../models/enrollments/enrollment.js";
import type { CourseProgress } from "../../models/learning/course-progress.js";
import { type CourseManager, findManagedCourse } from "../courses/managed-course.js";
import { countPresent } from "../learning/completion.js";
import { userCards } from "../users/user-cards.js";
import { findCompletedLectures } from "./lecture-counts.js";

export const LearnerNotFound = failure("learner_not_found", 404, "Learner not found");

export const learnerStates = ["not_started", "active", "stalled", "completed"] as const;
export type LearnerState = (typeof learnerStates)[number];

/** Time without a completed lecture or a quiz attempt after which a learner who has begun is stalled. */
const stalledAfterMs = 14 * 24 * 60 * 60_000;

/** Learners with activity after this moment are active. */
export const activeSince = (now = new Date()): Date => new Date(now.getTime() - stalledAfterMs);

export function stateOf({ phase, lastActiveAt }: Pick<Enrollment, "phase" | "lastActiveAt">): LearnerState {
  if (phase === "completed") return "completed";
  if (lastActiveAt > activeSince()) return "active";
  return phase === "begun" ? "stalled" : "not_started";
}

const courseFields = {
  educatorId: 1,
  totalEnrolledStudents: 1,
  "courseContent.chapterId": 1,
  "courseContent.chapterTitle": 1,
  "courseContent.chapterContent.lectureId": 1,
  "courseContent.chapterContent.lectureTitle": 1,
} as const;

/** A managed course with the names of its chapters, and the names of its lectures in order. */
export type TaughtCourse = Awaited<ReturnType<typeof findTaughtCourse>>;

/** @throws CourseNotFound, NotTheOwner. */
export async function findTaughtCourse(db: Db, courseId: string, manager: CourseManager) {
  const course = await findManagedCourse<Course>(db, courseId, manager, courseFields);
  const { courseContent: chapters, totalEnrolledStudents: enrolled } = course;
  const lectures = chapters.flatMap(({ chapterTitle, chapterContent = [] }) =>
    chapterContent.map(({ lectureId, lectureTitle }) => ({ lectureId, lectureTitle, chapterTitle })),
  );
  return { ...course, enrolled, chapters, lectures };
}

/** Shows learners of a course, by a fixed number of commands. */
export async function describeLearners(db: Db, course: TaughtCourse, enrollments: readonly Enrollment[]) {
  const userIds = enrollments.map(({ userId }) => userId);
  const [cardOf, completed, certificates] = await Promise.all([
    userCards(db, userIds),
    findCompletedLectures(db, course._id, userIds),
    db.Certificate.find({ userId: { $in: userIds }, courseId: course._id }, { userId: 1, certificateId: 1 })
      .batchSize(userIds.length + 1)
      .lean(),
  ]);
  const certificateOf = new Map(certificates.map(({ userId, certificateId }) => [userId, certificateId]));
  const present = new Set(course.lectures.map(({ lectureId }) => lectureId));
  return enrollments.map((enrollment) => {
    const { userId, enrolledAt, expiresAt = null, lastActiveAt, quizAttempts, bestQuizPercent } = enrollment;
    const { name, imageUrl } = cardOf(userId);
    const lecturesDone = countPresent(completed.get(userId), present);
    return {
      userId,
      name,
      imageUrl,
      enrolledAt,
      expiresAt,
      lecturesDone,
      lecturesTotal: present.size,
      percent: present.size === 0 ? 0 : Math.floor((100 * lecturesDone) / present.size),
      lastActiveAt: lastActiveAt > neverActive ? lastActiveAt : null,
      completedAt: enrollment.courseCompletedAt ?? null,
      certificateId: certificateOf.get(userId) ?? null,
      bestQuizPercent: quizAttempts > 0 ? bestQuizPercent : null,
      state: stateOf(enrollment),
    };
  });
}

/** Everything that an educator sees of one learner. @throws LearnerNotFound when the user is not enrolled now. */
export async function describeLearner(db: Db, course: TaughtCourse, userId: string) {
  const own = { userId, courseId: course._id };
  const enrollment = await db.Enrollment.findOne(own).lean<Enrollment>();
  if (!enrollment || !isInForce(enrollment)) throw LearnerNotFound();
  const [[learner], progress, attempts, time] = await Promise.all([
    describeLearners(db, course, [enrollment]),
    db.CourseProgress.findOne(own).lean<CourseProgress>(),
    findQuizSummaries(db, own),
    db.CourseTime.findOne({ userId, courseId: String(course._id) }, { duration: 1 }).lean(),
  ]);
  if (!learner) throw LearnerNotFound();
  const done = new Set(progress?.lectureCompleted);
  const timeOf = new Map(progress?.lectureTimes?.map(({ lectureId, at }) => [lectureId, at]));
  const place = new Map(course.chapters.map(({ chapterId }, i) => [chapterId, i]));
  const titleOf = new Map(course.chapters.map(({ chapterId, chapterTitle }) => [chapterId, chapterTitle]));
  return {
    ...learner,
    lectures: course.lectures.map((lecture) => ({
      ...lecture,
      completedAt: done.has(lecture.lectureId) ? (timeOf.get(lecture.lectureId) ?? progress?.updatedAt ?? null) : null,
    })),
    quizzes: attempts
      .map(({ _id: chapterId, ...summary }) => ({
        chapterId,
        chapterTitle: titleOf.get(chapterId) ?? "Unknown Chapter",
        ...summary,
      }))
      .sort((a, b) => (place.get(a.chapterId) ?? place.size) - (place.get(b.chapterId) ?? place.size)),
    learningSeconds: time?.duration ?? 0,
  };
}

interface QuizSummary {
  /** Chapter id. */
  _id: string;
  attempts: number;
  best: number;
  last: number;
  lastAt: Date;
}

/** Sums up the attempts of one learner, chapter by chapter. */
const findQuizSummaries = (db: Db, own: { userId: string; courseId: Types.ObjectId }) =>
  db.QuizResult.aggregate<QuizSummary>([
    ...chapterAttempts(db, own),
    { $sort: { at: 1 } },
    {
      $group: {
        _id: "$chapterId",
        attempts: { $sum: 1 },
        best: { $max: "$percent" },
        last: { $last: "$percent" },
        lastAt: { $last: "$at" },
      },
    },
  ]);

/** Reads how many learners of a course have completed each lecture, in the order of the lectures. */
export async function readFunnel(db: Db, { _id: courseId, enrolled, lectures }: TaughtCourse) {
  const found = await db.LectureCompletions.find({ courseId }, { lectureId: 1, completed: 1 }).lean();
  const completedOf = new Map(found.map(({ lectureId, completed }) => [lectureId, completed]));
  return {
    enrolled,
    lectures: lectures.map((lecture) => ({
      ...lecture,
      completed: Math.max(0, completedOf.get(lecture.lectureId) ?? 0),
    })),
  };
}
