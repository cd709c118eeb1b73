import type { Request, RequestHandler } from "express";
import type { Deps } from "../../deps.js";
import { viewerOf } from "../../http/auth/guards.js";
import { upload } from "../../http/upload.js";
import { BrokenRule, MalformedId } from "../../lib/errors.js";
import { isObjectId, text } from "../../lib/fields.js";
import { requireOwnCourse } from "../../services/courses/course-access.js";
import type { UploadedFile } from "../../services/resources/store-resource.js";

const maxNameLength = 255;
const fileName = text(1, maxNameLength);

/** Reads the form of a resource, after it has checked that the course is the educator's. */
export const resourceUpload = ({ db }: Pick<Deps, "db">): RequestHandler =>
  upload({
    file: "file",
    maxFile: 25 * 1_048_576,
    maxField: 16_384,
    async before(req) {
      const { id } = req.params;
      if (typeof id !== "string" || !isObjectId(id)) throw MalformedId();
      await requireOwnCourse(db, id, viewerOf(req)?.id ?? "");
    },
  });

/** The file of a form. @throws InvalidRequest when there is no file, or its name is too long. */
export function uploadedFile({ file }: Request): UploadedFile {
  if (!file) throw BrokenRule("body.file: missing");
  const name = fileName.safeParse(file.originalname.replace(/\p{Cc}/gu, ""));
  if (!name.success) throw BrokenRule(`body.file: no name of 1 to ${maxNameLength} characters`);
  return { name: name.data, path: file.path, size: file.size };
}
