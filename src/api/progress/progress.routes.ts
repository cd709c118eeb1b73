import type { Deps } from "../../deps.js";
import { type RouteGroup, route } from "../../http/route.js";
import type { Issuer } from "../../services/certificates/issue-certificate.js";
import { CourseNotFound, CourseNotPurchased } from "../../services/failures.js";
import { InvalidLecture } from "../../services/learning/record-progress.js";
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
        errors: [CourseNotFound, CourseNotPurchased, InvalidLecture],
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
        errors: [],
        handle: progress.show,
      }),
    ],
  };
}
