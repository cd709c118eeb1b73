import { randomUUID } from "node:crypto";
import { describe, expect, test } from "vitest";
import { buildChapters } from "../../factories/course-content.js";
import { buildCourse, enroll } from "../../factories/courses.js";
import { startTestServer } from "../../server/test-server.js";

const server = await startTestServer({ env: { BACKEND_URL: "https://learn.example/" } });
const learner = await server.signedIn("student", `<img src=x onerror="alert('1')"> & Co`);
const course = await buildCourse(server, {
  courseTitle: "<script>alert(1)</script>",
  courseContent: buildChapters(1, 1),
});
await enroll(server, learner.id, course._id);
const body = { courseId: String(course._id), lectureId: "ch1-l1" };
await server.post("/api/user/update-course-progress", body, learner.token);
const certificate = await server.deps.db.Certificate.findOne({ userId: learner.id }).lean();
const certificateId = certificate?.certificateId ?? "none";

const verify = (id: string, accept?: string) =>
  server.call("GET", `/api/certificate/verify/${id}`, accept === undefined ? {} : { headers: { accept } });
const browser = "text/html,application/xhtml+xml,application/xml;q=0.9,image/avif,*/*;q=0.8";

describe("GET /api/certificate/verify/:certificateId", () => {
  test("answers the facts of an issued certificate to any user", async () => {
    const answer = await verify(certificateId);
    expect(certificateId).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
    expect(answer.status).toBe(200);
    expect(answer.body).toEqual({
      success: true,
      valid: true,
      certificate: {
        certificateId,
        studentName: `<img src=x onerror="alert('1')"> & Co`,
        courseTitle: "<script>alert(1)</script>",
        completionDate: expect.stringMatching(/^\d{4}-\d\d-\d\dT[\d:.]+Z$/),
        issuedAt: expect.stringMatching(/^\d{4}-\d\d-\d\dT[\d:.]+Z$/),
        ...{ expiresAt: null, reissuedAt: null, state: "valid" },
      },
    });
  });

  test.each(["application/json", browser])("takes an id as people type it, for %s", async (accept) => {
    const typed = `%20${certificateId.toUpperCase()}%20%C2%A0`;
    const { status, body } = await verify(typed, accept);
    expect([status, JSON.stringify(body)]).toEqual([200, expect.stringContaining(certificateId)]);
  });

  test("answers 404 with `valid: false` for whatever is not issued", async () => {
    const { Certificate } = server.deps.db;
    const { _id, ...issued } = (await Certificate.findOne({ certificateId }).lean()) ?? {};
    const pending = randomUUID();
    await Certificate.create({ ...issued, userId: "user_waiting", certificateId: pending, status: "pending" });
    for (const id of [pending, randomUUID(), "nonsense", "665f1c2ab7e4d90012ab34cd", "%00", "a".repeat(2000)]) {
      const answer = await verify(id);
      expect(answer.status).toBe(404);
      expect(answer.body).toEqual({ success: false, valid: false, message: "Certificate not found" });
      expect((await verify(id, browser)).status).toBe(404);
    }
  });

  test.each([
    ["*/*", "json"],
    ["application/json, text/plain, */*", "json"],
    ["application/json", "json"],
    ["image/png", "json"],
    ["text/html;q=0.8, application/json", "json"],
    ["application/json, text/html;q=0.9", "json"],
    ["", "json"],
    ["nonsense", "json"],
    ["text/html", "html"],
    ["text/html, application/json;q=0.9", "html"],
    [browser, "html"],
  ])("Accept: %s is answered with %s, with the same status either way", async (accept, kind) => {
    for (const [id, status] of [
      [certificateId, 200],
      [randomUUID(), 404],
    ] as const) {
      const answer = await verify(id, accept);
      expect(answer.status).toBe(status);
      expect(answer.headers.get("content-type")).toContain(kind === "json" ? "application/json" : "text/html");
      expect(answer.headers.get("vary")?.split(/, */)).toEqual(expect.arrayContaining(["Accept", "Origin"]));
    }
  });

  test("the page escapes every value, has no script and lets none in", async () => {
    const { body, headers } = await verify(certificateId, browser);
    expect(body).toContain(certificateId);
    expect(body).toContain("&lt;script&gt;alert(1)&lt;/script&gt;");
    expect(body).not.toMatch(/<script|<img|onerror="/);
    const policy = headers.get("content-security-policy") ?? "";
    expect(policy).toContain("default-src 'none'");
    expect(policy).toMatch(/style-src 'sha256-[A-Za-z0-9+/=]+'/);
    expect(policy).not.toMatch(/script-src|unsafe-inline/);
  });

  test("a HEAD request gets the same status", async () => {
    const head = (id: string, accept: string) =>
      server.call("HEAD", `/api/certificate/verify/${id}`, { headers: { accept } });
    expect(await head(certificateId, browser)).toMatchObject({ status: 200, body: "" });
    expect(await head(randomUUID(), browser)).toMatchObject({ status: 404, body: "" });
  });
});
