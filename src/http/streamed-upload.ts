import type { Readable } from "node:stream";
import type { Request, RequestHandler } from "express";
import multer, { MulterError, type StorageEngine } from "multer";
import { ApiError, BodyTooLarge, InvalidRequest, Unexpected } from "../lib/errors.js";

export interface StreamedUpload<T> {
  /** Field name of the one file. */
  readonly file: string;
  /** Bytes. */
  readonly maxFile: number;
  /** Reads the file while it arrives. Its failure is the answer. */
  receive(req: Request, file: Readable): Promise<T>;
  /** Removes the stored file of a form that is refused later. */
  discard(received: T): Promise<void>;
}

/**
 * Reads a multipart body with one file, which is never held in memory. Fields and other files are skipped.
 * @returns the middleware, and a look-up of the stored file of a request.
 */
export function streamedUpload<T>({ file, maxFile, receive, discard }: StreamedUpload<T>): {
  handler: RequestHandler;
  receivedOf(req: Request): T | undefined;
} {
  const received = new WeakMap<Request, T>();
  const failures = new WeakMap<Request, unknown>();
  const storage: StorageEngine = {
    _handleFile(req, { stream }, done) {
      receive(req, stream).then(
        (value) => {
          received.set(req, value);
          done(null, {});
        },
        (error: unknown) => {
          // A body that ends too early, or is not a form, is an error of the stream.
          if (!stream.errored) failures.set(req, error);
          stream.resume();
          done(error);
        },
      );
    },
    _removeFile(req, _file, done) {
      const value = received.get(req);
      if (value === undefined) return done(null);
      discard(value).then(() => done(null), done);
    },
  };
  const parse = multer({
    storage,
    limits: { fileSize: maxFile, fieldSize: 1_000, fieldNestingDepth: 0, fields: 10, files: 1, parts: 12 },
    fileFilter: (_req, { fieldname }, accept) => accept(null, fieldname === file),
  }).any();
  return {
    handler: (req, res, next) => {
      parse(req, res, (error: unknown) => next(error ? asApiError(error, failures.get(req)) : undefined));
    },
    receivedOf: (req) => received.get(req),
  };
}

/** @param failure error of the receiver. Any other error is an error of the form. */
function asApiError(error: unknown, failure: unknown): unknown {
  if (failure !== undefined) return failure instanceof ApiError ? failure : Unexpected(failure);
  if (error instanceof MulterError)
    return error.code === "LIMIT_FILE_SIZE" ? BodyTooLarge(error) : InvalidRequest(error);
  return InvalidRequest(error);
}
