import { once } from "node:events";
import { type IncomingMessage, request } from "node:http";
import { Types } from "mongoose";
import { beforeAll, describe, expect, test } from "vitest";
import { commandsDuring, commandsUntilQuiet } from "../assertions/commands.js";
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

  test.each(lists)("%s: anything else as limit or cursor is refused", async (path, role) => {
    const key = (value: unknown) => Buffer.from(JSON.stringify(value)).toString("base64url");
    const wrong = [
      ...["limit=0", "limit=501", "limit=-1", "limit=1.5", "limit=", "limit=x", "limit=1&limit=2", "limit[$gt]=1"],
      ...["after=", "after=x", `after=${key(5)}`, `after=${key([])}`, `after=${key([1, { $gt: "" }])}`, "after[$gt]=1"],
      `after=${key([1e300, "a"])}`,
    ];
    for (const query of wrong) {
      const answer = await server.get(withQuery(path, query), tokens[role]);
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

describe("lists of many rows", () => {
  const many = 6_000;
  let server: TestServer;
  const tokens = { admin: "", educator: "" };
  beforeAll(async () => {
    server = await startTestServer({ own: "lists all rows" });
    const { _id } = await buildCourse(server, { educatorId: await signIn(server, tokens) });
    const imageUrl = `https://img.example/${"x".repeat(6_000)}`;
    for (let n = 0; n < many; n += 500) await addSales(server.deps.db, _id, 500, { imageUrl });
  }, 180_000);

  /** The longest list of values, and the most rows asked for, in any command. */
  function largest(commands: readonly Row[]) {
    const found = { values: 0, rows: 0 };
    const look = (value: unknown): void => {
      if (Array.isArray(value)) for (const one of value) look(one);
      else if (value !== null && typeof value === "object" && !(value instanceof Types.ObjectId)) {
        for (const [key, inner] of Object.entries(value)) {
          if (key === "$in" && Array.isArray(inner)) found.values = Math.max(found.values, inner.length);
          else look(inner);
        }
      }
    };
    for (const { find, filter, pipeline, limit, batchSize, q } of commands) {
      look([filter, pipeline, q]);
      const isList = find === "enrollments" || !JSON.stringify(filter ?? {}).includes("$in");
      if (["users", "purchases", "enrollments"].includes(find) && isList) {
        found.rows = Math.max(found.rows, limit ?? batchSize ?? Number.POSITIVE_INFINITY);
      }
    }
    return found;
  }

  const paths: [string, "admin" | "educator", string, number][] = [
    ["/api/admin/users", "admin", "users", many + 2],
    ["/api/admin/purchases", "admin", "purchases", many],
    ["/api/educator/enrolled-students", "educator", "enrolledStudents", many],
    ["/api/educator/dashboard", "educator", "enrolledStudentsData", many],
  ];

  test.each(paths)("%s reads them a batch at a time", { timeout: 120_000 }, async (path, role, field, rows) => {
    let list: Row[] = [];
    const whole = await commandsDuring(server, async () => {
      list = listOf((await server.get(path, tokens[role])).body, field);
    });
    expect(list).toHaveLength(rows);
    expect(new Set(list.map((row) => row._id ?? row.student._id)).size).toBe(rows);
    const { values, rows: most } = largest(whole);
    expect(values).toBeGreaterThan(0);
    expect(values).toBeLessThanOrEqual(1_000);
    expect(most).toBeLessThanOrEqual(1_000);
    // Rows of the others have six kilobytes: more than the buffers on the way hold.
    if (path === "/api/admin/purchases") return;
    let reply: IncomingMessage | undefined;
    // A slow reader: what fits into the buffers on the way comes, and no more.
    const begun = await commandsUntilQuiet(server, async () => {
      const asked = request(server.url + path, { headers: { authorization: `Bearer ${tokens[role]}` } }).end();
      [reply] = (await once(asked, "response")) as [IncomingMessage];
    });
    const afterwards = await commandsUntilQuiet(server, async () => reply?.destroy());
    expect(begun.length).toBeLessThan(whole.length * 0.8);
    expect(afterwards.length).toBeLessThanOrEqual(8);
  });
});
