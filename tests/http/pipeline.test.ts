import { readFileSync } from "node:fs";
import { gzipSync } from "node:zlib";
import { pino } from "pino";
import request from "supertest";
import { describe, expect, test } from "vitest";
import { webhookTypes } from "../../src/models/events/webhook.js";
import { keyScopes } from "../../src/models/users/api-key.js";
import { kindNames } from "../../src/services/questions/question-kinds.js";
import { refusal } from "../assertions/refusal.js";
import { identityOf } from "../server/emulators.js";
import { startTestServer } from "../server/test-server.js";

const server = await startTestServer();
const token = (await server.signedIn()).token;
const educator = (await server.signedIn("educator")).token;

const unknownId = "665f1c2ab7e4d90012ab34cd";

/** A server that is not in production, and what it wrote to its log. */
const lines: { msg: string; invalid?: string; requestId: string }[] = [];
const log = pino({ level: "info" }, { write: (line: string) => void lines.push(JSON.parse(line)) });
const explaining = await startTestServer({ log });

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

  test("routes for operators answer to their exact paths only: a proxy hides them by path", async () => {
    const proxy = readFileSync("ops/proxy/nginx.conf", "utf8");
    const [, hidden = ""] = /location ~\* (\S+) \{ return 404; \}/.exec(proxy) ?? [];
    for (const path of ["/metrics/", "/METRICS", "/Metrics/", "/%6Detrics", "//metrics", "/readyz/", "/HEALTHZ"]) {
      expect((await server.get(path)).status, path).toBe(404);
    }
    // nginx decodes a path and joins its slashes before it looks for a location.
    for (const path of ["/metrics", "/metrics/", "/METRICS"]) expect(path).toMatch(new RegExp(hidden, "i"));
    for (const path of ["/", "/metricsx", "/api/metrics"]) expect(path).not.toMatch(new RegExp(hidden, "i"));
  });

  test("in production the metrics are there with a token, or when that was asked for", async () => {
    const { env: variables } = server.emulators;
    const production = {
      ...variables,
      NODE_ENV: "production",
      FRONTEND_URL: "https://learn.example/academy",
      BACKEND_URL: "https://api.example",
      MONGODB_URI: server.databaseUri,
    };
    const start = (env: Record<string, string>) => server.another({ ...production, ...env });
    const closed = await start({});
    expect(await closed.get("/metrics")).toMatchObject(refusal(404, "Route not found"));
    expect((await (await start({ METRICS: "open" })).get("/metrics")).status).toBe(200);
    const guarded = await start({ METRICS: "open", METRICS_TOKEN: "m3trics" });
    for (const wrong of [undefined, "m3tricsX"])
      expect(await guarded.get("/metrics", wrong)).toMatchObject(refusal(401, "Unauthorized Access"));
    expect((await guarded.get("/metrics", "m3trics")).status).toBe(200);
    expect(guarded.deps.config.frontendUrl).toBe("https://learn.example/academy");
    const { headers } = await guarded.get("/");
    expect(headers.get("access-control-allow-origin")).toBe("https://learn.example");
    const claims = { azp: "https://learn.example" };
    const ofPage = identityOf(server.emulators).issueToken("user_1", { claims });
    const refused = await closed.post("/api/user/purchase", {}, ofPage);
    expect(refused.status).toBe(400);
    expect(refused.headers.get("x-invalid")).toBe("body.courseId: required");
  });

  test("the reference page opens and the description is OpenAPI 3.1", async () => {
    const page = await server.get("/api/docs");
    expect(page.status).toBe(200);
    expect(page.body).toContain("swagger-ui");
    expect((await server.get("/api/docs/swagger-ui-bundle.js")).status).toBe(200);
    expect((await server.get("/api/openapi.json")).body.openapi).toBe("3.1.0");
  });
});

