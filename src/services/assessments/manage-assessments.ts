import { type ClientSession, Types } from "mongoose";
import type { Db } from "../../db/db.js";
import { BrokenRule, failure } from "../../lib/errors.js";
import { isObjectId } from "../../lib/fields.js";
import type { Assessment, Draw } from "../../models/assessments/assessment.js";
import type { Course } from "../../models/courses/course.js";
import { type CourseManager, findManagedCourse } from "../courses/managed-course.js";
import { QuestionNotFound } from "../questions/question-bank.js";
import { drawFromBank } from "./assessment-questions.js";
import { otherAssessments, removeAssessments, setChapterAssessments } from "./chapter-assessments.js";
import { drawnCount } from "./draw-questions.js";

export const AssessmentNotFound = failure("assessment_not_found", 404, "Assessment not found");
export const ChapterNotFound = failure("chapter_not_found", 404, "Chapter not found");
export const ChapterHasAssessment = failure("chapter_has_assessment", 409, "This chapter has an assessment");

/** The chapter of a course, as paths name it. */
export interface ChapterPath {
  readonly courseId: string;
  readonly chapterId: string;
}

type Rules = Pick<
  Assessment,
  | "passPercent"
  | "maxAttempts"
  | "cooldownMinutes"
  | "timeLimitMinutes"
  | "shuffle"
  | "showAnswers"
  | "requiredForCompletion"
>;

/** An assessment as an educator writes it; without a title it has that of its chapter. */
export type AssessmentForm = Rules & {
  readonly title?: string | undefined;
  readonly questionIds?: readonly string[] | undefined;
  readonly draw?: Draw[] | undefined;
};

type OutlinedCourse = Pick<Course, "_id" | "educatorId" | "courseContent" | "assessments">;
const outline = {
  educatorId: 1,
  "courseContent.chapterId": 1,
  "courseContent.chapterTitle": 1,
  assessments: 1,
} as const;

/** Reads the course with the names of its chapters, in the transaction that changes their assessments. */
/**
 * Gives a chapter an assessment, or changes it. Attempts that have begun keep their questions.
 * @throws CourseNotFound, NotTheOwner, ChapterNotFound, QuestionNotFound, InvalidRequest (the bank holds too few).
 */
export async function putAssessment(
  db: Db,
  manager: CourseManager,
  { courseId, chapterId }: ChapterPath,
  { title, questionIds: ids = [], draw = [], ...rules }: AssessmentForm,
): Promise<Assessment> {
  const questionIds = ids.filter(isObjectId).map((id) => new Types.ObjectId(id));
  const assessment = await db.transaction(async (session) => {
    const course = await findManagedCourse<OutlinedCourse>(db, courseId, manager, outline, session);
    const chapter = course.courseContent.find((known) => known.chapterId === chapterId);
    if (!chapter) throw ChapterNotFound();
    if (questionIds.length < ids.length) throw QuestionNotFound();
    await requireQuestions(db, course.educatorId, { questionIds, draw }, session);
    const fields = { ...rules, questionIds, draw, title: title ?? chapter.chapterTitle };
    const stored = await db.Assessment.findOneAndUpdate(
      { courseId: course._id, chapterId, isCurrent: true },
      { $set: fields },
      { upsert: true, session, returnDocument: "after" },
    )
      .lean<Assessment>()
      .orFail();
    const { requiredForCompletion, passPercent } = rules;
    const marker = { chapterId, assessmentId: stored._id, requiredPercent: requiredForCompletion ? passPercent : null };
    await setChapterAssessments(db, course, [...otherAssessments(course, [chapterId]), marker], session);
    return stored;
  });
  db.jobWakeups.emit("Course");
  return assessment;
}

/** Requires questions of the educator's own bank, and enough of them. */
async function requireQuestions(
  db: Db,
  educatorId: string,
  { questionIds, draw }: Pick<Assessment, "questionIds" | "draw">,
  session: ClientSession,
): Promise<void> {
  if (draw.length > 0) {
    const drawn = await drawFromBank(db, { draw }, educatorId, () => 0, session);
    const [possible, wanted] = [drawn.length, drawnCount(draw)];
    if (possible < wanted) throw BrokenRule(`body.draw: the bank gives ${possible} of ${wanted} questions`);
  } else {
    const named = { educatorId, isCurrent: true, questionId: { $in: questionIds } };
    const known = await db.Question.countDocuments(named).session(session);
    if (known < questionIds.length) throw QuestionNotFound();
  }
}

/**
 * Gives a chapter its AI quiz back. A job grades the open attempts with the saved answers.
 * @throws CourseNotFound, NotTheOwner, AssessmentNotFound.
 */
export async function deleteAssessment(
  db: Db,
  manager: CourseManager,
  { courseId, chapterId }: ChapterPath,
): Promise<void> {
  await db.transaction(async (session) => {
    const course = await findManagedCourse<OutlinedCourse>(db, courseId, manager, outline, session);
    if ((await removeAssessments(db, course, [chapterId], session)) === 0) throw AssessmentNotFound();
  });
  db.jobWakeups.emit("Assessment");
  db.jobWakeups.emit("Course");
}
