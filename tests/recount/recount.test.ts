import type { mongo } from "mongoose";
import { beforeAll, expect, test } from "vitest";
import { counterDifferences } from "../../ops/recount/counter-differences.js";
import { counters } from "../../ops/recount/counters.js";
import { missingDocuments } from "../../ops/recount/missing-documents.js";
import type { Models } from "../../src/models/index.js";
import { buildCourse } from "../factories/courses.js";
import { makeDueNotices } from "../factories/notices.js";
import { buildPath, getPath } from "../factories/paths.js";
import { writePost, writeReply } from "../factories/posts.js";
import { busyLearner } from "../privacy/busy-learner.js";
import { runJob } from "../server/run-job.js";
import { startTestServer } from "../server/test-server.js";

const server = await startTestServer({ own: "recounts all rows" });
const { db } = server.deps;

beforeAll(async () => {
  await busyLearner(server);
  await writePost(server, (await busyLearner(server)).other);
  await makeDueNotices(server);
  const path = await buildPath(server, { courseIds: [(await buildCourse(server))._id], price: 0 });
  await getPath(server, await server.signedIn(), path);
  await runJob(server, "number-events");
});

async function differences(fix = false): Promise<string[]> {
  const found: string[] = [];
  for await (const { collection, field, stored, counted } of counterDifferences(db, { fix })) {
    found.push(`${collection} ${field}: ${stored} is ${counted}`);
  }
  return found;
}

async function missing(): Promise<string[]> {
  const found: string[] = [];
  for await (const one of missingDocuments(db)) found.push(one);
  return found;
}

const native = (model: keyof Models) => db[model].collection as unknown as mongo.Collection;

test("what the API has written counts right", async () => {
  expect(await differences()).toEqual([]);
  expect(await missing()).toEqual([]);
  for (const { model } of counters.filter((one) => one.model !== "Coupon"))
    expect([model, await native(model).countDocuments()]).not.toEqual([model, 0]);
});

test("each counter that is wrong is told, put right when asked, and is right from then on", async () => {
  const broken: string[] = [];
  for (const { model, fields } of counters) {
    const row = await native(model).findOne(model === "Enrollment" ? { active: true } : {});
    if (!row) continue;
    for (const field of fields) {
      if (field === "expiresAt" || field === "boughtUntil") {
        await native(model).updateOne({ _id: row._id }, { $set: { [field]: new Date(7) } });
        broken.push(`${native(model).collectionName} ${field}: ${new Date(7)} is ${row[field] ?? null}`);
        continue;
      }
      await native(model).updateOne({ _id: row._id }, { $inc: { [field]: 7 } });
      broken.push(`${native(model).collectionName} ${field}: ${(row[field] ?? 0) + 7} is ${row[field] ?? 0}`);
    }
  }
  expect(broken.length).toBe(41);
  expect((await differences()).sort()).toEqual(broken.sort());
  expect((await differences(true)).sort()).toEqual(broken.sort());
  expect(await differences()).toEqual([]);
});

test("a counter that is missing is told", async () => {
  await native("CommunityPost").updateOne({ replyCount: 1 }, { $unset: { replyCount: "" } });
  expect(await differences(true)).toEqual(["communityposts replyCount: undefined is 1"]);
  expect(await differences()).toEqual([]);
});

test("while servers write, nothing that is right is told", async () => {
  const { learner, theirs } = await busyLearner(server);
  let writing = true;
  const traffic = Promise.all(
    [1, 2, 3].map(async () => {
      for (let turn = 0; writing && turn < 200; turn += 1) {
        await server.post(`/api/community/posts/${theirs._id}/upvote`, {}, learner.token);
        await server.post(`/api/community/posts/${theirs._id}/replies`, { content: "Again" }, learner.token);
        await writeReply(server, await server.signedIn(), theirs._id);
      }
    }),
  );
  for (let round = 0; round < 5; round += 1) expect(await differences(true)).toEqual([]);
  writing = false;
  await traffic;
  expect(await differences()).toEqual([]);
});

test("a sale without its enrollment or its day is told", async () => {
  const enrollment = await db.Enrollment.findOne({ active: true, viaPath: { $exists: false } })
    .orFail()
    .lean();
  const day = await db.CourseDailySales.findOne({ courseId: enrollment.courseId }).orFail().lean();
  await db.Enrollment.deleteOne({ _id: enrollment._id });
  await db.CourseDailySales.deleteOne({ _id: day._id });
  const { _id } = await db.Purchase.findOne({ courseId: enrollment.courseId, status: "completed" }).orFail().lean();
  expect(await missing()).toEqual([
    `purchase ${_id} is completed, and its learner has no enrollment`,
    `purchase ${_id} is completed, and its day is not counted`,
  ]);
  await db.Enrollment.create(enrollment);
  await db.CourseDailySales.create(day);
  expect(await missing()).toEqual([]);
});
