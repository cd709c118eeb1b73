import type { ClientSession, Types } from "mongoose";
import type { Db } from "../../db/db.js";
import { orderedList } from "../../db/ordered-list.js";
import { readBatches } from "../../lib/read-batches.js";
import type { Enrollment } from "../../models/enrollments/enrollment.js";
import type { CourseProgress } from "../../models/learning/course-progress.js";
import { countPresent, findCourseLectures } from "../learning/completion.js";

type Learner = Pick<Enrollment, "_id" | "userId" | "enrolledAt" | "lecturesDone">;

/** Learners whose figures one transaction compares. */
const batchSize = 200;

/** Reads the completed lectures of some learners of a course, by user id. */
export async function findCompletedLectures(
  db: Db,
  courseId: Types.ObjectId,
  userIds: readonly string[],
  session: ClientSession | null = null,
): Promise<Map<string, readonly string[]>> {
  const found = await db.CourseProgress.find({ userId: { $in: userIds }, courseId }, { userId: 1, lectureCompleted: 1 })
    .session(session)
    .batchSize(userIds.length + 1)
    .lean<Pick<CourseProgress, "userId" | "lectureCompleted">[]>();
  return new Map(found.map(({ userId, lectureCompleted }) => [userId, lectureCompleted]));
}

/** Corrects the number of completed lectures of every learner of a course, after the course has other lectures. */
export async function recountLecturesDone(db: Db, courseId: Types.ObjectId, signal: AbortSignal): Promise<void> {
  for (const active of [true, false]) {
    const learners = orderedList<Enrollment, Learner>(db.Enrollment, {
      filter: { courseId, active },
      fields: { userId: 1, enrolledAt: 1 },
      sort: { enrolledAt: 1, _id: 1 },
    });
    for await (const batch of readBatches(learners, batchSize)) {
      if (signal.aborted) return;
      await db.transaction((session) => correct(db, courseId, batch, session));
    }
  }
}

async function correct(
  db: Db,
  courseId: Types.ObjectId,
  batch: readonly Learner[],
  session: ClientSession,
): Promise<void> {
  const course = await findCourseLectures(db, courseId, session);
  if (!course) return;
  const present = new Set(course.lectureIds);
  const learners = await db.Enrollment.find(
    { _id: { $in: batch.map(({ _id }) => _id) } },
    { userId: 1, lecturesDone: 1 },
  )
    .session(session)
    .lean<Learner[]>();
  const userIds = learners.map(({ userId }) => userId);
  const completed = await findCompletedLectures(db, courseId, userIds, session);
  const updates = learners.flatMap(({ _id, userId, lecturesDone = 0 }) => {
    const counted = countPresent(completed.get(userId), present);
    if (counted === lecturesDone) return [];
    return [{ updateOne: { filter: { _id }, update: { $set: { lecturesDone: counted } }, timestamps: false } }];
  });
  if (updates.length > 0) await db.Enrollment.bulkWrite(updates, { session });
}
