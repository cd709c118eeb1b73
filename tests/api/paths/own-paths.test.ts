import { expect, test } from "vitest";
import { commandsDuring } from "../../assertions/commands.js";
import { buildCourse } from "../../factories/courses.js";
import { buildPath, getPath } from "../../factories/paths.js";
import { startTestServer } from "../../server/test-server.js";
import { pathRoom } from "./path-room.js";

const server = await startTestServer();
const { db } = server.deps;

test("a learner sees each path that they hold, with their progress", async () => {
  const room = await pathRoom(server, { inOrder: true, count: 3 });
  const list = async () => (await server.get("/api/user/paths", room.learner.token)).body.paths;
  await room.complete(0);
  const [first, second, third] = room.courseIds.map(String);
  const course = { courseThumbnail: "https://img.example/course.png", lecturesTotal: 1, isEnrolled: true };
  const begun = { ...course, lecturesDone: 0, completedAt: null };
  expect(await list()).toEqual([
    {
      ...{ _id: String(room.path._id), slug: `path-${room.path._id}`, title: "From zero to types", inOrder: true },
      courses: [
        {
          ...{ ...course, courseId: first, courseTitle: "Course 1", lecturesDone: 1, isLocked: false },
          completedAt: expect.any(String),
        },
        { ...begun, courseId: second, courseTitle: "Course 2", isLocked: false },
        { ...begun, courseId: third, courseTitle: "Course 3", isLocked: true },
      ],
      ...{ coursesDone: 1, coursesTotal: 3, percent: 33, enrolledAt: expect.any(String), expiresAt: null },
      ...{ completedAt: null, certificateId: null },
    },
  ]);
  await room.complete(1);
  await room.complete(2);
  const { certificateId } = await db.Certificate.findOne(room.own).orFail().lean();
  expect(await list()).toMatchObject([{ percent: 100, completedAt: expect.any(String), certificateId }]);
  // What was bought again later is shown, and a path that is no longer held is not.
  await room.holdAgain({ courses: [{ courseId: room.courseIds[2], accessDays: 7 }] });
  expect(await list()).toMatchObject([{ coursesTotal: 1, courses: [{ courseId: third }] }]);
  await db.PathEnrollment.updateOne(room.own, { active: false });
  expect(await list()).toEqual([]);
});

test("more paths need no more commands", async () => {
  const room = await pathRoom(server, { inOrder: true });
  const read = () => commandsDuring(server, () => server.get("/api/user/paths", room.learner.token));
  const one = await read();
  for (const title of ["Second", "Third"]) {
    const { _id } = await buildCourse(server, { educatorId: room.educator.id });
    const courseIds = [...room.courseIds, _id];
    const path = await buildPath(server, { educatorId: room.educator.id, courseIds, price: 0, inOrder: true, title });
    await getPath(server, room.learner, path);
  }
  expect((await server.get("/api/user/paths", room.learner.token)).body.paths).toMatchObject([
    {},
    { title: "Second" },
    { title: "Third" },
  ]);
  expect((await read()).length).toBe(one.length);
});
