import type { ClientSession, Types } from "mongoose";
import type { Db } from "../../db/db.js";
import type { CourseProgress } from "../../models/learning/course-progress.js";
import { addLectureCompletions, type CompletionChange } from "../../models/learning/lecture-completions.js";

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

/** The key of a learner in a course, for maps. */
export const pairKey = ({ userId, courseId }: Pair): string => `${courseId} ${userId}`;

/** Matches the rows of these learners in these courses. Rows of other pairs of them match too. */
export const amongPairs = (pairs: readonly Pair[]) => ({
  userId: { $in: [...new Set(pairs.map(({ userId }) => userId))] },
  courseId: { $in: [...new Map(pairs.map(({ courseId }) => [String(courseId), courseId])).values()] },
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