describe("what no single route declares has its message and code", () => {
  const json = { "content-type": "application/json" };
  const html = { accept: "text/html" };
  const post = (body: unknown, headers = json) =>
    ["POST", "/api/user/get-course-progress", { token, body, headers }] as const;
  const [invalid, tooLarge] = [
    [400, "Invalid request data", "invalid_request"],
    [413, "Request body too large", "body_too_large"],
  ] as const;
  const encoding = [415, "Unsupported content encoding", "unsupported_encoding"] as const;
  const unknown = [404, "Route not found", "route_not_found"] as const;
  const malformed = [500, "An unexpected error occurred", "unexpected"] as const;
  const broken = [
    ...["/api/course/%ZZ", "/api/course/%E0%A4%A?x=%ZZ", "/api/user/enrolled-courses/%"],
    ...["/api/community/posts/%C3%28", "/api/educator/courses/%ZZ"],
  ];
  const noUser = [401, "Unauthorized Access", "unauthenticated"] as const;
  const textOfForms = { "content-type": "text/plain" };
  const zipped = gzipSync('{"courseId":"x"}');

  test.each([
    ...["/nope", "/api/nope", "/api/course"].map((path) => ["GET", path, {}, ...unknown] as const),
    ...["/api/user/data", "/api/user/nope", "/API/USER/DATA/", "/api/user"].map(
      (path) => ["GET", path, { headers: html }, ...noUser] as const,
    ),
    ["GET", "/api/user/nope", { token }, ...unknown],
    ["GET", "/api/admin/nope", { token }, 403, "Unauthorized Access", "wrong_role"],
    ["POST", "/api/community/posts", { body: {} }, 401, "Authentication required", "unauthenticated"],
    ["GET", "/api/user/enrolled-courses/x", { token }, ...malformed],
    ...broken.map((path) => ["GET", path, { token: educator }, ...malformed] as const),
    ...["/%ZZ", "/api/nope/%ZZ", "/api/%ZZ/all"].map((path) => ["GET", path, {}, ...unknown] as const),
    ...["user/enrolled-courses/%ZZ", "user/%ZZ", "admin/purchases/%ZZ/invoice"].map(
      (path) => ["GET", `/api/${path}`, {}, ...noUser] as const,
    ),
    ["POST", "/api/admin/purchases/%ZZ/refund", {}, ...noUser],
    ["GET", `/api/course/${unknownId}`, {}, 200, "Course not found", "course_not_found"],
    ["GET", `/api/educator/courses/${unknownId}`, { token: educator }, 404, "Course not found", "course_not_found"],
    ...["{", '{"a":', "null", "[]", '"text"', "1"].map((body) => [...post(body), ...invalid] as const),
    ["POST", `/api/user/certificate/generate/${unknownId}`, { token, body: "[]", headers: json }, ...invalid],
    [...post("courseId=1", textOfForms), ...invalid],
    [...post(undefined), ...invalid],
    [...post('{"courseId":{"$gt":""}}'), ...invalid],
    [...post(`{"courseId":${"[".repeat(10_000)}${"]".repeat(10_000)}}`), ...invalid],
    [...post('{"__proto__":{"courseId":"x"},"constructor":{"prototype":{"courseId":"x"}}}'), ...invalid],
    [...post(JSON.stringify({ courseId: "x".repeat(102_401) })), ...tooLarge],
    [...post("{}", { "content-type": "application/json; charset=latin1" }), ...encoding],
    ...[json, textOfForms].map(
      (type) => [...post(zipped, { ...type, ...{ "content-encoding": "gzip" } }), ...encoding] as const,
    ),
  ] as const)("%s %s", async (method, path, options, status, message, code) => {
    const answer = await server.call(method, path, options);
    expect(answer).toMatchObject(refusal(status, message));
    expect(answer.headers.get("x-error-code")).toBe(code);
    expect(answer.headers.get("access-control-expose-headers")).toContain("X-Error-Code");
    expect(({} as Record<string, unknown>).courseId).toBeUndefined();
  });

  test("a page that says that a certificate is unknown has a code, and an answer that is no refusal has none", async () => {
    const page = await server.get("/api/certificate/verify/nope", undefined, html);
    expect([page.status, page.headers.get("x-error-code")]).toEqual([404, "certificate_not_found"]);
    expect((await server.get("/api/course/all")).headers.get("x-error-code")).toBeNull();
  });

  test("a query parameter given as a list or an object is refused; unknown names are not looked at", async () => {
    const courses = ["q[]=a", "q[0]=a", "q[$ne]=a", "q[toString]=a", "sort[]=newest"];
    const posts = ["limit[]=1", "limit[$gt]=1", "groupId[]=x", "groupId[$ne]=x", "tab[]=all", "q[$ne]=a"];
    const paths = [
      ...courses.map((query) => `course/all?${query}`),
      ...posts.map((query) => `community/posts?${query}`),
    ];
    for (const path of paths) {
      expect(await server.get(`/api/${path}`), path).toMatchObject(refusal(400, "Invalid request data"));
    }
    for (const query of ["other[]=1", "__proto__[q]=1", "constructor=1", "other[a][b]=1"]) {
      expect((await server.get(`/api/course/all?${query}`)).status, query).toBe(200);
    }
  });
});

