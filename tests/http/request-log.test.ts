import { request } from "node:http";
import { expect, test } from "vitest";
import { createLog } from "../../src/process.js";
import { startTestServer } from "../server/test-server.js";

const lines: Record<string, unknown>[] = [];
const sink = { write: (line: string) => void lines.push(JSON.parse(line)) };
const server = await startTestServer({ log: createLog("debug", [], sink) });
const { token } = await server.signedIn();

const linesOf = (requestId: string) => lines.filter((line) => line.requestId === requestId && line.req);

test("a request leaves one line with its id, path and status, and neither query, headers nor body", async () => {
  const headers = { "x-request-id": "asked-for-1", "x-secret": "hush" };
  const answer = await server.call("POST", "/api/user/get-course-progress?key=hush", {
    token,
    headers,
    body: { courseId: "hush" },
  });
  expect(answer.headers.get("x-request-id")).toBe("asked-for-1");
  await expect
    .poll(() => linesOf("asked-for-1"))
    .toEqual([
      {
        level: "info",
        time: expect.any(String),
        eventId: "request",
        requestId: "asked-for-1",
        req: { method: "POST", path: "/api/user/get-course-progress" },
        res: { status: 200 },
        responseTime: expect.any(Number),
        msg: "POST /api/user/get-course-progress 200",
      },
    ]);
  const written = JSON.stringify(lines);
  expect(written).not.toContain("hush");
  expect(written).not.toContain(token);
});

test("an id that is not well-formed is replaced by one of the server's own", async () => {
  for (const given of ["a b", "x".repeat(65), "<script>"]) {
    const id = (await server.get("/", undefined, { "x-request-id": given })).headers.get("x-request-id") ?? "";
    expect(id).toMatch(/^[\w-]{36}$/);
    await expect.poll(() => linesOf(id)).toHaveLength(1);
  }
});

test("a request whose client goes away leaves one line too", async () => {
  const leaving = request(`${server.url}/api/user/update-course-progress`, {
    method: "POST",
    headers: { "x-request-id": "left-1", "content-type": "application/json", "content-length": 100 },
  });
  leaving.on("error", () => undefined);
  leaving.write("{");
  setTimeout(() => leaving.destroy(), 50);
  await expect.poll(() => linesOf("left-1")).toHaveLength(1);
  await server.get("/");
  expect(linesOf("left-1")).toHaveLength(1);
});

test("probes are logged with level debug, unless they fail", async () => {
  for (const path of ["/", "/healthz", "/readyz", "/metrics"]) {
    await server.get(path, undefined, { "x-request-id": `probe${path}`.replace("/", ":") });
  }
  await server.get("/healthz/", undefined, { "x-request-id": "probe:unknown" });
  const levels = () =>
    lines.filter(({ requestId, req }) => req && String(requestId).startsWith("probe:")).map(({ level }) => level);
  await expect.poll(levels).toEqual(["debug", "debug", "debug", "debug", "info"]);
});

test("a malformed id is no fault: one line of level info, without a cause", async () => {
  await server.get("/api/course/not-an-id", undefined, { "x-request-id": "malformed-1" });
  await expect.poll(() => linesOf("malformed-1").map(({ msg }) => msg)).toEqual(["GET /api/course/not-an-id 500"]);
  expect(lines.find((line) => line.requestId === "malformed-1" && !line.req)).toEqual({
    level: "info",
    time: expect.any(String),
    eventId: "request_malformed",
    requestId: "malformed-1",
    path: "/api/course/not-an-id",
    error: "unexpected",
    msg: "the path has a malformed id",
  });
});

test("a path is cut, and hides the secret of an address to unsubscribe, in every line", async () => {
  const headers = (id: string) => ({ "x-request-id": id });
  await server.get(`/api/course/${"x".repeat(5_000)}`, undefined, headers("long-1"));
  await server.get("/unsubscribe/hushed-token/more", undefined, headers("hidden-1"));
  await server.call("POST", "/unsubscribe/hushed-token", {
    headers: { ...headers("hidden-2"), "content-type": "application/json" },
    body: "{",
  });
  await expect.poll(() => ["long-1", "hidden-1", "hidden-2"].flatMap(linesOf)).toHaveLength(3);
  const long = lines.filter(({ requestId }) => requestId === "long-1");
  expect(long).toHaveLength(2);
  for (const line of long) expect(JSON.stringify(line).length).toBeLessThan(2 * 2_048 + 300);
  expect(lines.filter(({ requestId }) => requestId === "hidden-2")).toHaveLength(2);
  expect(JSON.stringify(lines)).not.toContain("hushed-token");
});

test("a fault leaves its cause and one line of its own", async () => {
  await server.call("POST", "/clerk", { headers: { "x-request-id": "fault-1" }, body: {} });
  await expect.poll(() => linesOf("fault-1").map(({ msg }) => msg)).toEqual(["POST /clerk 500"]);
  expect(lines.filter((line) => line.requestId === "fault-1" && line.level === "error")).toHaveLength(1);
});
