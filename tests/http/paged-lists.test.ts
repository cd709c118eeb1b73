import { readFile } from "node:fs/promises";
import { Types } from "mongoose";
import { beforeAll, describe, expect, test } from "vitest";
import { refusal } from "../assertions/refusal.js";
import { buildCourse } from "../factories/courses.js";
import { addSales } from "../factories/stored-sales.js";
import { startTestServer, type TestServer } from "../server/test-server.js";

type Row = Record<string, any>;

/** Every list that is read in pages: who may, and where the list is in the reply. */
const lists: [path: string, role: "admin" | "educator", field: string][] = [
  ["/api/admin/users", "admin", "users"],
  ["/api/admin/purchases", "admin", "purchases"],
  ["/api/admin/purchases?status=completed", "admin", "purchases"],
  ["/api/admin/courses", "admin", "courses"],
  ["/api/admin/educator-applications", "admin", "applications"],
  ["/api/admin/educator-applications?status=approved", "admin", "applications"],
  ["/api/admin/community/reports", "admin", "reports"],
  ["/api/admin/community/reports?state=open", "admin", "reports"],
  ["/api/educator/courses", "educator", "courses"],
  ["/api/educator/enrolled-students", "educator", "enrolledStudents"],
  ["/api/educator/dashboard", "educator", "enrolledStudentsData"],
];
const nothing = "665f1c2ab7e4d90012ab34cd";
const { paths } = JSON.parse(await readFile("openapi.json", "utf8"));
/** Every list with a limit: who may, the largest limit, and whether `after` goes on. */
const limited = Object.entries<Row>(paths).flatMap(([path, { get }]): [string, string, number, boolean][] => {
  const query = new Map<string, Row>(get?.parameters?.map((one: Row) => [one.name, one.schema]));
  const most = query.get("limit")?.maximum;
  return most === undefined ? [] : [[path, get["x-access"], most, query.has("after")]];
});
/** The list of a reply; the dashboard's is in an object of its own. */
const listOf = (body: Row, field: string): Row[] => (body.dashboardData ?? body)[field];
const cursorOf = (body: Row): string | null => (body.dashboardData ?? body).nextCursor;
const withQuery = (path: string, query: string) => `${path}${path.includes("?") ? "&" : "?"}${query}`;

/** Signs both roles in. @returns the id of the educator. */
async function signIn(server: TestServer, tokens: { admin: string; educator: string }): Promise<string> {
  const [admin, educator] = [await server.signedIn("admin"), await server.signedIn("educator")];
  Object.assign(tokens, { admin: admin.token, educator: educator.token });
  return educator.id;
}

/** Several courses, each with students who bought at three moments that all courses share. */
async function fill(server: TestServer, educatorId: string): Promise<void> {
  const { db } = server.deps;
  for (const name of ["Graphs", "Trees", "Heaps"]) {
    const course = await buildCourse(server, { educatorId, courseTitle: name });
    await addSales(db, course._id, 9);
    const moments = [new Date("2026-01-03"), new Date("2026-01-02"), new Date("2026-01-01")];
    const bought = await db.Purchase.find({ courseId: course._id }).lean();
    for (const [n, { _id, userId }] of bought.entries()) {
      const createdAt = moments[n % 3];
      await db.Purchase.collection.updateOne({ _id }, { $set: { createdAt } });
      await db.User.collection.updateOne({ _id: userId } as object, { $set: { createdAt } });
    }
  }
  await db.Report.insertMany(
    Array.from({ length: 12 }, (_, n) => ({
      ...{ reporterId: `user_reporter_${n}`, targetKind: "post", reason: "spam", state: n % 3 ? "open" : "resolved" },
      ...{ targetId: new Types.ObjectId(), postId: new Types.ObjectId() },
      createdAt: new Date(Date.UTC(2026, 0, 1 + (n % 3))),
    })),
  );
  const status = ["pending", "approving", "approved", "rejected"];
  await db.EducatorApplication.insertMany(
    Array.from({ length: 20 }, (_, n) => ({
      ...{ userId: `user_applicant_${n}`, professionalTitle: "x", bio: "x", expertise: ["x"], status: status[n % 4] },
      createdAt: new Date(Date.UTC(2026, 0, 1 + (n % 3))),
    })),
  );
}

describe("lists in pages", () => {
  let server: TestServer;
  const tokens = { admin: "", educator: "" };
  beforeAll(async () => {
    // It lists all rows, and an administrator's limit would not do.
    server = await startTestServer({ env: { RATE_LIMITS: "relaxed" } });
    await fill(server, await signIn(server, tokens));
  });

  test.each(lists)("%s: the pages are the whole list, without a row twice or missing", async (path, role, field) => {
    const { body } = await server.get(path, tokens[role]);
    const whole = listOf(body, field);
    expect(whole.length).toBeGreaterThan(2);
    expect(cursorOf(body)).toBeUndefined();
    for (const limit of [2, 7, whole.length]) {
      const gathered: Row[] = [];
      let next: string | null = "";
      do {
        const after = next ? `&after=${encodeURIComponent(next)}` : "";
        const answer = await server.get(withQuery(path, `limit=${limit}${after}`), tokens[role]);
        expect(answer.status).toBe(200);
        const page = listOf(answer.body, field);
        expect(page.length).toBeLessThanOrEqual(limit);
        gathered.push(...page);
        next = cursorOf(answer.body);
        expect(next === null || typeof next === "string").toBe(true);
      } while (next !== null && gathered.length <= whole.length);
      expect(gathered).toEqual(whole);
    }
  });

  test.each(limited)("%s: anything else as limit or cursor is refused", async (path, access, most, hasCursor) => {
    const key = (value: unknown) => `after=${Buffer.from(JSON.stringify(value)).toString("base64url")}`;
    const limits = [0, most + 1, -1, 1.5, "", "x", "1e1", "1&limit=2"].map((value) => `limit=${value}`);
    const cursors = ["after=", "after=x", ...[5, [], [1, { $gt: "" }], [1e300, "a"], { $gt: "" }].map(key)];
    const token = access === "admin" ? tokens.admin : tokens.educator;
    for (const query of [...limits, "limit[$gt]=1", ...(hasCursor ? cursors : []).map((one) => `limit=5&${one}`)]) {
      const answer = await server.get(`${path.replace(/\{\w+\}/g, nothing)}?${query}`, token);
      expect({ query, ...answer }).toMatchObject({ query, ...refusal(400, "Invalid request data") });
    }
  });

  test("a page after a cursor alone has a hundred rows at most", async () => {
    const read = async (query: string) =>
      (await server.get(`/api/educator/enrolled-students?${query}`, tokens.educator)).body;
    const { enrolledStudents, nextCursor } = await read("limit=1");
    const rest = await read(`after=${nextCursor}`);
    expect(rest.enrolledStudents).toHaveLength(26);
    expect(rest.enrolledStudents).not.toContainEqual(enrolledStudents[0]);
    expect(rest.nextCursor).toBeNull();
  });

  test("a whole list has the bytes that a reply of one piece has", async () => {
    for (const [path, role] of lists) {
      const headers = { authorization: `Bearer ${tokens[role]}` };
      const reply = await fetch(server.url + path, { headers });
      const text = await reply.text();
      expect(text).toBe(JSON.stringify(JSON.parse(text)));
      expect(reply.headers.get("content-type")).toBe("application/json; charset=utf-8");
      expect(reply.headers.get("content-length")).toBe(String(Buffer.byteLength(text)));
      const head = await fetch(server.url + path, { method: "HEAD", headers });
      expect([head.status, await head.text()]).toEqual([200, ""]);
    }
  });
});
