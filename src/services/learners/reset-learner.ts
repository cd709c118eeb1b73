import type { PipelineStage } from "mongoose";
import type { Db } from "../../db/db.js";
import { type ChapterAttempt, chapterAttempts } from "../../models/assessments/attempt-queries.js";
import { type Enrollment, isInForce } from "../../models/enrollments/enrollment.js";
import { resetLearnerFigures } from "../../models/enrollments/learner-figures.js";
import type { CourseProgress } from "../../models/learning/course-progress.js";
import { actorOf, type Manager } from "../../models/users/manager.js";
import { recordAudit } from "../audit/record-audit.js";
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
    const newest: PipelineStage[] = [{ $sort: { at: -1 } }, { $limit: 1 }];
    const [lastAttempt] = await db.QuizResult.aggregate<ChapterAttempt>([
      ...chapterAttempts(db, own),
      ...newest,
    ]).session(session);
    await removeLecturesOf(db, [own], session);
    const progress = await db.CourseProgress.findOneAndDelete(own, { session }).lean<CourseProgress>();
    const former = { lastAttemptAt: lastAttempt?.at ?? null, lectures: progress?.lectureCompleted ?? [] };
    await resetLearnerFigures(db, own, former, session);
    await recordAudit(db, session, {
      ...actorOf(manager),
      action: "progress.reset",
      targetKind: "enrollment",
      targetId: String(enrollment._id),
      before: { userId, courseId: String(course._id), lecturesDone: enrollment.lecturesDone ?? 0 },
      after: { userId, courseId: String(course._id), lecturesDone: 0, reason },
    });
  });
}
