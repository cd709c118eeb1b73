import { expect, test } from "vitest";
import { startTestServer } from "../server/test-server.js";
import { holdOpen, underWay } from "../server/unfinished-requests.js";

/*
 * The codes of refusals that no single route declares. tests/openapi.test.ts and tests/contract-fuzz compare those of
 * the routes with the description.
 */

const server = await startTestServer();
const [learner, educator] = [await server.signedIn(), await server.signedIn("educator")];

const json = { "content-type": "application/json" };
const unknownId = "665f1c2ab7e4d90012ab34cd";

test.each([
  ["an unknown route", "GET", "/api/nope", {}, 404, "route_not_found"],
  ["an unknown route of users without a token", "GET", "/api/user/nope", {}, 401, "unauthenticated"],
  ["an unknown route of users", "GET", "/api/user/nope", { token: learner.token }, 404, "route_not_found"],
  ["an unknown route of administrators", "GET", "/api/admin/nope", { token: learner.token }, 403, "wrong_role"],
  ["the community without a token", "POST", "/api/community/posts", { body: {} }, 401, "unauthenticated"],
  ["malformed JSON", "POST", "/api/user/purchase", { body: "{", headers: json }, 400, "invalid_request"],
  ["a body over the limit", "POST", "/api/user/purchase", { body: { a: "x".repeat(110_000) } }, 413, "body_too_large"],
  [
    ...(["another charset", "POST", "/api/user/purchase"] as const),
    ...([{ body: "{}", headers: { "content-type": "application/json; charset=latin1" } }, 415] as const),
    "unsupported_encoding",
  ],
  ["a malformed id in the path", "GET", "/api/user/enrolled-courses/x", { token: learner.token }, 500, "unexpected"],
  ["a course that does not exist", "GET", `/api/course/${unknownId}`, {}, 200, "course_not_found"],
  [
    "a course of nobody",
    "GET",
    `/api/educator/courses/${unknownId}`,
    { token: educator.token },
    404,
    "course_not_found",
  ],
])("%s has a code", async (_name, method, path, options, status, code) => {
  const answer = await server.call(method, path, options);
  expect(answer).toMatchObject({ status, body: { success: false } });
  expect(answer.headers.get("x-error-code")).toBe(code);
  expect(answer.headers.get("access-control-expose-headers")).toContain("X-Error-Code");
});

test("a page that says that a certificate is unknown has a code", async () => {
  const page = await server.get("/api/certificate/verify/nope", undefined, { accept: "text/html" });
  expect([page.status, page.headers.get("x-error-code")]).toEqual([404, "certificate_not_found"]);
});

test("a request over a limit, and one too many at once, have a code", async () => {
  const limited = await server.signedIn();
  const check = () => server.post("/api/user/coupon/check", {}, limited.token);
  const answers = await Promise.all(Array.from({ length: 11 }, check));
  expect(answers.map(({ headers }) => headers.get("x-error-code"))).toContain("payments_limit_exceeded");
  const ends = await holdOpen(server, learner, 64);
  await expect.poll(() => underWay(server)).toBe(64);
  const refused = await server.get("/api/user/data", learner.token);
  expect([refused.status, refused.headers.get("x-error-code")]).toEqual([503, "overloaded"]);
  ends();
});

test("an answer that is no refusal has none", async () => {
  expect((await server.get("/api/course/all")).headers.get("x-error-code")).toBeNull();
});
