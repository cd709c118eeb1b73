import { expect, test } from "vitest";
import { startTestServer } from "../../server/test-server.js";
import { pathRoom } from "./path-room.js";

const server = await startTestServer();
const { db } = server.deps;

test("the last course completes the path once, with its certificate, and a reset takes nothing back", async () => {
  const room = await pathRoom(server);
  await room.complete(0);
  expect(await room.held()).toMatchObject({ completedAt: null });
  await room.complete(1);
  const { completedAt } = await room.held();
  expect(completedAt).toBeInstanceOf(Date);
  expect(await db.Certificate.find(room.own).lean()).toMatchObject([
    { courseId: null, courseTitle: "From zero to types", completionDate: completedAt },
  ]);
  expect(await room.reset(0)).toMatchObject({ status: 200 });
  await room.complete(0);
  expect(await room.held()).toMatchObject({ completedAt });
  expect(await room.completions()).toBe(1);
  expect(await db.Certificate.countDocuments(room.own)).toBe(1);
});

test("courses that are completed at the same time complete the path exactly once", async () => {
  for (const room of [await pathRoom(server), await pathRoom(server), await pathRoom(server)]) {
    await Promise.all([room.complete(0), room.complete(1)]);
    // One that lost its conflicts until its time limit is repeated, as clients do. Any other changes nothing.
    const answers = [await room.complete(0), await room.complete(1)];
    expect(answers.map(({ body }) => body.isCourseCompleted)).toEqual([true, true]);
    expect((await room.held()).completedAt).toBeInstanceOf(Date);
    expect(await room.completions()).toBe(1);
    expect(await db.Certificate.countDocuments(room.own)).toBe(1);
  }
});

test("each holding is judged by itself, and one that is over completes nothing", async () => {
  const room = await pathRoom(server);
  // Another purchase, of a list with the second course alone.
  await room.holdAgain({ courses: [{ courseId: room.courseIds[1], accessDays: null }] });
  await room.complete(1);
  expect((await room.held()).completedAt).toBeInstanceOf(Date);

  const late = await pathRoom(server, { count: 1 });
  await db.Purchase.updateOne({ pathId: late.path._id }, { $set: { "terms.courses.0.accessDays": 0 } });
  await late.complete(0);
  expect(await late.held()).toMatchObject({ completedAt: null });
});
