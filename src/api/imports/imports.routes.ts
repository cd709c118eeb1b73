import type { Request, Response } from "express";
import { Types } from "mongoose";
import type { Deps } from "../../deps.js";
import { managerOf } from "../../http/auth/manager-of.js";
import { sendCsv } from "../../http/replies/csv.js";
import { describedBatches } from "../../http/reply-with-list.js";
import { type RouteGroup, route } from "../../http/route.js";
import { BodyTooLarge, InvalidRequest } from "../../lib/errors.js";
import type { Manager } from "../../models/users/manager.js";
import type { Viewer } from "../../models/users/user.js";
import { NotTheOwner } from "../../services/courses/edit-course.js";
import { CourseNotFound } from "../../services/failures.js";
import { findImport, ImportNotFound, importRows, resultColumns } from "../../services/grants/imports/find-import.js";
import { InvalidFile } from "../../services/grants/imports/read-table.js";
import { startImport } from "../../services/grants/imports/receive-import.js";
import { importUpload } from "./import-upload.js";
import {
  CourseImportParams,
  CourseParams,
  ImportBody,
  ImportParams,
  ImportReply,
  ImportStartedReply,
} from "./imports.schemas.js";

const describeTable = (header: string) =>
  `A CSV table with the header \`${header}\`, separated by commas or semicolons. An empty \`expiresAt\` gives access ` +
  "for good; a date without time means the end of that day in UTC. The rows are processed in the background, and a " +
  "bad row does not stop good ones. A refused file is answered with `errors: [{row, message}]` and has no effect.";
const csv =
  "Every row as it was sent, with its outcome and the reason. Streamed. The outcome is empty until it is known.";

interface StartRequest {
  readonly params: { readonly courseId: string } | undefined;
  readonly viewer: Viewer;
  readonly req: Request;
}

interface ImportRequest {
  /** `courseId` is in the path of an educator only. */
  readonly params: { readonly importId: string; readonly courseId?: string };
  readonly viewer: Viewer;
  readonly req: Request;
  readonly res: Response;
  readonly signal: AbortSignal;
}

/** Enrolling many learners by a table. */
export function importGroups(deps: Deps): RouteGroup[] {
  const { db } = deps;
  async function start({ params, viewer, req }: StartRequest, role: Manager["role"]) {
    if (!req.file) throw InvalidRequest();
    const course = params ? new Types.ObjectId(params.courseId) : null;
    const manager = managerOf({ viewer, req }, role);
    return { importId: await startImport(db, req.file.path, { courseId: course, manager }) };
  }
  const find = ({ params, viewer, req }: ImportRequest, role: Manager["role"]) =>
    findImport(db, params, managerOf({ viewer, req }, role));
  async function show(request: ImportRequest, role: Manager["role"]) {
    const { state, ...shown } = await find(request, role);
    return { import: { ...shown, state: state === "done" ? ("done" as const) : ("running" as const) } };
  }
  async function sendResult(request: ImportRequest, role: Manager["role"]) {
    const batches = describedBatches(importRows(db, await find(request, role)));
    return sendCsv(request.res, request.signal, {
      name: "result",
      columns: resultColumns,
      batches,
      cells: (row) => resultColumns.map((column) => row[column]),
    });
  }

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
          operationId: "startAdminImport",
          summary: "Enroll many learners in any courses",
          description: describeTable("email,courseId,expiresAt"),
          access: "admin",
          scope: "enrollments:write",
          upload: importUpload(deps, "admin"),
          body: ImportBody,
          reply: ImportStartedReply,
          errors: [InvalidFile, BodyTooLarge],
          handle: (request) => start(request, "admin"),
        }),
        route({
          method: "get",
          path: "/enrollments/imports/:importId",
          operationId: "getAdminImport",
          summary: "The progress of an import",
          access: "admin",
          scope: "enrollments:read",
          params: ImportParams,
          reply: ImportReply,
          errors: [ImportNotFound],
          handle: (request) => show(request, "admin"),
        }),
        route({
          method: "get",
          path: "/enrollments/imports/:importId/result.csv",
          operationId: "getAdminImportResult",
          summary: "The result of each row of an import",
          description: csv,
          access: "admin",
          scope: "enrollments:read",
          params: ImportParams,
          file: "text/csv",
          errors: [ImportNotFound],
          handle: (request) => sendResult(request, "admin"),
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
          operationId: "startImport",
          summary: "Enroll many learners in one of the educator's own courses",
          description: describeTable("email,expiresAt"),
          access: "educator",
          scope: "enrollments:write",
          upload: importUpload(deps, "educator"),
          params: CourseParams,
          body: ImportBody,
          reply: ImportStartedReply,
          errors: [CourseNotFound, NotTheOwner, InvalidFile, BodyTooLarge],
          handle: (request) => start(request, "educator"),
        }),
        route({
          method: "get",
          path: "/courses/:courseId/enrollments/imports/:importId",
          operationId: "getImport",
          summary: "The progress of an import into one of the educator's own courses",
          access: "educator",
          scope: "enrollments:read",
          params: CourseImportParams,
          reply: ImportReply,
          errors: [CourseNotFound, NotTheOwner, ImportNotFound],
          handle: (request) => show(request, "educator"),
        }),
        route({
          method: "get",
          path: "/courses/:courseId/enrollments/imports/:importId/result.csv",
          operationId: "getImportResult",
          summary: "The result of each row of an import into one of the educator's own courses",
          description: csv,
          access: "educator",
          scope: "enrollments:read",
          params: CourseImportParams,
          file: "text/csv",
          errors: [CourseNotFound, NotTheOwner, ImportNotFound],
          handle: (request) => sendResult(request, "educator"),
        }),
      ],
    },
  ];
}
