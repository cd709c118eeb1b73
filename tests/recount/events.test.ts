import { Types } from "mongoose";
import { beforeAll, expect, test } from "vitest";
import { eventDifferences } from "../../ops/compare-events/event-differences.js";
import { eventTypeNames } from "../../src/models/events/event-types.js";
import { numberEvents } from "../../src/services/events/number-events.js";
import { type NewEvent, recordEvents } from "../../src/services/events/record-event.js";
import { buildChapters } from "../factories/course-content.js";
import { buildCourse } from "../factories/courses.js";
import { signUp } from "../factories/identity-events.js";
import { buildPath } from "../factories/paths.js";
import { busyLearner } from "../privacy/busy-learner.js";
import { learnerEverywhere } from "../privacy/learner-everywhere.js";
import { runCommand } from "../server/compiled.js";
import { startTestServer } from "../server/test-server.js";

const server = await startTestServer({ own: "compares all events" });
const { db, config } = server.deps;

async function differences(): Promise<string[]> {
  const found: string[] = [];
  for await (const line of eventDifferences(db, config)) found.push(line);
  return found;
}

beforeAll(async () => {
  await buildCourse(server);
  // The facts from here on need events.
  await numberEvents(server.deps);
  const { learner } = await learnerEverywhere(server);
  await busyLearner(server);
  await signUp(server, "ada@mail.example");
  const courseId = String((await buildCourse(server, { educatorId: learner.id }))._id);
  await server.patch(`/api/educator/courses/${courseId}`, { version: 1, courseTitle: "Another" }, learner.token);
  for (const isPublished of [false, true])
    await server.patch(`/api/educator/courses/${courseId}/publish`, { isPublished }, learner.token);
  const second = String((await buildCourse(server, { educatorId: learner.id }))._id);
  const form = { title: "A path", courseIds: [courseId, second], isPublished: true };
  const { path } = (await server.post("/api/educator/paths", form, learner.token)).body;
  for (const [n, fields] of [{ isPublished: false }, { title: "Another" }].entries())
    await server.patch(`/api/educator/paths/${path._id}`, { ...fields, version: n + 1 }, learner.token);
  const short = { courseContent: buildChapters(1, 1) };
  const courseIds = [(await buildCourse(server, short))._id, (await buildCourse(server, short))._id];
  const pathId = String((await buildPath(server, { courseIds, price: 0 }))._id);
  const { token } = await server.signedIn();
  await server.post("/api/user/purchase", { pathId }, token);
  for (const one of courseIds)
    await server.post("/api/user/update-course-progress", { courseId: String(one), lectureId: "ch1-l1" }, token);
}, 60_000);

test("what the API has done has its events, and every event its fact", async () => {
  expect(await differences()).toEqual([]);
  const types = await db.Event.distinct("type");
  expect(eventTypeNames.filter((type) => !types.includes(type))).toEqual(["user.erased"]);
});

test("a missing event of any type is reported", async () => {
  // An edit that publishes or withdraws a path tells of the change, too.
  const others = ["path.published", "path.unpublished", "user.erased"];
  const types = eventTypeNames.filter((type) => !others.includes(type));
  const removed = [];
  for (const type of types) {
    // Of the events of an older fact some may have expired.
    const newest = { type, ...(type === "course.published" && { "data.version": 4 }) };
    removed.push(await db.Event.findOne(newest).sort({ _id: -1 }).orFail().lean());
  }
  await db.Event.deleteMany({ _id: { $in: removed.map(({ _id }) => _id) } });
  const found = await differences();
  const editions = ["course.published", "course.unpublished", "course.changed"];
  const facts = types.map((type) => {
    if (editions.includes(type)) return "course";
    if (type === "path.changed") return "path";
    return type.startsWith("enrollment.") ? "access" : type;
  });
  expect(found.map((line) => line.split(" ")[0]).sort()).toEqual(facts.sort());
  for (const line of found) expect(line).toMatch(/: \d events, expected \d to /);
  await db.Event.collection.insertMany(removed as never);
  expect(await differences()).toEqual([]);
});

