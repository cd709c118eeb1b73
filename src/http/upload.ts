import { randomUUID } from "node:crypto";
import { mkdir, readdir, rm, stat } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { finished, Transform } from "node:stream";
import type { Request, RequestHandler } from "express";
import multer, { MulterError } from "multer";
import { ApiError, BodyTooLarge, BrokenRule, MalformedId, Unexpected } from "../lib/errors.js";
import { isObjectId } from "../lib/fields.js";
import { whenDone } from "./limits/client-budget.js";

export interface UploadLimits {
  /** Field name of the one file. */
  readonly file: string;
  /** Bytes. */
  readonly maxFile: number;
  /** Bytes of one text field. */
  readonly maxField: number;
  /** Checks a request before its body is read. */
  before?(req: Request): Promise<void>;
}

const tooLarge = new Set(["LIMIT_FILE_SIZE", "LIMIT_FIELD_VALUE"]);

/**
 * Reads a multipart body into `req.file`, a temporary file that is removed after the request, and the text fields of
 * `req.body`. Files under other names are skipped. Bodies of other types are left alone.
 */
export function upload({ file, maxFile, maxField, before }: UploadLimits): RequestHandler {
  const maxBody = maxFile + 2 * maxField;
  const files = new WeakMap<object, "one" | "more">();
  const parse = multer({
    storage: multer.diskStorage({
      destination: (_req, _file, done) =>
        void ownFolder().then(
          (folder) => done(null, folder),
          (error) => done(error, ""),
        ),
    }),
    defParamCharset: "utf8",
    // Few fields are accepted, because all are held in memory.
    limits: { fileSize: maxFile, fieldSize: maxField, fieldNestingDepth: 0, fields: 4, files: 10, parts: 20 },
    fileFilter(form, { fieldname }, accept) {
      if (fieldname !== file) return accept(null, false);
      const isFirst = !files.has(form);
      files.set(form, isFirst ? "one" : "more");
      accept(null, isFirst);
    },
  }).any();

  const readForm: RequestHandler = (req, res, next) => {
    if (!req.is("multipart/form-data")) return next();
    if (Number(req.headers["content-length"]) > maxBody) {
      req.resume();
      return next(BodyTooLarge());
    }
    const form = formOf(req, maxBody);
    parse(form, res, (error: unknown) => {
      if (error) {
        const failed = asApiError(error);
        req.unpipe().resume();
        // Nobody waits for the end of a body that is too long.
        if (failed.id === BodyTooLarge.id && !req.readableEnded) res.setHeader("Connection", "close");
        return next(failed);
      }
      req.body = form.body;
      [req.file] = Array.isArray(form.files) ? form.files : [];
      const { path } = req.file ?? {};
      const remove = () => void (path && rm(path, { force: true }).catch(() => undefined));
      // The client may have left while the file was written.
      if (res.closed) return remove();
      whenDone(res, remove);
      if (files.get(form) === "more") return next(BrokenRule(`body.${file}: more than one file`));
      next();
    });
  };
  if (!before) return readForm;
  return (req, res, next) => {
    before(req)
      .then(() => readForm(req, res, next))
      .catch(next);
  };
}

/** An object id in the path, for a check before the path is parsed. @throws MalformedId */
export function idInPath({ params }: Request, name: string): string {
  const id = params[name];
  if (typeof id !== "string" || !isObjectId(id)) throw MalformedId();
  return id;
}

const blockBytes = 16_384;

/**
 * The request as the parser reads it: its head, and its body in blocks. The parser keeps each chunk of a field, and a
 * client may send chunks of one byte. The form fails after `maxBytes`, and when the client leaves.
 */
function formOf(req: Request, maxBytes: number): Request {
  let received = 0;
  let block = Buffer.allocUnsafe(blockBytes);
  let length = 0;
  const blocks = new Transform({
    transform(chunk: Buffer, _encoding, done) {
      received += chunk.length;
      if (received > maxBytes) return done(BodyTooLarge());
      if (length + chunk.length > blockBytes) {
        this.push(block.subarray(0, length));
        block = Buffer.allocUnsafe(blockBytes);
        length = 0;
      }
      if (chunk.length > blockBytes) this.push(chunk);
      else length += chunk.copy(block, length);
      done();
    },
    flush: (done) => done(null, block.subarray(0, length)),
  });
  // `pipeline` would close the connection after a failure.
  req.pipe(blocks);
  finished(req, { writable: false }, (error) => error && blocks.destroy(error));
  return Object.assign(blocks, { headers: req.headers }) as unknown as Request;
}

function asApiError(error: unknown): ApiError {
  if (error instanceof ApiError) return error;
  // A call of the system that fails is the server's error, and a malformed multipart body is the client's.
  if (error instanceof Error && "syscall" in error) return Unexpected(error);
  if (!(error instanceof MulterError)) return BrokenRule("body: not a multipart form", error);
  return tooLarge.has(error.code) ? BodyTooLarge(error) : BrokenRule(`body: ${error.code}`, error);
}

const folderPrefix = "lyceum-upload-";

/** The folder of this process for temporary files. */
const folderName = `${folderPrefix}${randomUUID()}`;

/** Creates the folder, which only its user may read, unless it exists. A cleaner may have removed it. */
async function ownFolder(): Promise<string> {
  const folder = join(tmpdir(), folderName);
  await mkdir(folder, { recursive: true, mode: 0o700 });
  return folder;
}

/** Age of a folder that a killed process has left. No request lasts as long. */
const leftAfterMs = 3_600_000;

/** Removes the temporary folders of killed processes, as far as this process may. */
export async function removeLeftUploads(): Promise<void> {
  for (const name of await readdir(tmpdir()).catch(() => [])) {
    if (!name.startsWith(folderPrefix)) continue;
    const path = join(tmpdir(), name);
    const changedAt = await stat(path).then(
      ({ mtimeMs }) => mtimeMs,
      () => Date.now(),
    );
    if (Date.now() - changedAt > leftAfterMs) await rm(path, { recursive: true, force: true }).catch(() => undefined);
  }
}
