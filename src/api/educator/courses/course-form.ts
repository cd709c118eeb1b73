import type { Request, RequestHandler } from "express";
import { upload } from "../../../http/upload.js";
import { BodyTooLarge, failure, InvalidRequest } from "../../../lib/errors.js";
import { requireImage } from "../../../services/courses/store-thumbnail.js";

export const ThumbnailNotAttached = failure("thumbnail_not_attached", 400, "Thumbnail Not Attached");

const mebibyte = 1_048_576;
const maxCourseData = mebibyte;
// Text of up to twice its limit is still read, so that a missing thumbnail is reported first.
const readForm = upload({ file: "image", maxFile: 5 * mebibyte, maxField: 2 * maxCourseData });

/** Reads the form of a new course. Checks the thumbnail before everything else. */
export const newCourseForm: RequestHandler = afterForm(async (req) => {
  if (!req.file) throw ThumbnailNotAttached();
  requireFittingText(req);
  await requireImage(req.file.buffer);
});

/**
 * Reads an edit that is sent as a form. The thumbnail is optional, and the fields of `courseData` become the body.
 * `version` may be a separate field.
 */
export const courseEditForm: RequestHandler = afterForm(async (req) => {
  if (!req.is("multipart/form-data")) return;
  requireFittingText(req);
  if (req.file) await requireImage(req.file.buffer);
  const { courseData, version } = req.body as Record<string, unknown>;
  req.body = { ...(version === undefined ? {} : { version }), ...fieldsOf(courseData) };
});

function afterForm(accept: (req: Request) => Promise<void>): RequestHandler {
  return (req, res, next) => {
    readForm(req, res, (error?: unknown) => {
      if (error) return next(error);
      accept(req).then(() => next(), next);
    });
  };
}

function requireFittingText(req: Request): void {
  const { courseData } = req.body as Record<string, unknown>;
  if (typeof courseData === "string" && Buffer.byteLength(courseData) > maxCourseData) throw BodyTooLarge();
}

function fieldsOf(courseData: unknown): object {
  if (courseData === undefined) return {};
  let parsed: unknown;
  try {
    parsed = JSON.parse(String(courseData));
  } catch (error) {
    throw InvalidRequest(error);
  }
  if (typeof parsed !== "object" || parsed === null || Array.isArray(parsed)) throw InvalidRequest();
  return parsed;
}
