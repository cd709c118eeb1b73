import mongoose from "mongoose";
import { afterEach, expect, test } from "vitest";
import type { Course } from "../../../src/models/courses/course.js";
import { buildCourse } from "../../factories/courses.js";
import { addSales } from "../../factories/stored-sales.js";
import { type SignedIn, startTestServer, type TestServer } from "../../server/test-server.js";

/** A read as the driver was asked for it. */
interface Read {
  collection: string;
  method: string;
  first: unknown;
  options: Record<string, unknown>;
}

afterEach(() => {
  mongoose.set("debug", false);
});

/** The reads that one request makes, in an order of their own: those that run side by side come as they please. */
async function readsOf(server: TestServer, path: string, { token }: SignedIn): Promise<Read[]> {
  const reads: Read[] = [];
  mongoose.set("debug", (collection: string, method: string, first: unknown, options: Record<string, unknown>) => {
    reads.push({ collection, method, first, options: options ?? {} });
  });
  const answer = await server.get(path, token);
  mongoose.set("debug", false);
  expect(answer.status).toBe(200);
  const name = ({ collection, method, first }: Read) => `${collection}.${method} ${JSON.stringify(first)}`;
  return reads.sort((a, b) => (name(a) < name(b) ? -1 : 1));
}

/** The plan of a read, and how many documents it looked at where the database tells. */
async function explain(server: TestServer, { collection, method, first, options }: Read) {
  const { projection, sort, limit } = options;
  const command =
    method === "aggregate"
      ? { aggregate: collection, pipeline: first, cursor: {} }
      : {
          find: collection,
          filter: first,
          ...(projection ? { projection } : {}),
          ...(sort ? { sort } : {}),
          ...(method === "findOne" ? { limit: 1 } : limit ? { limit } : {}),
        };
  const plan = await server.deps.database.db?.command({ explain: command, verbosity: "executionStats" });
  return { whole: JSON.stringify(plan?.queryPlanner ?? plan), examined: plan?.executionStats?.totalDocsExamined };
}

/** The number of documents that a collection keeps of itself looks at none. */
const looksForSomething = ({ method }: Read): boolean => method !== "estimatedDocumentCount";

async function examined(server: TestServer, reads: readonly Read[]): Promise<number[]> {
  const numbers: number[] = [];
  for (const read of reads.filter(looksForSomething)) numbers.push(Number((await explain(server, read)).examined ?? 0));
  return numbers;
}

const shape = (reads: readonly Read[]) => reads.map(({ collection, method }) => `${collection}.${method}`);

/**
 * Collections that grow with students and purchases: never read from end to end for a figure or for a user's own
 * list.
 */
const growing = ["users", "purchases", "enrollments"];

const pages: [string, "educator" | "admin"][] = [
  ["/api/educator/courses", "educator"],
  ["/api/educator/dashboard", "educator"],
  ["/api/educator/enrolled-students", "educator"],
  ["/api/educator/enrolled-students.csv", "educator"],
  ["/api/educator/application-status", "educator"],
  ["/api/admin/stats", "admin"],
  ["/api/admin/chart-data", "admin"],
  ["/api/admin/courses", "admin"],
  ["/api/admin/audit", "admin"],
  ["/api/admin/educator-applications", "admin"],
];

test("a hundred times the students and purchases cost no page a further query or document", async () => {
  const server = await startTestServer();
  const { db } = server.deps;
  const users = { educator: await server.signedIn("educator"), admin: await server.signedIn("admin") };
  const own = await buildCourse(server, { educatorId: users.educator.id });
  const foreign: Course = await buildCourse(server, { educatorId: "user_other" });
  await addSales(db, own._id, 5);
  await addSales(db, foreign._id, 10);
  const before = new Map<string, { reads: Read[]; documents: number[] }>();
  for (const [path, role] of pages) {
    const reads = await readsOf(server, path, users[role]);
    before.set(path, { reads, documents: await examined(server, reads) });
  }

  await addSales(db, foreign._id, 990);
  for (const [path, role] of pages) {
    const reads = await readsOf(server, path, users[role]);
    expect({ path, reads: shape(reads) }).toEqual({ path, reads: shape(before.get(path)?.reads ?? []) });
    expect({ path, documents: await examined(server, reads) }).toEqual({
      path,
      documents: before.get(path)?.documents,
    });
    for (const read of reads.filter(looksForSomething).filter(({ collection }) => growing.includes(collection))) {
      expect({ path, read, plan: (await explain(server, read)).whole }).not.toMatchObject({
        plan: expect.stringContaining("COLLSCAN"),
      });
    }
  }
  expect((await server.get("/api/admin/stats", users.admin.token)).body.stats).toMatchObject({
    totalStudents: 1_007,
    totalEnrollments: 1_005,
    totalRevenue: 100_500,
  });
});

test("the lists of all users and purchases take as many queries for a full batch as for ten rows", async () => {
  const server = await startTestServer();
  const admin = await server.signedIn("admin");
  const course = await buildCourse(server);
  const queries = async () => {
    const made: Record<string, string[]> = {};
    for (const path of ["/api/admin/users", "/api/admin/purchases", "/api/admin/purchases?status=completed"]) {
      made[path] = shape(await readsOf(server, path, admin));
    }
    return made;
  };
  await addSales(server.deps.db, course._id, 10);
  const before = await queries();
  await addSales(server.deps.db, course._id, 180);
  expect(await queries()).toEqual(before);
  expect((await server.get("/api/admin/users", admin.token)).body.users).toHaveLength(191);
});
