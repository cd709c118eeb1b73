import type { Request } from "express";

/** Reads the `Authorization` header. A request with two of them counts as a request without one. */
export function authorizationOf(req: Request): string {
  const { authorization = "" } = req.headers;
  const isAmbiguous = authorization !== "" && (req.headersDistinct.authorization?.length ?? 0) > 1;
  return isAmbiguous ? "" : authorization;
}
