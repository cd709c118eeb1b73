import { Types } from "mongoose";
import type { z } from "zod";
import type { Deps } from "../../deps.js";
import { describedBatches, sendWholeList } from "../../http/reply-with-list.js";
import { alreadySent, type RouteRequest } from "../../http/route.js";
import { failure } from "../../lib/errors.js";
import { isObjectId } from "../../lib/fields.js";
import type { Course } from "../../models/courses/course.js";
import { NotTheOwner } from "../../services/courses/edit-course.js";
import { isEnrolled } from "../../services/enrollments/enrollment.js";
import { CourseNotFound, CourseNotPurchased } from "../../services/failures.js";
import { createQuizGenerator, currentQuiz } from "../../services/quizzes/generate-quiz.js";
import { gradeQuiz, rememberServed } from "../../services/quizzes/grade-quiz.js";
import { readInsights } from "../../services/quizzes/quiz-insights.js";
import { allResults, chapterResults, courseResults } from "../../services/quizzes/quiz-results.js";
import type { ChapterParams, CourseParams, GenerateBody, SubmitBody } from "./quizzes.schemas.js";

export const ChapterNotFound = failure("chapter_not_found", 404, "Chapter not found");

export function quizController(deps: Deps) {
  const { db, limits } = deps;
  const generate = createQuizGenerator(deps);

  const wholeCourse = { courseTitle: 1, courseDescription: 1, courseContent: 1, educatorId: 1 };

  async function requireCourse(
    courseId: string,
    fields: Readonly<Record<string, number>> = wholeCourse,
  ): Promise<Course> {
    const course = isObjectId(courseId) ? await db.Course.findById(courseId, fields).lean<Course>() : null;
    if (!course) throw CourseNotFound();
    return course;
  }

  const chapterOf = (course: Course, chapterId: string) => {
    const chapter = course.courseContent.find((known) => known.chapterId === chapterId);
    if (!chapter) throw ChapterNotFound();
    return chapter;
  };

  return {
    async show({
      viewer,
      params,
      req,
      res,
      signal,
    }: RouteRequest<z.output<typeof ChapterParams>, undefined, undefined, "user">) {
      const { courseId, chapterId } = params;
      const outline = await requireCourse(courseId, { "courseContent.chapterId": 1, educatorId: 1 });
      chapterOf(outline, chapterId);
      const allowed = outline.educatorId === viewer.id || (await isEnrolled(db, viewer.id, courseId));
      if (!allowed) throw CourseNotPurchased();
      const makeFirst = async () => {
        const course = await requireCourse(courseId);
        const beforeStart = () => limits.consume("aiGeneration", req, res);
        return generate({ course, chapter: chapterOf(course, chapterId), above: 0, beforeStart, signal });
      };
      const quiz =
        (await currentQuiz(db, outline._id, chapterId)) ??
        (await makeFirst().catch((error: unknown) => {
          if (signal.aborted) return undefined; // the learner left; the quiz is made all the same
          throw error;
        }));
      if (!quiz) return alreadySent;
      await rememberServed(db, viewer.id, quiz);
      return { quiz };
    },

    async generate({
      viewer,
      body,
      signal,
    }: RouteRequest<undefined, undefined, z.output<typeof GenerateBody>, "educator">) {
      const course = await requireCourse(body.courseId);
      if (course.educatorId !== viewer.id) throw NotTheOwner();
      const chapter = chapterOf(course, body.chapterId);
      const above = (await currentQuiz(db, course._id, chapter.chapterId))?.version ?? 0;
      const quiz = await generate({ course, chapter, above, signal }).catch((error: unknown) => {
        if (signal.aborted) return undefined;
        throw error;
      });
      if (!quiz) return alreadySent;
      await rememberServed(db, viewer.id, quiz);
      return { quiz };
    },

    async submit({ viewer, body }: RouteRequest<undefined, undefined, z.output<typeof SubmitBody>, "user">) {
      const { courseId, chapterId, answers } = body;
      if (!isObjectId(courseId)) throw CourseNotFound();
      if (!(await isEnrolled(db, viewer.id, courseId))) {
        const { educatorId } = await requireCourse(courseId, { educatorId: 1 });
        if (educatorId !== viewer.id) throw CourseNotPurchased();
      }
      const attempt = { userId: viewer.id, courseId: new Types.ObjectId(courseId), chapterId, answers };
      return { result: await gradeQuiz(deps, attempt) };
    },

    chapterResults(request: RouteRequest<z.output<typeof ChapterParams>, undefined, undefined, "user">) {
      const list = chapterResults(db, request.viewer.id, request.params);
      return sendWholeList(request, describedBatches(list), (results) => ({ results }));
    },

    courseResults(request: RouteRequest<z.output<typeof CourseParams>, undefined, undefined, "user">) {
      const list = courseResults(db, request.viewer.id, request.params.courseId);
      return sendWholeList(request, describedBatches(list), (results) => ({ results }));
    },

    allResults(request: RouteRequest<undefined, undefined, undefined, "user">) {
      const list = allResults(db, request.viewer.id);
      return sendWholeList(request, describedBatches(list), (results) => ({ results }));
    },

    insights(request: RouteRequest<undefined, undefined, undefined, "educator">) {
      return sendWholeList(request, readInsights(db, request.viewer.id), (insights) => ({ insights }));
    },
  };
}
