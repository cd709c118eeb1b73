import { expect, test } from "vitest";
import { createJob } from "../../../src/jobs/create-job.js";
import { backgroundJobs } from "../../../src/jobs/index.js";
import { digestWork } from "../../../src/jobs/notice-jobs.js";
import { pollJobs } from "../../../src/jobs/poll-jobs.js";
import { dayMs, utcDay } from "../../../src/lib/days.js";
import { recordEvents } from "../../../src/services/events/record-event.js";
import { buildCourse } from "../../factories/courses.js";
import { dieInWork } from "../../server/dying-instance.js";
import { mailOf } from "../../server/emulators.js";
import { startTestServer } from "../../server/test-server.js";

const server = await startTestServer({ own: "runs jobs over all rows" });
const { db } = server.deps;
const job = (deps = server.deps, name = "send-digests") => {
  const found = backgroundJobs(deps).find((each) => each.name === name);
  if (!found) throw new Error(`there is no job ${name}`);
  return {
    run: () => found.run(new AbortController().signal),
    poll: async () => (await pollJobs(deps.db, [found]))[0],
  };
};
const beDue = () =>
  db.PeriodicRun.updateOne({ _id: "send-digests" }, { $set: { dueAt: new Date() } }, { upsert: true });
const yesterday = utcDay(new Date(Date.now() - dayMs));

/** An educator with two courses, whose students came yesterday; the educator has enrolled one of them. */
async function busyEducator() {
  const educator = await server.signedIn("educator");
  const courses = await Promise.all(
    ["Rust", "Ruby"].map((courseTitle) => buildCourse(server, { educatorId: educator.id, courseTitle })),
  );
  const [first, second] = courses;
  if (!first || !second) throw new Error("there are two courses");
  await db.transaction(async (session) => {
    for (const [userId, course, actorId] of [
      ["a", first],
      ["b", first],
      ["a", second],
      [educator.id, second],
      ["c", first, educator.id],
    ] as const) {
      const about = { enrollmentId: String(course._id), userId, courseId: String(course._id), kind: "free" } as const;
      await recordEvents(db, session, [{ type: "enrollment.activated", data: about, ...(actorId && { actorId }) }]);
    }
  });
  await job(server.deps, "number-events").run();
  await db.Event.updateMany(
    { courseId: { $in: courses.map(({ _id }) => _id) } },
    { $set: { at: new Date(`${yesterday}T12:00:00Z`) } },
  );
  const { email = "" } = await db.User.findById(educator.id).orFail().lean();
  return { id: educator.id, mails: () => mailOf(server).mails(email) };
}

test("the first run of a new job stores when the next is due", async () => {
  await db.PeriodicRun.deleteMany({});
  const { run, poll } = job();
  expect(await poll()).toEqual(new Date(0));
  expect(await run()).toBeUndefined();
  const dueAt = await poll();
  expect(dueAt?.toISOString()).toBe(`${utcDay(new Date(Date.now() + dayMs))}T00:05:00.000Z`);
  expect(await run()).toBeUndefined();
});

test("an educator gets one mail about the new students of the day before, whatever dies and runs again", async () => {
  const { id, mails } = await busyEducator();
  await beDue();
  for (let writes = 0; await dieInWork(server, writes, (dying) => job({ ...server.deps, db: dying }).run()); writes++) {
    await beDue();
  }
  await beDue();
  await Promise.all([job().run(), job().run()]);
  expect(await db.Mail.find({ userId: id }).lean()).toMatchObject([
    { title: `3 new students on ${yesterday}`, body: "“Rust”: 2\n“Ruby”: 1", state: "waiting" },
  ]);
  await job(server.deps, "deliver-mail").run();
  expect(mails()).toMatchObject([{ subject: `3 new students on ${yesterday}` }]);
});

test.each([
  ["hour", "00:10", 3_600_000, 600_000],
  ["week", "02:30", 7 * dayMs, 4 * dayMs + 2.5 * 3_600_000],
] as const)("the entry of a type alone decides about its digest: every %s", async (every, at, ms, offset) => {
  const periods: { begin: Date; end: Date }[] = [];
  const write = async (_deps: unknown, period: { begin: Date; end: Date }) => periods.push(period);
  const types = {
    other: { mail: { when: "each" } },
    weekly: { mail: { when: "digest", digest: { every, at, write } } },
  } as const;
  const digests = createJob(server.deps, { name: "test", work: digestWork(server.deps, types) });
  const run = () => digests.run(new AbortController().signal);
  const _id = "send-digests:weekly";
  await db.PeriodicRun.deleteOne({ _id });
  expect([await run(), await run(), periods]).toEqual([undefined, undefined, []]);
  const due = (await db.PeriodicRun.findById(_id).orFail().lean()).dueAt.getTime();
  expect((due - offset) % ms).toBe(0);
  expect([due > Date.now(), due <= Date.now() + ms]).toEqual([true, true]);
  await db.PeriodicRun.updateOne({ _id }, { dueAt: new Date() });
  expect([await run(), await run()]).toEqual(["1 digests stored", undefined]);
  const end = due - ms - (every === "hour" ? offset : 2.5 * 3_600_000);
  expect(periods).toEqual([{ begin: new Date(end - ms), end: new Date(end) }]);
});

test("after days without a server the last day is made up for, once", async () => {
  const { id } = await busyEducator();
  await db.PeriodicRun.updateOne({ _id: "send-digests" }, { $set: { dueAt: new Date(Date.now() - 5 * dayMs) } });
  await job().run();
  await job().run();
  expect(await db.Mail.countDocuments({ userId: id })).toBe(1);
  expect((await db.PeriodicRun.findById("send-digests").lean())?.dueAt.getTime()).toBeGreaterThan(Date.now());
});
