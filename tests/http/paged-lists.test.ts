import { once } from "node:events";
import { type IncomingMessage, request } from "node:http";
import { Types } from "mongoose";
import { beforeAll, describe, expect, test } from "vitest";
import { commandsDuring, commandsUntilQuiet } from "../assertions/commands.js";
import { buildCourse } from "../factories/courses.js";
import { addSales } from "../factories/stored-sales.js";
import { startTestServer, type TestServer } from "../server/test-server.js";

type Row = Record<string, any>;

/** Every list that is read in pages: who may, where the list is in the reply, and what it is ordered by. */
const lists: [path: string, role: "admin" | "educator", rows: (body: any) => { list: Row[]; nextCursor?: string }][] = [
  ["/api/admin/users", "admin", (body) => ({ list: body.users, ...cursor(body) })],
  ["/api/admin/purchases", "admin", (body) => ({ list: body.purchases, ...cursor(body) })],
  ["/api/admin/purchases?status=completed", "admin", (body) => ({ list: body.purchases, ...cursor(body) })],
  ["/api/admin/courses", "admin", (body) => ({ list: body.courses, ...cursor(body) })],
  ["/api/admin/educator-applications", "admin", (body) => ({ list: body.applications, ...cursor(body) })],
  [
    "/api/admin/educator-applications?status=approved",
    "admin",
    (body) => ({ list: body.applications, ...cursor(body) }),
  ],
  ["/api/admin/community/reports", "admin", (body) => ({ list: body.reports, ...cursor(body) })],
  ["/api/admin/community/reports?state=open", "admin", (body) => ({ list: body.reports, ...cursor(body) })],
  ["/api/educator/courses", "educator", (body) => ({ list: body.courses, ...cursor(body) })],
  ["/api/educator/enrolled-students", "educator", (body) => ({ list: body.enrolledStudents, ...cursor(body) })],
  [
    "/api/educator/dashboard",
    "educator",
    ({ dashboardData }) => ({ list: dashboardData.enrolledStudentsData, ...cursor(dashboardData) }),
  ],
];
const cursor = (around: Row) => ("nextCursor" in around ? { nextCursor: around.nextCursor } : {});
const withQuery = (path: string, query: string) => `${path}${path.includes("?") ? "&" : "?"}${query}`;

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
    server = await startTestServer({ own: "lists all rows" });
    tokens.admin = (await server.signedIn("admin")).token;
    const educator = await server.signedIn("educator");
    tokens.educator = educator.token;
    await fill(server, educator.id);
  });

  test.each(lists)("%s: the pages are the whole list, without a row twice or missing", async (path, role, rows) => {
    const whole = rows((await server.get(path, tokens[role])).body);
    expect(whole.list.length).toBeGreaterThan(2);
    expect(whole).not.toHaveProperty("nextCursor");
    for (const limit of [2, 7, whole.list.length]) {
      const gathered: Row[] = [];
      let next: string | null | undefined;
      do {
        const after = next ? `&after=${encodeURIComponent(next)}` : "";
        const answer = await asAdmin(server, withQuery(path, `limit=${limit}${after}`), role);
        expect(answer.status).toBe(200);
        const page = rows(answer.body);
        expect(page.list.length).toBeLessThanOrEqual(limit);
        gathered.push(...page.list);
        next = page.nextCursor;
        expect(next === null || typeof next === "string").toBe(true);
      } while (next !== null && gathered.length <= whole.list.length);
      expect(gathered).toEqual(whole.list);
    }
  });

  /** Each call by an administrator of its own, so that their limit is not met. */
  async function asAdmin(instance: TestServer, path: string, role: "admin" | "educator") {
    const token = role === "admin" ? await adminToken(instance) : tokens.educator;
    return instance.get(path, token);
  }
  let calls = 0;
  async function adminToken(instance: TestServer): Promise<string> {
    if (calls++ % 90 === 0) {
      const id = `user_admin_${calls}`;
      await instance.deps.db.RoleRecord.create({ _id: id, role: "admin", writtenAt: new Date() });
      tokens.admin = instance.emulators.clerk?.issueToken(id) ?? "";
    }
    return tokens.admin;
  }

  test.each(lists)("%s: anything else as limit or cursor is refused", async (path, role) => {
    const key = (value: unknown) => Buffer.from(JSON.stringify(value)).toString("base64url");
    const wrong = [
      ...["limit=0", "limit=501", "limit=-1", "limit=1.5", "limit=", "limit=x", "limit=1&limit=2", "limit[$gt]=1"],
      ...["after=", "after=x", `after=${key(5)}`, `after=${key([])}`, `after=${key([1, { $gt: "" }])}`, "after[$gt]=1"],
      `after=${key([1e300, "a"])}`,
    ];
    for (const query of wrong) {
      const answer = await asAdmin(server, withQuery(path, query), role);
      expect({ query, ...answer }).toMatchObject({
        query,
        status: 400,
        body: { success: false, message: "Invalid request data" },
      });
    }
  });

  test("a page after a cursor alone has a hundred rows at most", async () => {
    const [first] = (await server.get("/api/educator/enrolled-students?limit=1", tokens.educator)).body
      .enrolledStudents;
    const { nextCursor } = (await server.get("/api/educator/enrolled-students?limit=1", tokens.educator)).body;
    const rest = (await server.get(`/api/educator/enrolled-students?after=${nextCursor}`, tokens.educator)).body;
    expect(rest.enrolledStudents).toHaveLength(26);
    expect(rest.enrolledStudents).not.toContainEqual(first);
    expect(rest.nextCursor).toBeNull();
  });

  test("a whole list has the bytes that a reply of one piece has", async () => {
    for (const [path, role] of lists) {
      const token = role === "admin" ? await adminToken(server) : tokens.educator;
      const reply = await fetch(server.url + path, { headers: { authorization: `Bearer ${token}` } });
      const text = await reply.text();
      expect(text).toBe(JSON.stringify(JSON.parse(text)));
      expect(reply.headers.get("content-type")).toBe("application/json; charset=utf-8");
      expect(reply.headers.get("content-length")).toBe(String(Buffer.byteLength(text)));
      const head = await fetch(server.url + path, { method: "HEAD", headers: { authorization: `Bearer ${token}` } });
      expect([head.status, await head.text()]).toEqual([200, ""]);
    }
  });
});

