import { expect, test } from "vitest";
import type { Course } from "../../../src/models/courses/course.js";
import { buildChapters } from "../../factories/course-content.js";
import { buildCourse } from "../../factories/courses.js";
import { buildPath, holdPath } from "../../factories/paths.js";
import { startTestServer } from "../../server/test-server.js";

const server = await startTestServer();
const { db } = server.deps;

/** A learner who holds a path of so many courses of one lecture. */
async function pathRoom(courses = 2, fields: Parameters<typeof buildPath>[2] = {}) {
  const [educator, learner] = [await server.signedIn("educator"), await server.signedIn("student", "Asha Rao")];
  const list: Course[] = [];
  for (let n = 1; n <= courses; n += 1) {
    const content = { courseTitle: `Course ${n}`, courseContent: buildChapters(1, 1) };
    list.push(await buildCourse(server, { educatorId: educator.id, ...content }));
  }
  const path = await buildPath(server, list, { inOrder: false, ...fields });
  await holdPath(server, learner.id, path);
  const own = { userId: learner.id, pathId: path._id };
  return {
    ...{ educator, learner, courses: list, path, own },
    complete: (n: number) =>
      server.post(
        "/api/user/update-course-progress",
        { courseId: String(list[n]?._id), lectureId: "ch1-l1" },
        learner.token,
      ),
    held: () => db.PathEnrollment.findOne(own).orFail().lean(),
    completions: () => db.Event.countDocuments({ type: "path.completed", "data.userId": learner.id }),
  };
}

test("the last course completes the path once, with its certificate, and a reset takes nothing back", async () => {
  const room = await pathRoom();
  await room.complete(0);
  expect(await room.held()).toMatchObject({ completedAt: null });
  await room.complete(1);
  const { completedAt } = await room.held();
  expect(completedAt).toBeInstanceOf(Date);
  expect(await db.Certificate.find(room.own).lean()).toMatchObject([
    { courseId: null, courseTitle: "Backend engineer", completionDate: completedAt },
  ]);
  const [course] = room.courses;
  const reset = `/api/educator/courses/${course?._id}/learners/${room.learner.id}/reset`;
  expect(await server.post(reset, { reason: "again" }, room.educator.token)).toMatchObject({ status: 200 });
  await room.complete(0);
  expect(await room.held()).toMatchObject({ completedAt });
  expect(await room.completions()).toBe(1);
  expect(await db.Certificate.countDocuments(room.own)).toBe(1);
});

test("courses that are completed at the same time complete the path exactly once", async () => {
  for (const room of [await pathRoom(), await pathRoom(), await pathRoom()]) {
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
  const room = await pathRoom();
  const [first, second] = room.courses;
  if (!first || !second) throw new Error("no courses");
  // A second purchase, of a list with one course alone.
  await holdPath(server, room.learner.id, { ...room.path }, { courseIds: [second._id] });
  await room.complete(1);
  expect((await room.held()).completedAt).toBeInstanceOf(Date);

  const late = await pathRoom(1);
  await db.Purchase.updateOne({ pathId: late.path._id }, { $set: { "terms.courses.0.accessDays": 0 } });
  await late.complete(0);
  expect(await late.held()).toMatchObject({ completedAt: null });
});
