import type { Deps } from "../../../deps.js";
import { type RouteGroup, route } from "../../../http/route.js";
import { BodyTooLarge } from "../../../lib/errors.js";
import type { Course } from "../../../models/courses/course.js";
import { currentSlug, listOwnCourses, ownViewOf } from "../../../services/courses/course-view.js";
import { createCourse } from "../../../services/courses/create-course.js";
import { CourseChanged, editCourse, NoLecture, publishCourse } from "../../../services/courses/edit-course.js";
import { findManagedCourse } from "../../../services/courses/managed-course.js";
import { ThumbnailNotAnImage } from "../../../services/courses/store-thumbnail.js";
import { CourseNotFound, NotTheOwner } from "../../../services/failures.js";
import { SlugTaken } from "../../../services/find-free-slug.js";
import { courseEditForm, newCourseForm, ThumbnailNotAttached } from "./course-form.js";
import {
  CourseAddedReply,
  CourseChanges,
  NewCourseForm,
  OwnCourseReply,
  OwnCoursesQuery,
  OwnCoursesReply,
  PublishBody,
  PublishReply,
} from "./courses.schemas.js";

/** An educator's own courses: adding, editing, publishing. */
export function educatorCoursesGroup(deps: Deps): RouteGroup {
  const { db } = deps;
  const detail = async (course: Course) => ({
    course: { ...(await ownViewOf(db, course)), slug: currentSlug(course) },
  });
  return {
    name: "educator",
    base: "/api/educator",
    routes: [
      route("post", "/add-course", {
        operationId: "createCourse",
        summary: "Add a course",
        description:
          "A form with the course as JSON text and its thumbnail. Numbers may be sent as text. Chapters and lectures " +
          "are sorted by their order numbers and renumbered from 1; totals are computed. The thumbnail may have 5 MB, the " +
          "text 1 MB beside the texts of blocks, which may have 2 MB in all.",
        access: "educator",
        upload: newCourseForm,
        body: NewCourseForm,
        reply: CourseAddedReply,
        errors: [ThumbnailNotAttached, BodyTooLarge, ThumbnailNotAnImage],
        async handle(request) {
          const { body, viewer, req, signal } = request;
          if (!req.file) throw ThumbnailNotAttached();
          const courseId = await createCourse(deps, viewer.id, body.courseData, req.file.path, signal);
          return { message: "Course Added Succesfully" as const, courseId };
        },
      }),
      route("get", "/courses", {
        operationId: "listEducatorCourses",
        summary: "The educator's courses, drafts included",
        access: "educator",
        scope: "courses:read",
        query: OwnCoursesQuery,
        reply: OwnCoursesReply.schema,
        handle: (request) => OwnCoursesReply.answer(request, listOwnCourses(db, request.manager)),
      }),
      route("get", "/courses/:id", {
        operationId: "getEducatorCourse",
        summary: "One of the educator's courses, for editing",
        access: "educator",
        reply: OwnCourseReply,
        errors: [CourseNotFound, NotTheOwner],
        handle: async ({ params, manager }) => detail(await findManagedCourse<Course>(db, params.id, manager, {})),
      }),
      route("patch", "/courses/:id", {
        operationId: "updateCourse",
        summary: "Edit one of the educator's courses",
        description:
          "Takes any of the fields, and the `version` that the educator read. The body is JSON, or a form (`courseData` " +
          "as JSON text, optional `image`) to replace the thumbnail. `courseContent` replaces the whole curriculum, so " +
          "it also reorders chapters and lectures. Lectures keep their ids, so learners keep their progress. JSON may " +
          "have 100 kB, the text of a form 1 MB, its thumbnail 5 MB. The texts of blocks may have 2 MB more in all.",
        access: "educator",
        upload: courseEditForm,
        body: CourseChanges,
        reply: OwnCourseReply,
        errors: [BodyTooLarge, ThumbnailNotAnImage, CourseNotFound, NotTheOwner, CourseChanged, SlugTaken, NoLecture],
        async handle({ params, body, manager, req, signal }) {
          const course = await findManagedCourse<Course>(db, params.id, manager, {});
          return detail(await editCourse(deps, course, body, req.file?.path, signal));
        },
      }),
      route("patch", "/courses/:id/publish", {
        operationId: "togglePublished",
        summary: "Publish or unpublish one of the educator's courses",
        access: "educator",
        body: PublishBody,
        reply: PublishReply,
        errors: [CourseNotFound, NotTheOwner, NoLecture],
        handle: async ({ params, body: { isPublished }, manager }) => ({
          isPublished,
          version: await publishCourse(db, manager, params.id, isPublished),
        }),
      }),
    ],
  };
}