const [userId, id] = ["user_nobody", String(new Types.ObjectId())];
const pair = { userId, courseId: id };
const certificate = { certificateId: "c", ...pair, pdfUrl: "https://x.example" };
const facts: NewEvent[] = [
  { type: "purchase.completed", data: { purchaseId: id, ...pair, amount: 1, currency: "INR", couponCode: null } },
  { type: "purchase.refunded", data: { purchaseId: id, ...pair, refundedAmount: 1, currency: "INR" } },
  { type: "enrollment.activated", data: { enrollmentId: id, ...pair, kind: "free" } },
  { type: "enrollment.ended", data: { enrollmentId: id, ...pair, kind: "free", reason: "refund" } },
  { type: "lecture.completed", data: { ...pair, lectureId: "ch1-l1" } },
  { type: "course.completed", data: pair },
  { type: "certificate.issued", data: { ...certificate, edition: 1, expiresAt: null } },
  { type: "certificate.reissued", data: { ...certificate, edition: 2 } },
  { type: "certificate.revoked", data: certificate },
  { type: "quiz.attempted", data: { ...pair, chapterId: "ch1", percentage: 1, group: "mastered" } },
  { type: "course.published", data: { courseId: id, version: 1 } },
  { type: "course.unpublished", data: { courseId: id, version: 1 } },
  { type: "course.changed", data: { courseId: id, version: 1 } },
  { type: "review.written", data: { ...pair, rating: 1 } },
  { type: "application.decided", data: { userId, status: "approved" } },
  { type: "user.created", data: { userId } },
  { type: "import.finished", data: { importId: id, courseId: null, granted: 1, waiting: 0, skipped: 0, failed: 0 } },
];

test("an event of any type without its fact is reported", async () => {
  await db.transaction((session) => recordEvents(db, session, facts));
  const recorded = await db.Event.find().sort({ _id: -1 }).limit(facts.length).lean();
  expect(recorded.map(({ type }) => type).sort()).toEqual(facts.map(({ type }) => type).sort());
  const wanted = recorded.map(({ _id, type }) => `event ${_id} (${type}) has no fact`);
  expect((await differences()).sort()).toEqual(wanted.sort());
  await db.Event.deleteMany({ _id: { $in: recorded.map(({ _id }) => _id) } });
});

async function command(program: string, ...options: string[]): Promise<{ code: number | null; out: string }> {
  const variables = { ...server.emulators.env, MONGODB_URI: server.databaseUri };
  const { code, stdout: out } = await runCommand(program, options, variables);
  return { code, out };
}

test("the commands tell wrong counters and events, mend counters, and their codes say whether all is right", async () => {
  const event = await db.Event.findOne({ type: "lecture.completed" }).orFail().lean();
  const data = event.data as { userId: string; courseId: string; lectureId: string };
  await db.transaction((session) => recordEvents(db, session, [{ type: "lecture.completed", data }]));
  await db.Course.updateOne({ totalRatings: 1 }, { $inc: { totalRatings: 1 } });
  const twice = `lecture.completed ${data.userId} ${data.courseId} ${data.lectureId}: 2 events, expected 1 to 1`;
  expect(await differences()).toEqual([twice]);
  const events = "ops/compare-events/compare-events.ts";
  expect(await command(events)).toEqual({ code: 1, out: `${twice}\ndifferences: 1\n` });
  const recounted = await command("ops/recount/recount.ts");
  expect(recounted.code).toBe(1);
  const [counter, compared, ...rest] = recounted.out.split("\n");
  expect(counter).toMatch(/^courses \w{24} totalRatings: stored 2, counted 1$/);
  expect(compared).toMatch(/^compared: courses \d+, /);
  expect(rest).toEqual(["differences: 1", ""]);
  const { _id } = await db.Event.findOne({ type: "lecture.completed", data }).sort({ _id: -1 }).orFail().lean();
  await db.Event.deleteOne({ _id });
  expect(await command(events)).toEqual({ code: 0, out: "differences: 0\n" });
  const mended = await command("ops/recount/recount.ts", "--fix");
  expect(mended).toMatchObject({ code: 0, out: expect.stringContaining(`${counter}, put right\n`) });
  expect(mended.out).toContain("\ndifferences: 1, open: 0\n");
}, 60_000);
