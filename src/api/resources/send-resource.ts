import { once } from "node:events";
import type { Request, Response } from "express";
import { type AlreadySent, alreadySent } from "../../http/route.js";
import { failure } from "../../lib/errors.js";
import type { CourseResource } from "../../models/courses/course-resource.js";
import type { OpenedFile, Range, Storage } from "../../providers/cloudinary.js";
import { fileOf } from "../../services/resources/resources.js";

export const RangeNotSatisfiable = failure("range_not_satisfiable", 416, "Range not satisfiable");

interface Download {
  readonly req: Request;
  readonly res: Response;
  readonly signal: AbortSignal;
}

/**
 * Streams the file of a resource from the storage, as fast as the client reads. The head waits for the first bytes, so that
 * an earlier error has an answer of its own. A later error cuts the connection, so that half a file never looks complete.
 * @throws RangeNotSatisfiable, and errors of the storage.
 */
export async function sendResource(
  storage: Storage,
  { req, res, signal }: Download,
  { _id, file, name, size, contentType, charset }: CourseResource,
): Promise<AlreadySent> {
  const etag = `"${_id}"`;
  const setHead = (length: number) =>
    res.attachment(name).set({
      // Express adds the usual `charset` to texts.
      "Content-Type": charset ? `${contentType}; charset=${charset}` : contentType,
      "Content-Length": String(length),
      "Cache-Control": "private, no-store",
      "Accept-Ranges": "bytes",
      ETag: etag,
    });
  if (req.method === "HEAD") {
    setHead(size).end();
    return alreadySent;
  }
  const range = rangeOf(req, etag, size);
  if (range && range.first >= size) {
    res.set("Content-Range", `bytes */${size}`);
    throw RangeNotSatisfiable();
  }
  const { first, last } = range ?? { first: 0, last: size - 1 };
  // `pipeline` would add more listeners to the response than Node allows without a warning.
  const send = async (piece: Buffer) => void (res.write(piece) || (await once(res, "drain", { signal })));
  try {
    const opened = await storage.open(fileOf({ file }), { range, signal });
    const pieces = piecesOf(opened, { first, last }, size);
    const begin = await pieces.next();
    setHead(last - first + 1);
    if (range) res.status(206).set("Content-Range", `bytes ${first}-${last}/${size}`);
    if (!begin.done) await send(begin.value);
    for await (const piece of pieces) await send(piece);
    res.end();
  } catch (error) {
    if (!signal.aborted) throw error;
  }
  return alreadySent;
}

/**
 * The single range that a request asks for. It begins behind the end of the file when the file has no such part. A file
 * never changes, so another tag belongs to another file.
 */
function rangeOf({ headers }: Request, etag: string, size: number): Range | undefined {
  const { range = "", "if-range": condition = etag } = headers;
  const [, from = "", to = ""] = /^bytes=[ \t]*(\d*)-(\d*)[ \t]*$/i.exec(range) ?? [];
  if (condition !== etag || (!from && !to)) return undefined;
  if (!from) return { first: Math.max(0, size - Number(to)), last: size - 1 };
  if (to && Number(to) < Number(from)) return undefined;
  return { first: Number(from), last: to ? Math.min(Number(to), size - 1) : size - 1 };
}

/** The bytes of a range, from a storage that sends it or the whole file. @throws when it sends fewer or more. */
async function* piecesOf({ body, isWhole }: OpenedFile, { first, last }: Range, size: number): AsyncGenerator<Buffer> {
  const end = isWhole ? size : last + 1;
  let at = isWhole ? 0 : first;
  for await (const piece of body as AsyncIterable<Buffer>) {
    const part = piece.subarray(Math.max(0, first - at), last + 1 - at);
    at += piece.length;
    if (at > end) break;
    if (part.length > 0) yield part;
    if (at > last && last + 1 < end) return;
  }
  if (at !== end) throw new Error(`media storage: a file of ${size} bytes has ${at > end ? "more" : "fewer"}`);
}
