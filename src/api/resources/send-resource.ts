import { once } from "node:events";
import type { Request, Response } from "express";
import { type AlreadySent, alreadySent } from "../../http/route.js";
import { failure } from "../../lib/errors.js";
import type { CourseResource } from "../../models/courses/course-resource.js";
import type { Storage } from "../../providers/cloudinary.js";
import { fileOf } from "../../services/resources/resources.js";

export const RangeNotSatisfiable = failure("range_not_satisfiable", 416, "Range not satisfiable");

interface Download {
  readonly req: Request;
  readonly res: Response;
  readonly signal: AbortSignal;
}

/**
 * Streams the file of a resource from the storage, as fast as the client reads. An error after the head cuts the
 * connection, so that half a file never looks complete.
 * @throws RangeNotSatisfiable, and errors of the storage.
 */
export async function sendResource(
  storage: Storage,
  { req, res, signal }: Download,
  { _id, file, name, size, contentType }: CourseResource,
): Promise<AlreadySent> {
  const etag = `"${_id}"`;
  const setHead = (headers: Readonly<Record<string, string>>) =>
    res.attachment(name).set({
      "Content-Type": contentType,
      "Cache-Control": "private, no-store",
      "Accept-Ranges": "bytes",
      ETag: etag,
      ...headers,
    });
  if (req.method === "HEAD") {
    setHead({ "Content-Length": String(size) }).end();
    return alreadySent;
  }
  try {
    const opened = await storage.open(fileOf({ file }), { range: rangeOf(req, etag), signal });
    if (opened.status === 416) {
      res.set("Content-Range", `bytes */${size}`);
      throw RangeNotSatisfiable();
    }
    setHead(opened.headers).status(opened.status);
    // `pipeline` would add more listeners to the response than Node allows without a warning.
    for await (const piece of opened.body) if (!res.write(piece)) await once(res, "drain", { signal });
    res.end();
  } catch (error) {
    if (!signal.aborted) throw error;
  }
  return alreadySent;
}

/** The single range that a request asks for. A file never changes, so another tag belongs to another file. */
function rangeOf({ headers }: Request, etag: string): string | undefined {
  const { range = "", "if-range": condition = etag } = headers;
  return condition === etag && /^bytes=(?:\d+-\d*|-\d+)$/.test(range) ? range : undefined;
}
