import type { RequestHandler } from "express";

/**
 * Escapes path segments with a broken percent-encoding, so that they reach limits, guards and schemas. Express would fail
 * before.
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
