import type { Types } from "mongoose";
import type { z } from "zod";
import type { Db } from "../../../db/db.js";
import { readInOrder } from "../../../db/read-in-order.js";
import type { Deps } from "../../../deps.js";
import { replyWithList } from "../../../http/reply-with-list.js";
import type { RouteRequest } from "../../../http/route.js";
import { type Course, inCreationOrder } from "../../../models/courses/course.js";
import { detailOf } from "../../../services/courses/course-view.js";
import { createCourse } from "../../../services/courses/create-course.js";
import { editCourse, ownCourse, publishCourse } from "../../../services/courses/edit-course.js";
import { ThumbnailNotAttached } from "./course-form.js";
import {
  type CourseChanges,
  type CourseParams,
  type NewCourseForm,
  type OwnCoursesQuery,
  OwnCoursesReply,
  type PublishBody,
} from "./courses.schemas.js";

type Owned<B> = RouteRequest<z.output<typeof CourseParams>, undefined, B, "educator">;

type OwnCourseRow = Pick<
  Course,
  | ("_id" | "courseTitle" | "courseThumbnail" | "coursePrice" | "discount" | "isPublished" | "createdAt")
  | ("totalEnrolledStudents" | "version")
>;

/** An educator's courses in creation order, drafts too. */
function ownCourses(db: Db, educatorId: string) {
  const shown = { courseTitle: 1, courseThumbnail: 1, coursePrice: 1, discount: 1, isPublished: 1 } as const;
  const fields = { ...shown, createdAt: 1, totalEnrolledStudents: 1, version: 1 } as const;
  return {
    read: (after: [Date, Types.ObjectId] | undefined, size: number) =>
      readInOrder<Course, OwnCourseRow>(db.Course, {
        ...{ filter: { educatorId }, fields, sort: inCreationOrder, after, size },
      }),
    keyOf: ({ createdAt, _id }: OwnCourseRow): [Date, Types.ObjectId] => [createdAt, _id],
    describe: async (courses: readonly OwnCourseRow[]) =>
      courses.map((course) => ({ ...course, enrolledStudentsCount: course.totalEnrolledStudents })),
  };
}

export function ownCoursesController(deps: Deps) {
  const { db } = deps;

  const detail = async (course: Course) => ({ course: await detailOf(db, course, { hidePaid: false }) });

  return {
    async create({
      body,
      viewer,
      req,
    }: RouteRequest<undefined, undefined, z.output<typeof NewCourseForm>, "educator">) {
      if (!req.file) throw ThumbnailNotAttached();
      const courseId = await createCourse(deps, viewer.id, body.courseData, req.file.buffer);
      return { message: "Course Added Succesfully" as const, courseId };
    },

    list: (request: RouteRequest<undefined, z.output<typeof OwnCoursesQuery>, undefined, "educator">) =>
      replyWithList(request, {
        ...{ reply: OwnCoursesReply, field: "courses" },
        list: ownCourses(db, request.viewer.id),
        wrap: (courses, page) => ({ courses, ...page }),
      }),

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
