import type { RequestHandler } from "express";

/** More segments than any route has. In a longer path every segment is escaped, because each broken one costs an exception. */
const maxSegments = 32;

/**
 * Escapes path segments with a broken percent-encoding, so that they reach limits, guards and schemas. Express would fail
 * before.
 */
export const acceptBrokenEncoding: RequestHandler = (req, _res, next) => {
  if (req.url.includes("%")) {
    const [path = "", ...query] = req.url.split(/(?=\?)/);
    const segments = path.split("/", maxSegments + 1);
    const escaped = segments.length > maxSegments ? path.replaceAll("%", "%25") : segments.map(literal).join("/");
    req.url = escaped + query.join("");
  }
  next();
};

function literal(segment: string): string {
  try {
    decodeURIComponent(segment);
    return segment;
  } catch {
    return segment.replaceAll("%", "%25");
  }
}
