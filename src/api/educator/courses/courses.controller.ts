import type { Types } from "mongoose";
import type { z } from "zod";
import type { Db } from "../../../db/db.js";
import { findAfter } from "../../../db/find-after.js";
import type { Deps } from "../../../deps.js";
import { replyWithList } from "../../../http/reply-with-list.js";
import type { RouteRequest } from "../../../http/route.js";
import { type Course, inCreationOrder } from "../../../models/courses/course.js";
import { detailOf } from "../../../services/courses/course-view.js";
import { createCourse } from "../../../services/courses/create-course.js";
import { editCourse, ownCourse, publishCourse } from "../../../services/courses/edit-course.js";
import { ThumbnailNotAttached } from "./course-form.js";
import type { CourseChanges, CourseParams, NewCourseForm, OwnCoursesQuery, PublishBody } from "./courses.schemas.js";

type Owned<B> = RouteRequest<z.output<typeof CourseParams>, undefined, B, "educator">;

/** An educator's courses in creation order, drafts too. */
function ownCourses(db: Db, educatorId: string) {
  const fields = {
    courseTitle: 1,
    courseThumbnail: 1,
    coursePrice: 1,
    discount: 1,
    isPublished: 1,
    createdAt: 1,
    totalEnrolledStudents: 1,
    version: 1,
  } as const;
  return {
    find: (after: [Date, Types.ObjectId] | undefined, limit: number) =>
      findAfter(db.Course, { filter: { educatorId }, fields, sort: inCreationOrder, after, limit }),
    keyOf: ({ createdAt, _id }: Course): [Date, Types.ObjectId] => [createdAt, _id],
    describe: async (courses: readonly Course[]) =>
      courses.map((course) => ({ ...course, enrolledStudentsCount: course.totalEnrolledStudents })),
  };
}

export function ownCoursesController(deps: Deps) {
  const { db } = deps;

  const detail = async (course: Course) => ({ course: await detailOf(db, course, { hidePaid: false }) });

  return {
    async create(request: RouteRequest<undefined, undefined, z.output<typeof NewCourseForm>, "educator">) {
      const { body, viewer, req } = request;
      if (!req.file) throw ThumbnailNotAttached();
      const courseId = await createCourse(deps, viewer.id, body.courseData, req.file.buffer);
      return { message: "Course Added Succesfully" as const, courseId };
    },

    list: (request: RouteRequest<undefined, z.output<typeof OwnCoursesQuery>, undefined, "educator">) =>
      replyWithList(request, ownCourses(db, request.viewer.id), (courses, page) => ({ courses, ...page })),

    async show({ params, viewer }: Owned<undefined>) {
      return detail(await ownCourse(db, params.id, viewer.id));
    },

    async edit({ params, body, viewer, req }: Owned<z.output<typeof CourseChanges>>) {
      return detail(await editCourse(deps, viewer.id, params.id, body, req.file?.buffer));
    },

    async publish({ params, body: { isPublished }, viewer }: Owned<z.output<typeof PublishBody>>) {
      return { isPublished, version: await publishCourse(db, viewer.id, params.id, isPublished) };
    },
  };
}
