import type { Deps } from "../../deps.js";
import { type RouteGroup, route } from "../../http/route.js";
import { BodyTooLarge } from "../../lib/errors.js";
import { NotTheOwner } from "../../services/courses/edit-course.js";
import { CourseNotFound } from "../../services/failures.js";
import { ImportNotFound } from "../../services/grants/imports/find-import.js";
import { InvalidFile } from "../../services/grants/imports/read-table.js";
import { importUpload } from "./import-upload.js";
import { importsController } from "./imports.controller.js";
import {
  CourseImportParams,
  CourseParams,
  ImportBody,
  ImportParams,
  ImportReply,
  ImportStartedReply,
  ResultReply,
} from "./imports.schemas.js";

const table = (header: string) =>
  `A CSV table with the header \`${header}\`: commas or semicolons, an empty \`expiresAt\` for access for good, a date ` +
  "for its first moment in UTC. The rows are worked through afterwards; a bad row does not stop good ones. A refused " +
  "file is answered with `errors: [{row, message}]`, and nothing of it takes effect.";
const csv = "Every row as it was sent, with its outcome and why; streamed. An outcome that is not known yet is empty.";

/** Enrolling many learners by a table. */
export function importGroups(deps: Deps): RouteGroup[] {
  const uploads = { admin: importUpload(deps, "admin"), educator: importUpload(deps, "educator") };
  const admin = importsController(deps, "admin", uploads.admin);
  const educator = importsController(deps, "educator", uploads.educator);
  const own = [CourseNotFound, NotTheOwner];
  return [
    {
      name: "enrollments",
      base: "/api/admin",
      access: "admin",
      limit: "admin",
      routes: [
        route({
          method: "post",
          path: "/enrollments/import",
          summary: "Enroll many learners in any courses",
          description: table("email,courseId,expiresAt"),
          access: "admin",
          upload: uploads.admin.handler,
          body: ImportBody,
          reply: ImportStartedReply,
          errors: [InvalidFile, BodyTooLarge],
          handle: admin.start,
        }),
        route({
          method: "get",
          path: "/enrollments/imports/:importId",
          summary: "How far an import is",
          access: "admin",
          params: ImportParams,
          reply: ImportReply,
          errors: [ImportNotFound],
          handle: admin.show,
        }),
        route({
          method: "get",
          path: "/enrollments/imports/:importId/result.csv",
          summary: "The result of each row of an import",
          description: csv,
          access: "admin",
          params: ImportParams,
          reply: ResultReply,
          alsoProduces: ["text/csv"],
          errors: [ImportNotFound],
          handle: admin.result,
        }),
      ],
    },
    {
      name: "enrollments",
      base: "/api/educator",
      routes: [
        route({
          method: "post",
          path: "/courses/:courseId/enrollments/import",
          summary: "Enroll many learners in a course of one's own",
          description: table("email,expiresAt"),
          access: "educator",
          upload: uploads.educator.handler,
          params: CourseParams,
          body: ImportBody,
          reply: ImportStartedReply,
          errors: [...own, InvalidFile, BodyTooLarge],
          handle: educator.start,
        }),
        route({
          method: "get",
          path: "/courses/:courseId/enrollments/imports/:importId",
          summary: "How far an import into a course of one's own is",
          access: "educator",
          params: CourseImportParams,
          reply: ImportReply,
          errors: [...own, ImportNotFound],
          handle: educator.show,
        }),
        route({
          method: "get",
          path: "/courses/:courseId/enrollments/imports/:importId/result.csv",
          summary: "The result of each row of an import into a course of one's own",
          description: csv,
          access: "educator",
          params: CourseImportParams,
          reply: ResultReply,
          alsoProduces: ["text/csv"],
          errors: [...own, ImportNotFound],
          handle: educator.result,
        }),
      ],
    },
  ];
}
