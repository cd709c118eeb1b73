import { request } from "node:http";
import { text } from "node:stream/consumers";
import { expect, test } from "vitest";
import { buildCourse } from "../factories/courses.js";
import { startTestServer } from "../server/test-server.js";

const server = await startTestServer();

/** With a `Host` of one's own, which `fetch` does not let one say. */
function asHost(host: string, path: string, headers: Record<string, string> = {}) {
  const { hostname, port } = new URL(server.url);
  return new Promise<{ status: number; headers: string; body: string }>((resolve, reject) => {
    const asked = request({ host: hostname, port, path, headers: { ...headers, host } }, async (res) => {
      resolve({ status: res.statusCode ?? 0, headers: JSON.stringify(res.headers), body: await text(res) });
    });
    asked.on("error", reject).end();
  });
}

test("no cache keeps an answer that a route does not say may be kept: of a caller, of a public route, or a failure", async () => {
  const learner = await server.signedIn();
  const paths = ["/api/user/data", "/api/user/purchases", "/api/quiz/my-results", "/api/community/posts"];
  const others = ["/api/course/665f1c2ab7e4d90012ab34cd", "/api/nowhere", "/api/admin/users", "/readyz"];
  for (const path of [...paths, ...others]) {
    for (const token of [learner.token, undefined]) {
      const { headers } = await server.get(path, token);
      expect([path, headers.get("cache-control"), headers.get("etag")]).toEqual([path, "no-store", null]);
    }
  }
});

test("the catalog is asked for anew, is the same for every caller, and has one tag for each encoding", async () => {
  const course = await buildCourse(server);
  const learner = await server.signedIn();
  const [anonymous, known] = [await server.get("/api/course/all"), await server.get("/api/course/all", learner.token)];
  expect(anonymous.headers.get("cache-control")).toBe("no-cache");
  expect(anonymous.headers.get("vary")).toMatch(/Accept-Encoding/);
  expect(known.body).toEqual(anonymous.body);
  expect(JSON.stringify(anonymous.body)).toContain(String(course._id));
  const identity = { "accept-encoding": "identity" };
  const tagFor = async (token?: string) => (await server.get("/api/course/all", token, identity)).headers.get("etag");
  const tag = await tagFor();
  expect(await tagFor(learner.token)).toBe(tag);
  // `fetch` takes and unpacks compressed answers.
  const compressed = await fetch(`${server.url}/api/course/all`);
  expect(compressed.headers.get("content-encoding")).not.toBeNull();
  expect(await compressed.json()).toEqual(anonymous.body);
  expect(compressed.headers.get("etag")).not.toBe(tag);
});

test("a host, a scheme or a port that a request makes up is nowhere in an answer", async () => {
  await buildCourse(server);
  const made = {
    ...{ "x-forwarded-host": "evil.example", "x-forwarded-proto": "evil", "x-forwarded-port": "666" },
    ...{ forwarded: "host=evil.example", "x-original-url": "/evil.example", "x-rewrite-url": "/evil.example" },
    ...{ origin: "https://evil.example", referer: "https://evil.example/" },
  };
  const pages = ["/api/course/all", "/api/docs", "/api/openapi.json", "/", "/nowhere"];
  const verification = "/api/certificate/verify/0b9c1f7e-3a52-4d68-8c0e-5d2f1a7b9e40";
  for (const path of [...pages, verification]) {
    const usual = await asHost("lyceum.example", path, { accept: "text/html" });
    const tried = await asHost("evil.example", path, { ...made, accept: "text/html" });
    expect([path, tried.status, tried.body]).toEqual([path, usual.status, usual.body]);
    expect(tried.headers + tried.body).not.toContain("evil");
  }
});
