import type { Writable } from "node:stream";
import type { Request, RequestHandler, Response } from "express";
import multer, { MulterError } from "multer";
import { BodyTooLarge, BrokenRule } from "../lib/errors.js";
import { ByteBudget } from "./limits/byte-budget.js";
import { readBody } from "./pipeline/bodies.js";

export interface UploadLimits {
  /** Field name of the one file. */
  readonly file: string;
  /** Bytes. */
  readonly maxFile: number;
  /** Bytes of one text field. */
  readonly maxField: number;
}

const tooLarge = new Set(["LIMIT_FILE_SIZE", "LIMIT_FIELD_VALUE"]);

/** Bytes of multipart bodies in memory. */
const maxHeldBytes = 64 * 1_048_576;

/**
 * Reads a multipart body into `req.file` and the text fields of `req.body`. Files under other names are skipped. Bodies
 * of other types are left alone.
 */
export function upload({ file, maxFile, maxField }: UploadLimits): RequestHandler {
  const files = new WeakMap<object, "one" | "more">();
  const bodies = new WeakMap<object, Buffer>();
  const budget = new ByteBudget(maxHeldBytes);
  const options: multer.Options & { streamHandler(req: Request, parser: Writable): void } = {
    storage: multer.memoryStorage(),
    defParamCharset: "utf8",
    // The parser gets the whole body, because it would keep every chunk, and chunks may have one byte.
    streamHandler: (req, parser) => void parser.end(bodies.get(req)),
    // Few fields are accepted, because all are held in memory.
    limits: { fileSize: maxFile, fieldSize: maxField, fieldNestingDepth: 0, fields: 4, files: 10, parts: 20 },
    fileFilter(req, { fieldname }, accept) {
      if (fieldname !== file) return accept(null, false);
      const isFirst = !files.has(req);
      files.set(req, isFirst ? "one" : "more");
      accept(null, isFirst);
    },
  };
  const parse = multer(options).any();

  const read = async (req: Request, res: Response): Promise<void> => {
    const body = await readBody(req, maxFile + 2 * maxField, (bytes) => budget.hold(res, bytes));
    bodies.set(req, body);
  };
  const parseForm: RequestHandler = (req, res, next) => {
    parse(req, res, (error: unknown) => {
      bodies.delete(req);
      if (error) return next(asApiError(error));
      if (files.get(req) === "more") return next(BrokenRule(`body.${file}: more than one file`));
      [req.file] = Array.isArray(req.files) ? req.files : [];
      next();
    });
  };
  return (req, res, next) => {
    if (!req.is("multipart/form-data")) return next();
    read(req, res).then(() => parseForm(req, res, next), next);
  };
}

/** A malformed multipart body is the client's error. */
function asApiError(error: unknown) {
  if (!(error instanceof MulterError)) return BrokenRule("body: not a multipart form", error);
  return tooLarge.has(error.code) ? BodyTooLarge(error) : BrokenRule(`body: ${error.code}`, error);
}