describe("lists of many rows", () => {
  const many = 6_000;
  let server: TestServer;
  let course: Types.ObjectId;
  const tokens = { admin: "", educator: "" };
  beforeAll(async () => {
    server = await startTestServer({ own: "lists all rows" });
    const { db } = server.deps;
    tokens.admin = (await server.signedIn("admin")).token;
    const educator = await server.signedIn("educator");
    tokens.educator = educator.token;
    course = (await buildCourse(server, { educatorId: educator.id }))._id;
    const imageUrl = `https://img.example/${"x".repeat(6_000)}`;
    for (let n = 0; n < many; n += 500) await addSales(db, course, 500, { imageUrl });
    await server.get("/api/educator/enrolled-students?limit=1", tokens.educator);
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

  /** The whole list of a path, and the commands that it takes: read once, for it is long. */
  function wholeList(path: string, role: "admin" | "educator") {
    const known = wholeLists.get(path) ?? read(path, role);
    wholeLists.set(path, known);
    return known;
  }
  async function read(path: string, role: "admin" | "educator") {
    let body: Row = {};
    const commands = await commandsDuring(server, async () => {
      body = (await server.get(path, tokens[role])).body;
    });
    return { body, commands };
  }
  const wholeLists = new Map<string, ReturnType<typeof read>>();

  test.each(paths)("%s reads them a batch at a time", { timeout: 120_000 }, async (path, role, field, rows) => {
    const { body, commands } = await wholeList(path, role);
    const list = (body[field] ?? body.dashboardData?.[field]) as Row[];
    expect(list).toHaveLength(rows);
    expect(new Set(list.map((row) => row._id ?? row.student._id)).size).toBe(rows);
    const { values, rows: most } = largest(commands);
    expect(values).toBeGreaterThan(0);
    expect(values).toBeLessThanOrEqual(1_000);
    expect(most).toBeLessThanOrEqual(1_000);
  });

  // Rows of six kilobytes: more than the buffers on the way hold.
  const padded = paths.filter(([path]) => path !== "/api/admin/purchases");
  test.each(padded)(
    "%s waits for a slow reader, and ends with one that goes",
    { timeout: 120_000 },
    async (path, role) => {
      const open = async (): Promise<IncomingMessage> => {
        const asked = request(server.url + path, { headers: { authorization: `Bearer ${tokens[role]}` } }).end();
        const [reply] = (await once(asked, "response")) as [IncomingMessage];
        return reply;
      };
      const { commands: whole } = await wholeList(path, role);
      let reply: IncomingMessage | undefined;
      // Nothing is read: what fits into the buffers on the way comes, and no more.
      const begun = await commandsUntilQuiet(server, async () => {
        reply = await open();
      });
      expect(begun.length).toBeLessThan(whole.length * 0.8);
      const after = await commandsUntilQuiet(server, async () => reply?.destroy());
      expect(after.length).toBeLessThanOrEqual(8);
    },
  );
});
