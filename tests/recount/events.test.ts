import { Types } from "mongoose";
import { beforeAll, expect, test } from "vitest";
import { type EventType, eventTypeNames } from "../../src/models/events/event-types.js";
import { numberEvents } from "../../src/services/events/number-events.js";
import { type Fact, recordEvents } from "../../src/services/events/record-event.js";
import { eventDifferences } from "../../src/services/recount/event-differences.js";
import { buildCourse } from "../factories/courses.js";
import { signUp } from "../factories/identity-events.js";
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
}, 60_000);

test("what the API has done has its events, and every event its fact", async () => {
  expect(await differences()).toEqual([]);
  const types = await db.Event.distinct("type");
  expect(eventTypeNames.filter((type) => !types.includes(type))).toEqual(["user.erased"]);
});

test.each(eventTypeNames.filter((type) => type !== "user.erased"))("a missing %s is reported", async (type) => {
  // Of the events of an older fact some may have expired.
  const event = await db.Event.findOne({ type, ...(type === "course.published" && { "data.version": 4 }) })
    .sort({ _id: -1 })
    .orFail()
    .lean();
  await db.Event.deleteOne({ _id: event._id });
  expect(await differences()).toEqual([expect.stringMatching(/: \d events, expected \d to /)]);
  await db.Event.collection.insertOne(event as never);
  expect(await differences()).toEqual([]);
});

const [userId, id] = ["user_nobody", String(new Types.ObjectId())];
const pair = { userId, courseId: id };
const facts: Fact[] = [
  { type: "purchase.completed", data: { purchaseId: id, ...pair, amount: 1, currency: "INR", couponCode: null } },
  { type: "purchase.refunded", data: { purchaseId: id, ...pair, refundedAmount: 1, currency: "INR" } },
  { type: "enrollment.activated", data: { enrollmentId: id, ...pair, kind: "free" } },
  { type: "enrollment.ended", data: { enrollmentId: id, ...pair, kind: "free", reason: "refund" } },
  { type: "lecture.completed", data: { ...pair, lectureId: "ch1-l1" } },
  { type: "course.completed", data: pair },
  { type: "certificate.issued", data: { certificateId: "c", ...pair, pdfUrl: "https://x.example" } },
  { type: "quiz.attempted", data: { ...pair, chapterId: "ch1", percentage: 1, group: "mastered" } },
  { type: "course.published", data: { courseId: id, version: 1 } },
  { type: "course.unpublished", data: { courseId: id, version: 1 } },
  { type: "course.changed", data: { courseId: id, version: 1 } },
  { type: "review.written", data: { ...pair, rating: 1 } },
  { type: "application.decided", data: { userId, status: "approved" } },
  { type: "user.created", data: { userId } },
  { type: "import.finished", data: { importId: id, courseId: null, granted: 1, waiting: 0, skipped: 0, failed: 0 } },
];

test.each(facts.map((fact): [EventType, Fact] => [fact.type, fact]))(
  "%s without its fact is reported",
  async (type, fact) => {
    await db.transaction((session) => recordEvents(db, session, [fact]));
    const { _id } = await db.Event.findOne({ type }).sort({ _id: -1 }).orFail().lean();
    expect(await differences()).toEqual([`event ${_id} (${type}) has no fact`]);
    await db.Event.deleteOne({ _id });
  },
);

test("an event that is told twice is reported, by the command too", async () => {
  const event = await db.Event.findOne({ type: "lecture.completed" }).orFail().lean();
  const data = event.data as { userId: string; courseId: string; lectureId: string };
  await db.transaction((session) => recordEvents(db, session, [{ type: "lecture.completed", data }]));
  const line = `lecture.completed ${data.userId} ${data.courseId} ${data.lectureId}: 2 events, expected 1 to 1`;
  expect(await differences()).toEqual([line]);
  const { code, stdout } = await runCommand("src/cli/recount.ts", [], {
    ...{ ...server.emulators.env, MONGODB_URI: server.databaseUri },
  });
  expect({ code, stdout }).toMatchObject({ code: 1, stdout: expect.stringContaining(`${line}\n`) });
}, 60_000);
