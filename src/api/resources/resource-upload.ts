import type { Request, RequestHandler } from "express";
import type { Deps } from "../../deps.js";
import { managerOf } from "../../http/auth/guards.js";
import { upload } from "../../http/upload.js";
import { BrokenRule, MalformedId } from "../../lib/errors.js";
import { isObjectId, text } from "../../lib/fields.js";
import { findManagedCourse } from "../../services/courses/managed-course.js";
import type { UploadedFile } from "../../services/resources/store-resource.js";

const mebibyte = 1_048_576;
const maxNameLength = 255;
const fileName = text(1, maxNameLength);

/** Reads the form of a resource, after it has checked that the course is the educator's. */
export function resourceUpload({ db }: Pick<Deps, "db">): RequestHandler {
  const readForm = upload({ file: "file", maxFile: 25 * mebibyte, maxField: 16_384 });
  const requireCourse = async (req: Request): Promise<void> => {
    const { id } = req.params;
    if (typeof id !== "string" || !isObjectId(id)) throw MalformedId();
    await findManagedCourse(db, id, managerOf(req, "educator"));
  };
  return (req, res, next) => {
    requireCourse(req).then(() => readForm(req, res, next), next);
  };
}

/** The file of a form. @throws InvalidRequest when there is no file, or its name is too long. */
export function uploadedFile({ file }: Request): UploadedFile {
  if (!file) throw BrokenRule("body.file: missing");
  const name = fileName.safeParse(file.originalname.replace(/\p{Cc}/gu, ""));
  if (!name.success) throw BrokenRule(`body.file: no name of 1 to ${maxNameLength} characters`);
  return { name: name.data, path: file.path, size: file.size };
}
