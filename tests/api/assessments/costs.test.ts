import { expect, test } from "vitest";
import { commandsDuring, effortOf } from "../../assertions/commands.js";
import { startTestServer } from "../../server/test-server.js";
import { complete } from "../learners/classroom.js";
import { examRoom, submit } from "./exam-room.js";

const server = await startTestServer({ own: "counts commands" });

test("a submit that completes the course sends nine commands at most", async () => {
  const room = await examRoom(server);
  const id = await room.assess({ requiredForCompletion: true });
  const other = await room.assess({ requiredForCompletion: true }, "ch2");
  const learner = await room.learner();
  for (const lecture of ["ch1-l1", "ch2-l1"]) await complete(server, learner, room.courseId, lecture);
  // With another required assessment, the submit looks whether that was passed.
  const passed = (await room.start(learner, "ch2")).body.attempt;
  await submit(server, learner, passed._id, { [other]: true });
  const { attempt } = (await room.start(learner)).body;
  const sent = await commandsDuring(server, async () => {
    expect((await submit(server, learner, attempt._id, { [id]: true })).body.result).toMatchObject({ passed: true });
  });
  const { db } = server.deps;
  const { name } = await db.User.findById(learner.id).orFail().lean();
  expect(await db.Certificate.find({ userId: learner.id }).lean()).toMatchObject([{ studentName: name }]);
  const { commands } = await effortOf(server, sent);
  expect(commands.length, commands.join(", ")).toBeLessThanOrEqual(9);
});