describe("headers", () => {
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
      const exposed = /RateLimit-Remaining,.*Content-Disposition,Content-Range,Accept-Ranges,ETag/;
      expect(headers.get("access-control-expose-headers")).toMatch(exposed);
    }
  });

  test("an origin that is refused is logged once, with the variable that allows it", async () => {
    const logged: { eventId: string; level: number; origin: string; msg: string }[] = [];
    const log = pino({ level: "warn" }, { write: (line: string) => void logged.push(JSON.parse(line)) });
    const other = await startTestServer({ log });
    const origins = ["http://localhost:5173", other.url, "http://localhost:5174", "http://localhost:5174", "null"];
    for (const origin of origins) await other.get("/api/course/all", undefined, { origin });
    expect(logged).toMatchObject([
      { eventId: "origin_refused", level: 40, origin: "http://localhost:5174" },
      { eventId: "origin_refused", origin: "null" },
    ]);
    expect(logged[0]?.msg).toContain("FRONTEND_URL allows http://localhost:5173 alone");
    for (let n = 0; n < 200; n++) await other.get("/healthz", undefined, { origin: `http://localhost:${n + 6000}` });
    expect(logged).toHaveLength(100);
  });

  test("a preflight is 204 before authentication and limits", async () => {
    const asked = { "access-control-request-method": "POST", "access-control-request-headers": "authorization" };
    const headers = { ...asked, origin: "http://localhost:5173" };
    const answer = await server.call("OPTIONS", "/api/user/purchase", { headers });
    expect(answer.status).toBe(204);
    expect(answer.headers.get("access-control-allow-methods")).toBe("GET,HEAD,PUT,PATCH,POST,DELETE");
    expect(answer.headers.get("access-control-allow-headers")).toBe("authorization");
    expect(answer.headers.get("access-control-max-age")).toBe("7200");
    expect(answer.headers.get("ratelimit-limit")).toBeNull();
  });
});

