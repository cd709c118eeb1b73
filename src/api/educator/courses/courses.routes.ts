import type { Deps } from "../../../deps.js";
import { type RouteGroup, route } from "../../../http/route.js";
import { BodyTooLarge } from "../../../lib/errors.js";
import { CourseChanged, NoLecture, NotTheOwner } from "../../../services/courses/edit-course.js";
import { ThumbnailNotAnImage } from "../../../services/courses/store-thumbnail.js";
import { CourseNotFound } from "../../../services/failures.js";
import { courseEditForm, newCourseForm, ThumbnailNotAttached } from "./course-form.js";
import { ownCoursesController } from "./courses.controller.js";
import {
  CourseAddedReply,
  CourseChanges,
  CourseParams,
  NewCourseForm,
  OwnCourseReply,
  OwnCoursesQuery,
  OwnCoursesReply,
  PublishBody,
  PublishReply,
} from "./courses.schemas.js";

/** An educator's own courses: adding, editing, publishing. */
export function educatorCoursesGroup(deps: Deps): RouteGroup {
  const courses = ownCoursesController(deps);
  return {
    name: "educator",
    base: "/api/educator",
    routes: [
      route({
        method: "post",
        path: "/add-course",
        summary: "Add a course",
        description:
          "A form with the course as JSON text and its thumbnail. Numbers may be sent as text. Chapters and lectures " +
          "are sorted by their order numbers and renumbered from 1; totals are computed. The thumbnail may have 5 MB, the " +
          "text 1 MB.",
        access: "educator",
        upload: newCourseForm,
        body: NewCourseForm,
        reply: CourseAddedReply,
        errors: [ThumbnailNotAttached, BodyTooLarge, ThumbnailNotAnImage],
        handle: courses.create,
      }),
      route({
        method: "get",
        path: "/courses",
        summary: "One's own courses, drafts included",
        access: "educator",
        query: OwnCoursesQuery,
        reply: OwnCoursesReply,
        errors: [],
        handle: courses.list,
      }),
      route({
        method: "get",
        path: "/courses/:id",
        summary: "A course of one's own as it is edited",
        access: "educator",
        params: CourseParams,
        reply: OwnCourseReply,
        errors: [CourseNotFound, NotTheOwner],
        handle: courses.show,
      }),
      route({
        method: "patch",
        path: "/courses/:id",
        summary: "Edit a course of one's own",
        description:
          "Any of the fields, and the `version` that was seen; as JSON, or as a form (`courseData` as JSON text, " +
          "optional `image`) to replace the thumbnail. `courseContent` replaces the whole curriculum: this is also " +
          "how chapters and lectures are reordered. Lectures keep their ids, and with them the learners' progress. JSON " +
          "may have 100 kB, the text of a form 1 MB, its thumbnail 5 MB.",
        access: "educator",
        upload: courseEditForm,
        params: CourseParams,
        body: CourseChanges,
        reply: OwnCourseReply,
        errors: [BodyTooLarge, ThumbnailNotAnImage, CourseNotFound, NotTheOwner, CourseChanged, NoLecture],
        handle: courses.edit,
      }),
      route({
        method: "patch",
        path: "/courses/:id/publish",
        summary: "Publish or withdraw a course of one's own",
        access: "educator",
        params: CourseParams,
        body: PublishBody,
        reply: PublishReply,
        errors: [CourseNotFound, NotTheOwner, NoLecture],
        handle: courses.publish,
      }),
    ],
  };
}
