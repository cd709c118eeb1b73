import type { Request } from "express";
import type { Deps } from "../../deps.js";
import { managerOf } from "../../http/context.js";
import { type RouteGroup, route } from "../../http/route.js";
import { idInPath, upload } from "../../http/upload.js";
import { BodyTooLarge, BrokenRule } from "../../lib/errors.js";
import { text } from "../../lib/fields.js";
import type { CourseResource } from "../../models/courses/course-resource.js";
import { CourseNotAccessible, requireFileAccess } from "../../services/courses/course-access.js";
import { findManagedCourse } from "../../services/courses/managed-course.js";
import { LectureNotOpen } from "../../services/courses/release.js";
import { CourseNotFound, NotTheOwner } from "../../services/failures.js";
import { CourseLocked } from "../../services/paths/course-lock.js";
import { FileTypeNotAllowed } from "../../services/resources/recognise-file.js";
import {
  findResource,
  listResources,
  ResourceInUse,
  ResourceNotFound,
  removeResource,
} from "../../services/resources/resources.js";
import { storeResource, TooManyResources, type UploadedFile } from "../../services/resources/store-resource.js";
import { ResourceForm, ResourceReply, ResourcesReply } from "./resources.schemas.js";
import { RangeNotSatisfiable, sendResource } from "./send-resource.js";

const maxFile = 25 * 1_048_576;
const maxNameLength = 255;
const fileName = text(1, maxNameLength);

/** The file of a form. @throws InvalidRequest when there is no file, or its name is too long. */
function uploadedFile({ file }: Request): UploadedFile {
  if (!file) throw BrokenRule("body.file: missing");
  const name = fileName.safeParse(file.originalname.replace(/\p{Cc}/gu, ""));
  if (!name.success) throw BrokenRule(`body.file: no name of 1 to ${maxNameLength} characters`);
  return { name: name.data, path: file.path, size: file.size };
}

const viewOf = ({ _id, ...resource }: CourseResource) => ({ ...resource, resourceId: _id });

/** Files of courses: an educator manages them, learners download them. */
export function resourceGroups(deps: Deps): RouteGroup[] {
  const { db, storage } = deps;
  const before = async (req: Request) => {
    await findManagedCourse(db, idInPath(req, "id"), managerOf(req, "educator"));
  };
  return [
    {
      name: "educator",
      base: "/api/educator",
      routes: [
        route("post", "/courses/:id/resources", {
          operationId: "addResource",
          summary: "Add a file to one of the educator's courses",
          description:
            "The content of the file decides its type. Among text files the name decides; they may have any usual encoding. HTML and SVG are " +
            "refused whatever their name. A course may have 200 files.",
          access: "educator",
          upload: upload({ file: "file", maxFile, maxField: 16_384, before }),
          body: ResourceForm,
          reply: ResourceReply,
          errors: [CourseNotFound, NotTheOwner, BodyTooLarge, FileTypeNotAllowed, TooManyResources],
          async handle({ params, manager, req }) {
            const file = uploadedFile(req);
            const course = await findManagedCourse(db, params.id, manager);
            return { resource: viewOf(await storeResource(deps, course, file)) };
          },
        }),
        route("get", "/courses/:id/resources", {
          operationId: "listResources",
          summary: "The files of one of the educator's courses",
          access: "educator",
          reply: ResourcesReply,
          errors: [CourseNotFound, NotTheOwner],
          async handle({ params, manager }) {
            const course = await findManagedCourse(db, params.id, manager);
            return { resources: (await listResources(db, course)).map(viewOf) };
          },
        }),
        route("delete", "/courses/:id/resources/:resourceId", {
          operationId: "removeResource",
          summary: "Remove a file from one of the educator's courses",
          access: "educator",
          errors: [CourseNotFound, NotTheOwner, ResourceNotFound, ResourceInUse],
          async handle({ params, manager }) {
            const course = await findManagedCourse(db, params.id, manager);
            await removeResource(db, course, params.resourceId);
            return {};
          },
        }),
      ],
    },
    {
      name: "user",
      base: "/api/user",
      routes: [
        route("get", "/resources/:courseId/:resourceId", {
          operationId: "downloadResource",
          summary: "Download a file of a course",
          description:
            "For learners of the course, if one of its lectures names the file, and for its educator. The response has the " +
            "file's own name and type. A `Range` of bytes is answered 206.",
          access: "user",
          file: "application/octet-stream",
          errors: [CourseNotAccessible, CourseLocked, LectureNotOpen, ResourceNotFound, RangeNotSatisfiable],
          async handle(request) {
            const { params, viewer } = request;
            await requireFileAccess(db, viewer.id, params);
            return sendResource(storage, request, await findResource(db, params.courseId, params.resourceId));
          },
        }),
      ],
    },
  ];
}
