import { CourseNotFound } from "../../commands/course-view.js";
import type { Issuer } from "../../commands/issue-certificate.js";
import { CourseNotPurchased, InvalidLecture } from "../../commands/record-progress.js";
import type { Deps } from "../../deps.js";
import { type RouteGroup, route } from "../../http/route.js";
import { progressController } from "./progress.controller.js";
import { ProgressBody, ProgressLookup, ProgressLookupReply, ProgressReply } from "./progress.schemas.js";

/** What the caller has completed. */
export function progressGroup(deps: Deps, issue: Issuer): RouteGroup {
  const progress = progressController(deps, issue);
  return {
    name: "user",
    base: "/api/user",
    access: "user",
    routes: [
      route({
        method: "post",
        path: "/update-course-progress",
        summary: "Mark a lecture as completed",
        description: "The last lecture completes the course for good and produces the certificate.",
        access: "user",
        body: ProgressBody,
        reply: ProgressReply,
        fails: [CourseNotFound, CourseNotPurchased, InvalidLecture],
        handle: progress.update,
      }),
      route({
        method: "post",
        path: "/get-course-progress",
        summary: "The caller's progress in a course",
        description: "Null when nothing is stored; any string is accepted as a course id.",
        access: "user",
        body: ProgressLookup,
        reply: ProgressLookupReply,
        fails: [],
        handle: progress.show,
      }),
    ],
  };
}
