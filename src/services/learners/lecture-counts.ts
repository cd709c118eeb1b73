import type { ClientSession, Types } from "mongoose";
import type { Db } from "../../db/db.js";
import { orderedList } from "../../db/ordered-list.js";
import { distinct } from "../../lib/distinct.js";
import { readBatches } from "../../lib/read-batches.js";
import type { Enrollment } from "../../models/enrollments/enrollment.js";
import type { CourseProgress } from "../../models/learning/course-progress.js";
import { addLectureCompletions, type CompletionChange } from "../../models/learning/lecture-completions.js";
import { countPresent, findCourseLectures } from "../learning/completion.js";

type Pair = Pick<CourseProgress, "userId" | "courseId">;
type Done = Pair & Pick<CourseProgress, "lectureCompleted">;

/**
 * Takes the completed lectures of learners, whose enrollments end or who were reset, out of the numbers of their courses, in
 * the transaction that changes the enrollments. It sends one command when none of the learners has any progress.
 */
export async function removeLecturesOf(db: Db, pairs: readonly Pair[], session: ClientSession): Promise<void> {
  if (pairs.length === 0) return;
  const wanted = new Set(pairs.map(pairKey));
  const found = await db.CourseProgress.find(amongPairs(pairs), { userId: 1, courseId: 1, lectureCompleted: 1 })
    .session(session)
    .lean<Done[]>();
  const own = found.filter((progress) => wanted.has(pairKey(progress)));
  await addLecturesOf(db, own, -1, session);
}

/** Adds the completed lectures of some learners to the numbers of their courses, or takes them out. */
export const addLecturesOf = (db: Db, progresses: readonly Done[], by: 1 | -1, session: ClientSession): Promise<void> =>
  addLectureCompletions(db, changesOf(progresses, by), session);

/** Names a learner in a course. */
export const pairKey = ({ userId, courseId }: Pair): string => `${courseId} ${userId}`;

/** Filters the rows of some learners in some courses: those of the pairs, and perhaps of others. */
export const amongPairs = (pairs: readonly Pair[]) => ({
  userId: { $in: distinct(pairs.map(({ userId }) => userId)) },
  courseId: { $in: distinct(pairs.map(({ courseId }) => courseId)) },
});

/** One change for each lecture, in a fixed order. */
function changesOf(progresses: readonly Done[], by: 1 | -1): CompletionChange[] {
  const changes = new Map<string, { courseId: Types.ObjectId; lectureId: string; by: number }>();
  for (const { courseId, lectureCompleted = [] } of progresses) {
    for (const lectureId of lectureCompleted) {
      const key = `${courseId} ${lectureId}`;
      changes.set(key, { courseId, lectureId, by: (changes.get(key)?.by ?? 0) + by });
    }
  }
  return [...changes].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, change]) => change);
}

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
