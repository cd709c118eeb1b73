import { once } from "node:events";
import { type IncomingMessage, request } from "node:http";
import { Types } from "mongoose";
import { beforeAll, expect, test } from "vitest";
import { commandsDuring, commandsUntilQuiet } from "../assertions/commands.js";
import { buildCourse } from "../factories/courses.js";
import { addSales } from "../factories/stored-sales.js";
import { startTestServer } from "../server/test-server.js";

/* Lists of many thousand rows, and their exports, are read a batch at a time. */

type Row = Record<string, any>;

/** The list of a reply; the dashboard's is in an object of its own. */
const listOf = (body: Row, field: string): Row[] => (body.dashboardData ?? body)[field];

const many = 6_000;
const server = await startTestServer({ own: "lists all rows" });
const [admin, educator] = [await server.signedIn("admin"), await server.signedIn("educator")];
const tokens = { admin: admin.token, educator: educator.token };
beforeAll(async () => {
  const { _id } = await buildCourse(server, { educatorId: educator.id });
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

/** Several batches, and the last one not full. */
const learners = 1_234;

test("exports over many batches hold every row once, though all of them came in the same millisecond", async () => {
  const server = await startTestServer({ own: "exports all rows" });
  const educator = await server.signedIn("educator");
  const admin = await server.signedIn("admin");
  const first = await buildCourse(server, { educatorId: educator.id, courseTitle: "First" });
  const second = await buildCourse(server, { educatorId: educator.id, courseTitle: "Second" });
  await buildCourse(server, { educatorId: educator.id, courseTitle: "Nobody's" });
  const foreign = await buildCourse(server, { educatorId: "user_other" });
  await addSales(server.deps.db, first._id, learners);
  await addSales(server.deps.db, second._id, 500);
  await addSales(server.deps.db, foreign._id, 3);
  const rows = async (path: string, token: string) =>
    ((await server.get(path, token)).body as string)
      .trim()
      .split("\r\n")
      .slice(1)
      .map((row) => row.split(","));

  const students = await rows("/api/educator/enrolled-students.csv", educator.token);
  const listed = (await server.get("/api/educator/enrolled-students", educator.token)).body.enrolledStudents;
  expect(students).toHaveLength(learners + 500);
  expect(students.map((row) => row[1])).toEqual([
    ...Array.from({ length: learners }, () => "First"),
    ...Array.from({ length: 500 }, () => "Second"),
  ]);
  expect(new Set(students.map((row) => `${row[1]} ${row[2]} ${row[4]}`))).toEqual(
    new Set(
      listed.map((enrollment: any) => `${enrollment.courseTitle} ${enrollment.student._id} ${enrollment.purchaseDate}`),
    ),
  );

  const sold = await rows("/api/admin/purchases.csv", admin.token);
  const purchases = (await server.get("/api/admin/purchases", admin.token)).body.purchases;
  expect(sold.map((row) => row[0])).toHaveLength(learners + 503);
  expect(new Set(sold.map((row) => row[0]))).toEqual(new Set(purchases.map(({ _id }: any) => _id)));
});
