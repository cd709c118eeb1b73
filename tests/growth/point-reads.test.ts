import { randomUUID } from "node:crypto";
import type { mongo } from "mongoose";
import { beforeAll, expect, test } from "vitest";
import { commandsDuring, effortOf } from "../assertions/commands.js";
import { buildCourse } from "../factories/courses.js";
import { buy } from "../factories/sales.js";
import { insertRows } from "../factories/stored-sales.js";
import { type SignedIn, startTestServer } from "../server/test-server.js";

/* Which index the database uses for an enrollment among 40,000, on every engine. */

const server = await startTestServer();
const { db } = server.deps;
let learner: SignedIn;
let educator: SignedIn;
let courseId: string;
let lectureId: string | undefined;

beforeAll(async () => {
  [learner, educator] = [await server.signedIn(), await server.signedIn("educator")];
  const course = await buildCourse(server, { educatorId: educator.id });
  courseId = String(course._id);
  lectureId = course.courseContent[0]?.chapterContent[0]?.lectureId;
  await buy(server, learner, course._id);
  const at = new Date();
  const row = { active: true, kind: "purchase", purchases: 1, createdAt: at, updatedAt: at } as const;
  for (let n = 0; n < 40; n += 1) {
    const other = n % 4 ? await buildCourse(server, { educatorId: "user_other" }) : course;
    const enrollments = Array.from({ length: 1_000 }, () => ({
      ...{ ...row, userId: `user_${randomUUID()}`, courseId: other._id, enrolledAt: at, purchasedAt: at },
    }));
    await insertRows(db.Enrollment, enrollments);
  }
}, 300_000);

/** Names of the indexes that the database uses for a command, as each engine explains them. */
function indexesOf(explained: mongo.BSON.Document): Set<string> {
  const plan = explained.queryPlanner ?? explained.stages?.[0]?.$cursor?.queryPlanner;
  const names = plan.pg ? /"Index Name":"([^"]+)"/g : /"indexName":"([^"]+)"/g;
  return new Set([...(plan.pg ?? JSON.stringify(plan.winningPlan)).matchAll(names)].map(([, name = ""]) => name));
}

/** The indexes of each read of enrollments that a request makes, and the documents that all of them examine. */
async function readsDuring(request: () => Promise<unknown>) {
  const reads = (await commandsDuring(server, request)).flatMap((command) => {
    const unions = (command.pipeline ?? []).map(({ $unionWith }: mongo.BSON.Document) => $unionWith);
    const union = unions.find((each?: { coll: string }) => each?.coll === "enrollments");
    if (union) return [{ find: "enrollments", filter: union.pipeline[0].$match }];
    return command.find === "enrollments" ? [command] : [];
  });
  const indexes: string[][] = [];
  for (const { find, filter, sort, limit } of reads) {
    const explain = { find, filter, ...(sort && { sort }), ...(limit && { limit }) };
    const explained = await server.deps.database.db?.command({ explain, verbosity: "executionStats" });
    indexes.push([...indexesOf(explained ?? {})]);
  }
  // One of the engines does not say how many documents it examined.
  const { documents } = await effortOf(server, reads);
  return { indexes, documents: Number.isNaN(documents) ? 0 : documents };
}

const progress = () => server.post("/api/user/update-course-progress", { courseId, lectureId }, learner.token);
const rating = () => server.post("/api/user/add-rating", { courseId, rating: 4 }, learner.token);
const player = () => server.get(`/api/user/enrolled-courses/${courseId}`, learner.token);
const grant = () => {
  const body = { userId: learner.id, reason: "twice" };
  return server.post(`/api/educator/courses/${courseId}/enrollments`, body, educator.token);
};

test.each<[string, number, () => Promise<{ status: number }>]>([
  ["progress", 200, progress],
  ["a rating", 200, rating],
  ["the player", 200, player],
  ["a grant to a learner who is enrolled", 409, grant],
])("%s reads the enrollment by its unique pair alone", async (_name, status, request) => {
  const { indexes, documents } = await readsDuring(async () => expect((await request()).status).toBe(status));
  expect(indexes.length).toBeGreaterThan(0);
  expect(indexes).toEqual(indexes.map(() => ["userId_1_courseId_1"]));
  expect(documents).toBeLessThanOrEqual(indexes.length);
});

test("lists of enrollments in force use the index of their order, not that of the date when access ends", async () => {
  const { indexes, documents } = await readsDuring(async () => {
    await server.get("/api/user/enrolled-courses?limit=5", learner.token);
    await server.get("/api/user/continue", learner.token);
    await server.get("/api/educator/dashboard?limit=5", educator.token);
    await server.get("/api/educator/enrolled-students?limit=5", educator.token);
  });
  expect(indexes.flat().filter((name) => name.includes("expiresAt"))).toEqual([]);
  expect(documents).toBeLessThan(50);
});