describe("a refused request is explained", () => {
  const explained = async (method: string, path: string, body?: unknown): Promise<string | null> => {
    const { token: own } = await explaining.signedIn();
    const headers = { ...(body === undefined ? {} : { "content-type": "application/json" }) };
    const answer = await explaining.call(method, path, { token: own, body, headers });
    expect(answer.status).toBe(400);
    expect(answer.headers.get("access-control-expose-headers")).toContain("X-Invalid");
    const id = answer.headers.get("x-request-id");
    const header = answer.headers.get("x-invalid");
    const told = lines.filter(({ invalid, requestId }) => invalid !== undefined && requestId === id);
    expect(told.map(({ invalid }) => invalid)).toEqual([header]);
    return header;
  };
  const applying = (fields: object) =>
    explained("POST", "/api/educator/apply", { professionalTitle: "x", bio: "x", expertise: ["x"], ...fields });

  test("by the path and the rule", async () => {
    expect(await applying({ linkedinUrl: "my s3cret" })).toBe("body.linkedinUrl: not a URL");
    expect(await applying({ expertise: ["ok", 5] })).toBe("body.expertise[1]: not a string");
    expect(await applying({ bio: "x".repeat(3_001) })).toBe("body.bio: not 1 to 3000 characters");
    expect(await applying({ bio: undefined })).toContain("body.bio: required");
    expect(await explained("POST", "/api/user/purchase", {})).toBe("body.courseId: required");
    expect(await explained("GET", "/api/course/all?sort=s3cret")).toBe(
      "query.sort: not one of newest, price-asc, price-desc, rating, popular",
    );
    expect(await explained("POST", "/api/user/purchase", "[]")).toBe("body: not an object");
    expect(await explained("POST", "/api/user/purchase", '{"courseId": s3cret')).toBe("body: not JSON");
  });

  test("for an enumeration by the item and everything that is accepted, also by the caller's role", async () => {
    const { token } = await explaining.signedIn("educator");
    const of = async (path: string, body: object) =>
      (await explaining.post(`/api/educator/${path}`, body, token)).headers.get("x-invalid");
    const hook = (types: string[]) => of("webhooks", { url: "https://crm.example", types });
    const types = webhookTypes.join(", ");
    expect(await hook(["review.written", "s3cret"])).toBe(`body.types[1]: not one of ${types}`);
    const ofEducators = types.replace(/(application\.decided|user\.\w+), /g, "");
    expect(await hook(["review.written", "user.erased"])).toBe(`body.types[1]: not one of ${ofEducators}`);
    expect(await hook(["*", "review.written"])).toBe("body.types: * stands alone");
    const key = (scopes: string[]) => of("api-keys", { name: "CRM", scopes });
    expect(await key(["events:read", "s3cret"])).toBe(`body.scopes[1]: not one of ${keyScopes.join(", ")}`);
    const scopes = keyScopes.filter((scope) => scope !== "purchases:read").join(", ");
    expect(await key(["purchases:read"])).toBe(`body.scopes[0]: not one of ${scopes}`);
    expect(await of("questions", { kind: "s3cret" })).toBe(`body.kind: not one of ${kindNames.join(", ")}`);
  });

  test("never by a value, in a bounded header of plain characters", async () => {
    const wild = { "s\r\nx-evil: 1": 5, ["k".repeat(9_000)]: 5, "é€": 5 };
    const many = Array.from({ length: 20 }, () => ({ "value\r\nsecret": "s3cret" }));
    const others = [{ linkedinUrl: "https://s3cret@x.example" }, { bio: { $gt: "s3cret" } }];
    for (const fields of [{ expertise: many }, { expertise: wild }, ...others]) {
      const header = (await applying(fields)) ?? "";
      expect(header).not.toMatch(/s3cret|evil/);
      expect(header).toMatch(/^[ -~]{1,500}$/);
    }
  });

  test("and nothing else is", async () => {
    const { token: own } = await explaining.signedIn();
    for (const path of ["/api/user/data", "/api/course/abc", "/nope"]) {
      expect((await explaining.get(path, own)).headers.get("x-invalid")).toBeNull();
    }
  });
});

test("a broken percent-encoding is an unknown certificate, and is counted by the limit of its path", async () => {
  const { status, body } = await server.get("/api/certificate/verify/ZZ");
  expect(await server.get("/api/certificate/verify/%ZZ")).toMatchObject({ status, body });
  const { headers } = await server.post("/api/community/posts/%ZZ/replies", {}, educator);
  expect(headers.get("ratelimit-limit")).toBe("20");
});
