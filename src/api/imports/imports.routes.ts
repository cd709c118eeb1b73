import type { Request } from "express";
import { Types } from "mongoose";
import type { Deps } from "../../deps.js";
import { managerOf } from "../../http/context.js";
import { forManagers } from "../../http/for-managers.js";
import { describedBatches } from "../../http/list-reply.js";
import { sendCsv } from "../../http/replies/csv.js";
import { type RouteGroup, route } from "../../http/route.js";
import { idInPath, upload } from "../../http/upload.js";
import { BodyTooLarge, BrokenRule } from "../../lib/errors.js";
import { findManagedCourse } from "../../services/courses/managed-course.js";
import { CourseNotFound, NotTheOwner } from "../../services/failures.js";
import { InvalidFile } from "../../services/grants/imports/read-table.js";
import {
  findImport,
  ImportNotFound,
  importRows,
  resultColumns,
  startImport,
} from "../../services/grants/imports/receive-import.js";
import { ImportBody, ImportReply, ImportStartedReply } from "./imports.schemas.js";

const maxFile = 10 * 1_048_576;

/** Enrolling many learners by a table. An educator's routes name the course in the path. */
export const importGroups = ({ db }: Deps): RouteGroup[] =>
  forManagers("enrollments", ["admin", "educator"], ({ role, isAdmin, infix }) => {
    const before = async (req: Request) => {
      if (!isAdmin) await findManagedCourse(db, idInPath(req, "courseId"), managerOf(req, role));
    };
    const path = isAdmin ? "/enrollments" : "/courses/:courseId/enrollments";
    const courseErrors = isAdmin ? [] : [CourseNotFound, NotTheOwner];
    const ofCourse = isAdmin ? "" : " into one of the educator's own courses";
    return [
      route("post", `${path}/import`, {
        operationId: `start${infix}Import`,
        summary: isAdmin
          ? "Enroll many learners in any courses"
          : "Enroll many learners in one of the educator's own courses",
        description:
          `A CSV table with the header \`${isAdmin ? "email,courseId,expiresAt" : "email,expiresAt"}\`, separated by ` +
          "commas or semicolons. An empty `expiresAt` gives access for good; a date without time means the end of that " +
          "day in UTC. The rows are processed in the background, and a bad row does not stop good ones. A refused file " +
          "is answered with `errors: [{row, message}]` and has no effect.",
        access: role,
        scope: "enrollments:write",
        upload: upload({ file: "file", maxFile, maxField: 65_536, before }),
        body: ImportBody,
        reply: ImportStartedReply,
        errors: [...courseErrors, InvalidFile, BodyTooLarge],
        async handle({ params, req: { file }, manager }) {
          if (!file) throw BrokenRule("body.file: missing");
          const courseId = "courseId" in params ? new Types.ObjectId(params.courseId) : null;
          return { importId: await startImport(db, file.path, courseId, manager) };
        },
      }),
      route("get", `${path}/imports/:importId`, {
        operationId: `get${infix}Import`,
        summary: `The progress of an import${ofCourse}`,
        access: role,
        scope: "enrollments:read",
        reply: ImportReply,
        errors: [...courseErrors, ImportNotFound],
        async handle(request) {
          const { state, ...shown } = await findImport(db, request.params, request.manager);
          return { import: { ...shown, state: state === "done" ? ("done" as const) : ("running" as const) } };
        },
      }),
      route("get", `${path}/imports/:importId/result.csv`, {
        operationId: `get${infix}ImportResult`,
        summary: `The result of each row of an import${ofCourse}`,
        description:
          "Every row as it was sent, with its outcome and the reason. Streamed. The outcome is empty until it is known.",
        access: role,
        scope: "enrollments:read",
        file: "text/csv",
        errors: [...courseErrors, ImportNotFound],
        async handle(request) {
          const found = await findImport(db, request.params, request.manager);
          return sendCsv(request.res, request.signal, {
            name: "result",
            columns: resultColumns,
            batches: describedBatches(importRows(db, found)),
            cells: (row) => resultColumns.map((column) => row[column]),
          });
        },
      }),
    ];
  });
