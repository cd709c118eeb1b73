import { timingSafeEqual } from "node:crypto";
import type { Request } from "express";

/** Reads the token of `Authorization: Bearer`, or the empty string. */
export function bearerToken(req: Request): string {
  const [scheme, token] = (req.headers.authorization ?? "").split(" ");
  return scheme?.toLowerCase() === "bearer" ? (token ?? "") : "";
}

/** Reads user and password of `Authorization: Basic`. Both are empty when the header is missing. */
export function basicCredentials(req: Request): { user: string; password: string } {
  const [scheme, encoded] = (req.headers.authorization ?? "").split(" ");
  if (scheme?.toLowerCase() !== "basic") return { user: "", password: "" };
  const [user = "", ...password] = Buffer.from(encoded ?? "", "base64")
    .toString()
    .split(":");
  return { user, password: password.join(":") };
}

export function sameText(given: string, expected: string): boolean {
  const left = Buffer.from(given);
  const right = Buffer.from(expected);
  return left.length === right.length && timingSafeEqual(left, right);
}
