import type { Request, RequestHandler } from "express";
import { upload } from "../../../http/upload.js";
import { BodyTooLarge, BrokenRule, failure } from "../../../lib/errors.js";
import { requireImage } from "../../../services/courses/store-thumbnail.js";
import { maxTextBytes } from "../../../services/lessons/lecture-blocks.js";

export const ThumbnailNotAttached = failure("thumbnail_not_attached", 400, "Thumbnail Not Attached");

const mebibyte = 1_048_576;
const maxCourseData = mebibyte;
// Longer texts are still read, so that a missing thumbnail is reported first. JSON may double the length of a text.
const readForm = upload({ file: "image", maxFile: 5 * mebibyte, maxField: 2 * (maxCourseData + maxTextBytes) });

/** Reads the form of a new course. Checks the thumbnail before everything else. */
export const newCourseForm: RequestHandler = afterForm(async (req) => {
  if (!req.file) throw ThumbnailNotAttached();
  requireFittingText(req);
  await requireImage(req.file.path);
});

/**
 * Reads an edit that is sent as a form. The thumbnail is optional, and the fields of `courseData` become the body.
 * `version` may be a separate field.
 */
export const courseEditForm: RequestHandler = afterForm(async (req) => {
  if (!req.is("multipart/form-data")) return;
  requireFittingText(req);
  if (req.file) await requireImage(req.file.path);
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
  if (typeof courseData !== "string" || Buffer.byteLength(courseData) <= maxCourseData) return;
  if (Buffer.byteLength(withoutTexts(courseData)) > maxCourseData) throw BodyTooLarge();
}

/** The JSON without the texts of blocks. @throws BodyTooLarge when it is not JSON, or the texts are too long. */
function withoutTexts(courseData: string): string {
  let bytes = 0;
  let rest: string;
  try {
    const parsed = JSON.parse(courseData, (_key, value) => {
      if (value?.kind !== "text" || typeof value.text !== "string") return value;
      bytes += Buffer.byteLength(value.text);
      return { ...value, text: "" };
    });
    rest = JSON.stringify(parsed);
  } catch (error) {
    throw BodyTooLarge(error);
  }
  if (bytes > maxTextBytes) throw BodyTooLarge();
  return rest;
}

function fieldsOf(courseData: unknown): object {
  if (courseData === undefined) return {};
  let parsed: unknown;
  try {
    parsed = JSON.parse(String(courseData));
  } catch {
    throw BrokenRule("courseData: not JSON");
  }
  if (typeof parsed !== "object" || parsed === null || Array.isArray(parsed))
    throw BrokenRule("courseData: not an object");
  return parsed;
}
