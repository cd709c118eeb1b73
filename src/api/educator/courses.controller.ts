import type { z } from "zod";
import type { Deps } from "../../deps.js";
import type { RouteRequest } from "../../http/route.js";
import { type Course, inCreationOrder } from "../../models/course.js";
import { detailOf } from "../../services/courses/course-view.js";
import { createCourse } from "../../services/courses/create-course.js";
import { editCourse, ownCourse, publishCourse } from "../../services/courses/edit-course.js";
import type { CourseChanges, NewCourseForm } from "./course-data.js";
import { ThumbnailNotAttached } from "./course-form.js";
import type { CourseParams, PublishBody } from "./courses.schemas.js";

type Owned<B> = RouteRequest<z.output<typeof CourseParams>, undefined, B, "educator">;

export function coursesController(deps: Deps) {
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

    async list({ viewer }: RouteRequest<undefined, undefined, undefined, "educator">) {
      const own = await db.Course.find({ educatorId: viewer.id }, { courseContent: 0, courseDescription: 0 })
        .sort(inCreationOrder)
        .lean<Course[]>();
      const courses = own.map((course) => ({ ...course, enrolledStudentsCount: course.totalEnrolledStudents }));
      return { courses };
    },

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
