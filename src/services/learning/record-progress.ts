import { Types } from "mongoose";
import type { Db } from "../../db/db.js";
import { failure } from "../../lib/errors.js";
import { isObjectId } from "../../lib/fields.js";
import { findLecturesAndRelease } from "../../models/courses/course-queries.js";
import { addCompletedLecture, type CourseProgress, setPlace } from "../../models/learning/course-progress.js";
import { addLectureCompletions } from "../../models/learning/lecture-completions.js";
import { isOpen, LectureNotOpen } from "../courses/release.js";
import { type NewEvent, recordEvents } from "../events/record-event.js";
import { CourseNotFound, CourseNotPurchased } from "../failures.js";
import { countCompletedLecture, noteActivity } from "../learners/learner-figures.js";
import {
  type CourseLectures,
  certify,
  completedFacts,
  completesNow,
  completionFacts,
  mayCompleteAgain,
  type RecordedProgress,
} from "./completion.js";

export const InvalidLecture = failure("invalid_lecture", 400, "Invalid lecture for this course");

export interface CompletedLecture {
  userId: string;
  courseId: string;
  lectureId: string;
  /** Seconds into the lecture; without it the learner goes on at its start. */
  positionSeconds?: number | undefined;
}

/** Reads a learner's progress in a course; null without any, and for an id that is none. */
export const findProgress = async (db: Db, userId: string, courseId: string): Promise<CourseProgress | null> =>
  isObjectId(courseId) ? db.CourseProgress.findOne({ userId, courseId }).lean<CourseProgress>() : null;

/**
 * Adds a lecture to the learner's completed lectures, and completes the course once they include all its present lectures
 * and its required assessments are passed.
 * Parallel calls lose nothing. Lectures added to the course later do not undo `completed`.
 * @throws CourseNotFound, CourseNotPurchased, InvalidLecture, LectureNotOpen, in this order.
 */
export async function recordProgress(db: Db, done: CompletedLecture): Promise<RecordedProgress> {
  if (!isObjectId(done.courseId)) throw CourseNotFound();
  const { userId, lectureId, positionSeconds = 0 } = done;
  const lecture = { userId, courseId: new Types.ObjectId(done.courseId), lectureId };
  const found = await findLecturesAndRelease(db, lecture);
  if (!found) throw CourseNotFound();
  const { enrollment, done: before } = found;
  const course = { ...found.course, ...completionFacts(found.course) };
  if (!enrollment) throw CourseNotPurchased();
  if (!course.lectureIds.includes(done.lectureId)) throw InvalidLecture();
  if (!isOpen(done.lectureId, course, enrollment)) throw LectureNotOpen();
  const isRepeated = before?.isDone && !mayCompleteAgain(before, course);
  const progress = isRepeated ? await setPlace(db, { ...lecture, positionSeconds }) : null;
  if (!progress) return addLecture(db, done, course);
  await noteActivity(db, lecture);
  return { progress, certificate: null };
}

/**
 * Adds the lecture to the learner's progress and figures. The last lecture also completes the course. The number of
 * learners who have completed the lecture follows from the event; a lecture that was reset makes none and is counted here.
 */
function addLecture(
  db: Db,
  { userId, courseId: id, lectureId, positionSeconds = 0 }: CompletedLecture,
  course: CourseLectures,
): Promise<RecordedProgress> {
  const courseId = new Types.ObjectId(id);
  const done = { userId, courseId, lectureId, positionSeconds };
  return db.transaction(
    async (session) => {
      const { progress, isNew } = await addCompletedLecture(db, done, session);
      const completedAt = (await completesNow(db, progress, course, session)) ? new Date() : null;
      // The enrollment may have ended meanwhile. Then its lectures are counted no more.
      const figures = { isNew, completedAt };
      const counted = await countCompletedLecture(db, done, figures, session);
      if (!counted) throw CourseNotPurchased();
      const recorded = completedAt ? await certify(db, session, progress, course, completedAt) : undefined;
      const facts: NewEvent[] = [];
      const uncountedAt = new Date();
      if (isNew && !counted.wasReset)
        facts.push({ type: "lecture.completed", data: { userId, courseId, lectureId }, uncountedAt });
      if (recorded?.certificate) facts.push(...(await completedFacts(db, session, progress, counted)));
      await recordEvents(db, session, facts);
      if (isNew && counted.wasReset) await addLectureCompletions(db, [{ courseId, lectureId, by: 1 }], session);
      return recorded ?? { progress, certificate: null };
    },
    { mutex: `lectures:${courseId}:${userId}` },
  );
}
