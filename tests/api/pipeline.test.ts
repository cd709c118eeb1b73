import { gzipSync } from "node:zlib";
import request from "supertest";
import { describe, expect, test } from "vitest";
import { startTestServer } from "../support/server.js";

const server = await startTestServer();
const token = (await server.signedIn()).token;

const invalid = { success: false, message: "Invalid request data" };

describe("seen from outside", () => {
  test("GET / answers operations with a plain text", async () => {
    await request(server.url)
      .get("/")
      .expect(200, "API Working")
      .expect("content-type", /^text\/plain/);
    await request(server.url).head("/").expect(200);
  });

  test("health, readiness and metrics", async () => {
    expect(await server.get("/healthz")).toMatchObject({ status: 200, body: { status: "ok" } });
    expect(await server.get("/readyz")).toMatchObject({ status: 200, body: { status: "ready" } });
    const metrics = await server.get("/metrics");
    expect(metrics.status).toBe(200);
    expect(metrics.body).toContain("process_cpu_seconds_total");
  });

  test("METRICS_TOKEN protects the metrics", async () => {
    const closed = await startTestServer({ env: { METRICS_TOKEN: "m3trics" } });
    expect(await closed.get("/metrics")).toMatchObject({
      status: 401,
      body: { success: false, message: "Unauthorized Access" },
    });
    expect((await closed.get("/metrics", "m3trics")).status).toBe(200);
    expect((await closed.get("/metrics", "m3tricsX")).status).toBe(401);
  });

  test("the reference page opens and the description is OpenAPI 3.1", async () => {
    const page = await server.get("/api/docs");
    expect(page.status).toBe(200);
    expect(page.body).toContain("swagger-ui");
    expect((await server.get("/api/docs/swagger-ui-bundle.js")).status).toBe(200);
    expect((await server.get("/api/openapi.json")).body.openapi).toBe("3.1.0");
  });

  test("an unknown route is 404", async () => {
    for (const path of ["/nope", "/api/nope", "/api/course"]) {
      expect(await server.get(path)).toMatchObject({
        status: 404,
        body: { success: false, message: "Route not found" },
      });
    }
  });

  test("every path below /api/user needs a token, unknown ones too, and never redirects", async () => {
    const html = { accept: "text/html" };
    for (const path of ["/api/user/data", "/api/user/nope", "/API/USER/DATA/", "/api/user"]) {
      expect(await server.get(path, undefined, html)).toMatchObject({
        status: 401,
        body: { success: false, message: "Unauthorized Access" },
      });
    }
    expect(await server.get("/api/user/nope", token)).toMatchObject({ status: 404 });
  });
});

describe("headers", () => {
  test("every response has a request id; a well-formed one is kept", async () => {
    const kept = await server.get("/nope", undefined, { "x-request-id": "abc-123" });
    expect(kept.headers.get("x-request-id")).toBe("abc-123");
    for (const bad of ["a".repeat(65), "two words", "<x>"]) {
      const made = await server.get("/", undefined, { "x-request-id": bad });
      expect(made.headers.get("x-request-id")).toMatch(/^[0-9a-f-]{36}$/);
    }
  });

  test("security headers are there, the framework's name is not", async () => {
    const { headers } = await server.get("/");
    expect(headers.get("x-content-type-options")).toBe("nosniff");
    expect(headers.get("content-security-policy")).toContain("default-src 'self'");
    expect(headers.get("x-powered-by")).toBeNull();
  });

  test("only the configured origin is ever allowed", async () => {
    for (const origin of ["http://localhost:5173", "https://evil.example", "null"]) {
      const { headers } = await server.get("/api/course/all", undefined, { origin });
      expect(headers.get("access-control-allow-origin")).toBe("http://localhost:5173");
      expect(headers.get("access-control-allow-credentials")).toBeNull();
      expect(headers.get("vary")).toMatch(/Origin/);
      expect(headers.get("access-control-expose-headers")).toContain("RateLimit-Remaining");
    }
  });

  test("a preflight is 204 before authentication and limits", async () => {
    const answer = await server.call("OPTIONS", "/api/user/purchase", {
      headers: {
        origin: "http://localhost:5173",
        "access-control-request-method": "POST",
        "access-control-request-headers": "authorization,content-type",
      },
    });
    expect(answer.status).toBe(204);
    expect(answer.headers.get("access-control-allow-methods")).toBe("GET,HEAD,PUT,PATCH,POST,DELETE");
    expect(answer.headers.get("access-control-allow-headers")).toBe("authorization,content-type");
    expect(answer.headers.get("ratelimit-limit")).toBeNull();
  });
});

describe("bodies", () => {
  const post = (body: unknown, headers: Record<string, string>) =>
    server.call("POST", "/api/user/get-course-progress", { token, body, headers });
  const json = { "content-type": "application/json" };

  test.each(["{", '{"a":', "null", "[]", '"text"', "1"])("%s is refused", async (body) => {
    expect(await post(body, json)).toMatchObject({ status: 400, body: invalid });
  });

  test("a missing or non-JSON body counts as an empty object", async () => {
    expect(await post("courseId=1", { "content-type": "text/plain" })).toMatchObject({ status: 400, body: invalid });
    expect(await server.post("/api/user/get-course-progress", undefined, token)).toMatchObject({
      status: 400,
      body: invalid,
    });
  });

  test("over 100 kB is 413", async () => {
    const answer = await post(JSON.stringify({ courseId: "x".repeat(102_401) }), json);
    expect(answer).toMatchObject({ status: 413, body: { success: false, message: "Request body too large" } });
  });

  test("a compressed body of any type is 415", async () => {
    for (const type of ["application/json", "text/plain"]) {
      const headers = { "content-type": type, "content-encoding": "gzip" };
      expect(await post(gzipSync('{"courseId":"x"}'), headers)).toMatchObject({
        status: 415,
        body: { success: false, message: "Unsupported content encoding" },
      });
    }
  });

  test("very deep JSON and prototype keys are harmless", async () => {
    const deep = `{"courseId":${"[".repeat(10_000)}${"]".repeat(10_000)}}`;
    expect(await post(deep, json)).toMatchObject({ status: 400, body: invalid });
    const prototype = '{"__proto__":{"courseId":"x"},"constructor":{"prototype":{"courseId":"x"}}}';
    expect(await post(prototype, json)).toMatchObject({ status: 400, body: invalid });
    expect(({} as Record<string, unknown>).courseId).toBeUndefined();
  });

  test("operators are not strings", async () => {
    expect(await post('{"courseId":{"$gt":""}}', json)).toMatchObject({ status: 400, body: invalid });
  });

  test("a query parameter given as a list or an object is refused; unknown names are not looked at", async () => {
    for (const query of ["q[]=a", "q[0]=a", "q[$ne]=a", "q[toString]=a", "sort[]=newest"]) {
      expect(await server.get(`/api/course/all?${query}`), query).toMatchObject({ status: 400, body: invalid });
    }
    for (const query of ["limit[]=1", "limit[$gt]=1", "groupId[]=x", "groupId[$ne]=x", "tab[]=all", "q[$ne]=a"]) {
      expect(await server.get(`/api/community/posts?${query}`), query).toMatchObject({ status: 400, body: invalid });
    }
    for (const query of ["other[]=1", "__proto__[q]=1", "constructor=1", "other[a][b]=1"]) {
      expect((await server.get(`/api/course/all?${query}`)).status, query).toBe(200);
    }
  });

  test("a broken percent-encoding in a path is the client's fault", async () => {
    expect(await server.get("/api/course/%E0%A4%A")).toMatchObject({ status: 400, body: invalid });
  });
});
