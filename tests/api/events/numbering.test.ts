import { EventEmitter, once } from "node:events";
import { expect, test } from "vitest";
import { usualPollMs } from "../../../src/jobs/scheduler.js";
import { numberEvents } from "../../../src/services/events/number-events.js";
import { recordEvent, recordEvents } from "../../../src/services/events/record-event.js";
import { buildCourse } from "../../factories/courses.js";
import { startTestServer } from "../../server/test-server.js";

const server = await startTestServer({ own: "counts all events" });
const { db } = server.deps;

const numbered = async () => {
  const events = await db.Event.find({ seq: { $gt: 0 } }, {}, { sort: { seq: 1 } }).lean();
  return events.map(({ seq, data }) => [seq, data.userId]);
};
const create = (userId: string) => db.transaction((session) => recordEvent(db, session, "user.created", { userId }));

test("an event that is committed late gets a later number than events that were recorded after it", async () => {
  const signals = new EventEmitter();
  const [isRecorded, mayCommit] = [once(signals, "recorded"), once(signals, "commit")];
  const late = db.transaction(async (session) => {
    await recordEvent(db, session, "user.created", { userId: "late" });
    signals.emit("recorded");
    await mayCommit;
  });
  await isRecorded;
  await create("early");
  expect(await numberEvents(server.deps)).toBe(1);
  expect(await numbered()).toEqual([[1, "early"]]);
  signals.emit("commit");
  await late;
  expect(await numberEvents(server.deps)).toBe(1);
  expect(await numberEvents(server.deps)).toBe(0);
  expect(await numbered()).toEqual([
    [1, "early"],
    [2, "late"],
  ]);
});

test("an event goes when the transaction of its fact is undone", async () => {
  const before = await db.Event.countDocuments();
  const failed = db.transaction(async (session) => {
    await recordEvent(db, session, "user.created", { userId: "nobody" });
    throw new Error("no");
  });
  await expect(failed).rejects.toThrow("no");
  expect(await db.Event.countDocuments()).toBe(before);
});

test("two instances that number at the same time give each event one number, without a gap", async () => {
  const [another, before] = [await server.another(), (await numbered()).length];
  await Promise.all(Array.from({ length: 20 }, (_, i) => create(`racer ${i}`)));
  const runs = [server, another, server, another].map(({ deps }) => numberEvents(deps));
  const counts = await Promise.all(runs);
  expect(counts.reduce((sum, count) => sum + count)).toBe(20);
  const all = await numbered();
  expect(all.map(([seq]) => seq)).toEqual(Array.from({ length: before + 20 }, (_, i) => i + 1));
});

test("a numbered event names the educator of its course, and when it is removed", async () => {
  const course = await buildCourse(server);
  await db.transaction((session) =>
    recordEvents(db, session, [
      { type: "course.changed", data: { courseId: course._id, version: 7 } },
      { type: "user.erased", data: { userId: "erased" } },
    ]),
  );
  await numberEvents(server.deps);
  const changed = await db.Event.findOne({ type: "course.changed" }).lean();
  const erased = await db.Event.findOne({ type: "user.erased" }).lean();
  expect(changed).toMatchObject({
    type: "course.changed",
    courseId: course._id,
    educatorId: course.educatorId,
    data: { courseId: String(course._id), version: 7 },
    userIds: [],
  });
  expect(erased).toMatchObject({ type: "user.erased", courseId: null, educatorId: null, userIds: [] });
  const days = ((changed?.expiresAt?.getTime() ?? 0) - Date.now()) / 86_400_000;
  expect(days).toBeCloseTo(30, 2);
  expect(changed).not.toHaveProperty("unnumberedSince");
});

test("a commit wakes the job that numbers events, once", async () => {
  let wakeUps = 0;
  const note = () => {
    wakeUps += 1;
  };
  db.jobWakeups.on("Event", note);
  await db.transaction(async (session) => {
    await recordEvent(db, session, "user.created", { userId: "one" });
    await recordEvent(db, session, "user.created", { userId: "two" });
    expect(wakeUps).toBe(0);
  });
  await expect.poll(() => wakeUps).toBe(1);
  db.jobWakeups.off("Event", note);
});

test("a server numbers the events of its own commits at once, and not at its next poll", async () => {
  const instance = await startTestServer({ jobs: true });
  const own = instance.deps.db;
  for (let n = 1; n <= 2; n += 1) {
    await own.transaction((session) => recordEvent(own, session, "user.created", { userId: `user ${n}` }));
    const count = () => own.Event.countDocuments({ seq: { $gt: 0 } });
    await expect.poll(count, { timeout: usualPollMs / 2, interval: 20 }).toBe(n);
  }
});
