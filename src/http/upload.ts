import { randomUUID } from "node:crypto";
import { readdir, rm, stat } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pipeline, type Writable } from "node:stream";
import type { Request, RequestHandler } from "express";
import multer, { MulterError } from "multer";
import { ApiError, BodyTooLarge, BrokenRule } from "../lib/errors.js";
import { whenDone } from "./limits/requests-under-way.js";

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
 * Reads a multipart body into `req.file`, a temporary file that is removed after the request, and the text fields of
 * `req.body`. Files under other names are skipped. Bodies of other types are left alone.
 */
export function upload({ file, maxFile, maxField }: UploadLimits): RequestHandler {
  const maxBody = maxFile + 2 * maxField;
  const files = new WeakMap<object, "one" | "more">();
  const options: multer.Options & { streamHandler(req: Request, parser: Writable): void } = {
    storage: multer.diskStorage({ filename: (_req, _file, done) => done(null, temporaryName()) }),
    defParamCharset: "utf8",
    // A failure reaches the parser, and with it the middleware.
    streamHandler: (req, parser) => void pipeline(inBlocks(req, maxBody), parser, () => undefined),
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

  return (req, res, next) => {
    if (!req.is("multipart/form-data")) return next();
    if (Number(req.headers["content-length"]) > maxBody) {
      req.resume();
      throw BodyTooLarge();
    }
    parse(req, res, (error: unknown) => {
      if (error) return next(asApiError(error));
      [req.file] = Array.isArray(req.files) ? req.files : [];
      const { path } = req.file ?? {};
      const remove = () => void (path && rm(path, { force: true }).catch(() => undefined));
      // The client may have left while the file was written.
      if (res.closed) return remove();
      whenDone(res, remove);
      if (files.get(req) === "more") return next(BrokenRule(`body.${file}: more than one file`));
      next();
    });
  };
}

const blockBytes = 16_384;

/**
 * Reads a body in blocks. The parser keeps each chunk of a field, and a client may send chunks of one byte.
 * @throws BodyTooLarge
 */
async function* inBlocks(req: Request, maxBytes: number): AsyncGenerator<Buffer> {
  let received = 0;
  let block = Buffer.allocUnsafe(blockBytes);
  let length = 0;
  for await (const chunk of req.iterator({ destroyOnReturn: false }) as AsyncIterable<Buffer>) {
    received += chunk.length;
    if (received > maxBytes) throw BodyTooLarge();
    if (length + chunk.length > blockBytes) {
      yield block.subarray(0, length);
      block = Buffer.allocUnsafe(blockBytes);
      length = 0;
    }
    if (chunk.length > blockBytes) yield chunk;
    else length += chunk.copy(block, length);
  }
  yield block.subarray(0, length);
}

/** A malformed multipart body is the client's error. */
function asApiError(error: unknown) {
  if (error instanceof ApiError) return error;
  if (!(error instanceof MulterError)) return BrokenRule("body: not a multipart form", error);
  return tooLarge.has(error.code) ? BodyTooLarge(error) : BrokenRule(`body: ${error.code}`, error);
}

/** Names begin with the process, so that a later one finds what a killed one has left. */
const temporaryName = (): string => `lyceum-upload-${process.pid}-${randomUUID()}`;

/** Removes the temporary files of processes that were killed, as far as this process may. */
export async function removeLeftUploads(): Promise<void> {
  const startedAt = Date.now() - process.uptime() * 1_000;
  for (const name of await readdir(tmpdir()).catch(() => [])) {
    const pid = Number(/^lyceum-upload-(\d+)-/.exec(name)?.[1]);
    if (!pid) continue;
    const path = join(tmpdir(), name);
    // In a container, every process has the same number.
    const writtenAt = await stat(path).then(
      ({ mtimeMs }) => mtimeMs,
      () => startedAt,
    );
    const isLeft = pid === process.pid ? writtenAt < startedAt : !isRunning(pid);
    if (isLeft) await rm(path, { force: true }).catch(() => undefined);
  }
}

function isRunning(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === "EPERM";
  }
}
