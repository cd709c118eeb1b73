import type { Deps } from "../../deps.js";
import { type RouteGroup, route } from "../../http/route.js";
import type { ReadCourse } from "../../services/courses/course-view.js";
import { CourseNotFoundHere } from "../../services/failures.js";
import { catalogController } from "./courses.controller.js";
import { CatalogQuery, CatalogReply, CourseParams, CourseReply } from "./courses.schemas.js";

/** The public catalog. */
export function courseGroup(deps: Deps, readCourse: ReadCourse): RouteGroup {
  const course = catalogController(deps, readCourse);
  return {
    name: "course",
    base: "/api/course",
    routes: [
      route({
        method: "get",
        path: "/all",
        summary: "Every published course",
        description: "In creation order unless `sort` says otherwise. Compressed, with a strong `ETag`.",
        access: "public",
        query: CatalogQuery,
        reply: CatalogReply,
        errors: [],
        handle: course.list,
      }),
      route({
        method: "get",
        path: "/:id",
        summary: "One course with its curriculum",
        description: "Drafts too. Only free previews have their video URL.",
        access: "public",
        params: CourseParams,
        reply: CourseReply,
        errors: [CourseNotFoundHere],
        handle: course.show,
      }),
    ],
  };
}
