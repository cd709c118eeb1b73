import type { Db } from "../../db/db.js";
import type { TaughtCourse } from "./learner-views.js";

/** Reads how many learners of a course have completed each lecture, in the order of the lectures. */
export async function readFunnel(db: Db, { _id: courseId, enrolled, lectures }: TaughtCourse) {
  const found = await db.LectureCompletions.find({ courseId }, { lectureId: 1, completed: 1 }).lean();
  const completedOf = new Map(found.map(({ lectureId, completed }) => [lectureId, completed]));
  return {
    enrolled,
    lectures: lectures.map((lecture) => ({ ...lecture, completed: completedOf.get(lecture.lectureId) ?? 0 })),
  };
}
