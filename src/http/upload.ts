import type { RequestHandler } from "express";
import multer, { MulterError } from "multer";
import { BodyTooLarge, InvalidRequest } from "./errors.js";

export interface UploadLimits {
  /** Field name of the one file. */
  readonly file: string;
  /** Bytes. */
  readonly maxFile: number;
  /** Bytes of one text field. */
  readonly maxField: number;
}

const tooLarge = new Set(["LIMIT_FILE_SIZE", "LIMIT_FIELD_VALUE"]);

/**
 * Reads a multipart body with one file into memory: `req.file` and the text fields in `req.body`. Files under other
 * names are skipped unread. A client that goes away leaves nothing behind. Other bodies are left alone.
 */
export function upload({ file, maxFile, maxField }: UploadLimits): RequestHandler {
  const read = new WeakMap<object, "one" | "more">();
  const parse = multer({
    storage: multer.memoryStorage(),
    // All of it is held in memory, so few fields are taken.
    limits: { fileSize: maxFile, fieldSize: maxField, fieldNestingDepth: 0, fields: 4, files: 10, parts: 20 },
    fileFilter(req, { fieldname }, accept) {
      if (fieldname !== file) return accept(null, false);
      const isFirst = !read.has(req);
      read.set(req, isFirst ? "one" : "more");
      accept(null, isFirst);
    },
  }).any();

  return (req, res, next) => {
    parse(req, res, (error: unknown) => {
      if (error) return next(asApiError(error));
      if (read.get(req) === "more") return next(refused(`body.${file}: more than one file`));
      [req.file] = Array.isArray(req.files) ? req.files : [];
      next();
    });
  };
}

/** A malformed multipart body is the client's error. */
function asApiError(error: unknown) {
  if (!(error instanceof MulterError)) return refused("body: not a multipart form", error);
  return tooLarge.has(error.code) ? BodyTooLarge(error) : refused(`body: ${error.code}`, error);
}

function refused(explanation: string, cause?: unknown) {
  return Object.assign(InvalidRequest(cause), { explain: () => explanation });
}
