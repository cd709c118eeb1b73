import type { ClientSession, PipelineStage } from "mongoose";
import type { Db } from "../../db/db.js";
import { type ChapterAttempt, chapterAttempts } from "../../models/assessments/attempt-queries.js";
import { type Enrollment, isInForce } from "../../models/enrollments/enrollment.js";
import type { CourseProgress } from "../../models/learning/course-progress.js";
import type { Manager } from "../../models/users/user.js";
import { audited } from "../audit/record-audit.js";
import { resetLearnerFigures } from "./learner-figures.js";
import { LearnerNotFound, type TaughtCourse } from "./learner-views.js";
import { removeLecturesOf } from "./lecture-counts.js";

/**
 * Resets a learner's progress in a course. Certificates, quiz attempts and ratings stay.
 * @throws LearnerNotFound when the user is not enrolled now.
 */
export async function resetLearner(
  db: Db,
  course: TaughtCourse,
  { userId, reason }: { userId: string; reason: string },
  manager: Manager,
): Promise<void> {
  const own = { userId, courseId: course._id };
  await db.transaction(async (session) => {
    const enrollment = await db.Enrollment.findOne(own).session(session).lean<Enrollment>();
    if (!enrollment || !isInForce(enrollment)) throw LearnerNotFound();
    await resetProgress(db, own, session);
    const whose = { userId, courseId: String(course._id) };
    await audited(db, session, manager, "progress.reset", ["enrollment", enrollment._id], {
      before: { ...whose, lecturesDone: enrollment.lecturesDone ?? 0 },
      after: { ...whose, lecturesDone: 0, reason },
    });
  });
}

/** Takes an enrolled learner's progress in a course back to nothing. Certificates, quiz attempts and ratings stay. */
export async function resetProgress(
  db: Db,
  own: Pick<CourseProgress, "userId" | "courseId">,
  session: ClientSession,
): Promise<void> {
  const newest: PipelineStage[] = [{ $sort: { at: -1 } }, { $limit: 1 }];
  const [lastAttempt] = await db.QuizResult.aggregate<ChapterAttempt>([...chapterAttempts(db, own), ...newest]).session(
    session,
  );
  await removeLecturesOf(db, [own], session);
  const progress = await db.CourseProgress.findOneAndDelete(own, { session }).lean<CourseProgress>();
  const former = { lastAttemptAt: lastAttempt?.at ?? null, lectures: progress?.lectureCompleted ?? [] };
  await resetLearnerFigures(db, own, former, session);
}
