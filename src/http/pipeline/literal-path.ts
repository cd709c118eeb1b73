import type { RequestHandler } from "express";

/**
 * Takes a path segment with a broken percent-encoding literally. Otherwise Express fails before the limiter, the guard
 * and the schema of the route see the segment.
 */
export const acceptBrokenEncoding: RequestHandler = (req, _res, next) => {
  if (req.url.includes("%")) {
    const [path = "", ...query] = req.url.split(/(?=\?)/);
    req.url = path.split("/").map(literal).join("/") + query.join("");
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
