import { Types } from "mongoose";
import { Registry } from "prom-client";
import { expect, test } from "vitest";
import { z } from "zod";
import { apiGroups } from "../../../src/app.js";
import { learnerCourses } from "../../../src/services/enrollments/learner-courses.js";
import { refusal } from "../../assertions/refusal.js";
import { beginAttempt, buildAssessment } from "../../factories/assessments.js";
import { getPath } from "../../factories/paths.js";
import { addResource } from "../../factories/resources.js";
import { startTestServer } from "../../server/test-server.js";
import { pathRoom } from "./path-room.js";

const server = await startTestServer();
const { db } = server.deps;

const locked = refusal(403, "Complete the previous course first");

/** Routes about a course that a lock does not hold up: they show no content and complete nothing. */
const free = [
  ...["createPurchase", "checkCoupon", "rateCourse", "getCourseProgress"],
  ...["checkCertificate", "generateCertificate", "getCertificate"],
  ...["listCourseQuizResults", "listChapterQuizResults"],
];

/** Calls of the second chapter of a course, which are refused while it is locked. */
const held: Record<string, [method: string, path: string, body?: object]> = {
  completeLecture: ["POST", "/api/user/update-course-progress", { courseId: "{courseId}", lectureId: "ch2-l1" }],
  downloadResource: ["GET", "/api/user/resources/{courseId}/{resourceId}"],
  getQuiz: ["GET", "/api/quiz/{courseId}/ch1"],
  submitQuiz: ["POST", "/api/quiz/submit", { courseId: "{courseId}", chapterId: "ch1", answers: [0] }],
  getAssessment: ["GET", "/api/quiz/assessments/{courseId}/ch2"],
  startAttempt: ["POST", "/api/quiz/assessments/{courseId}/ch2/attempts"],
  saveAnswers: ["PUT", "/api/quiz/attempts/{attemptId}/answers", { answers: {} }],
  getAttempt: ["GET", "/api/quiz/attempts/{attemptId}"],
  submitAttempt: ["POST", "/api/quiz/attempts/{attemptId}/submit", {}],
};
/** Calls that show a locked course without what is in it. */
const shown = ["getEnrolledCourse", "getLecture"];

test("every route of a learner about a course is held up by a lock, or is known not to be", () => {
  const names = ["courseId", "attemptId", "lectureId"];
  const about = apiGroups({ ...server.deps, metrics: new Registry() }).flatMap(({ routes }) =>
    routes.flatMap(({ access, operationId, params, body }) => {
      const schemas = [params, body ?? z.undefined()].map((schema) =>
        JSON.stringify(z.toJSONSchema(schema, { io: "input", unrepresentable: "any" })),
      );
      const isAbout = names.some((name) => schemas.some((schema) => schema.includes(`"${name}"`)));
      return access === "user" && isAbout ? [operationId] : [];
    }),
  );
  expect(about.sort()).toEqual([...free, ...Object.keys(held), ...shown].sort());
});

/** A learner whose second course was open, with an attempt that has begun, until the first one was reset. */
async function lockedRoom() {
  const room = await pathRoom(server, { inOrder: true, chapters: 2 });
  const courseId = String(room.courseIds[1]);
  const { resourceId } = await addResource(server, room.educator, courseId);
  const blocks = [{ kind: "file", resourceId }];
  await db.Course.updateOne({ _id: room.second }, { "courseContent.1.chapterContent.0.blocks": blocks });
  await buildAssessment(server, { courseId, educatorId: room.educator.id, chapterId: "ch2" });
  await room.complete(0, 1);
  await room.complete(0, 2);
  const attemptId = await beginAttempt(server, room.learner, { courseId, chapterId: "ch2" });
  const ids: Record<string, string> = { courseId, resourceId, attemptId };
  const call = ([method, path, body]: [string, string, object?]) => {
    const fill = (text: string) => text.replace(/\{(\w+)\}/g, (_all, name) => ids[name] ?? "");
    return server.call(method, fill(path), {
      token: room.learner.token,
      ...(body && { body: JSON.parse(fill(JSON.stringify(body))) }),
    });
  };
  await room.reset(0);
  return { ...room, courseId, attemptId, call };
}

test("a locked course shows its free previews alone, and nothing of it is read or completed", async () => {
  const room = await lockedRoom();
  const lectures = async (n: number) => {
    const { courseData } = (await room.player(n)).body;
    return courseData.courseContent.flatMap(({ chapterContent }: any) => chapterContent);
  };
  const lockedBy = { pathId: String(room.path._id), courseId: String(room.courseIds[0]), courseTitle: "Course 1" };
  expect((await room.player(1)).body.courseData).toMatchObject({ lockedBy });
  expect((await room.player(0)).body.courseData).not.toHaveProperty("lockedBy");
  const [preview, second] = await lectures(1);
  expect(preview.lectureUrl).not.toBe("");
  expect(second).toMatchObject({ lectureUrl: "" });
  expect(second).not.toHaveProperty("blocks");
  const lecture = (id: string) =>
    server.get(`/api/user/enrolled-courses/${room.courseId}/lectures/${id}`, room.learner.token);
  expect((await lecture("ch2-l1")).body.lecture).toMatchObject({ lectureUrl: "", blocks: [], resources: [] });
  expect((await lecture("ch1-l1")).body.lecture.lectureUrl).toBe(preview.lectureUrl);
  for (const [name, call] of Object.entries(held)) expect([name, await room.call(call)]).toMatchObject([name, locked]);
  const tutored = await learnerCourses(db, room.learner.id);
  expect(tutored.map(({ openLectures }) => openLectures.length)).toEqual([2, 1]);
  // Who completes the first course again goes on where they were.
  await room.complete(0, 1);
  await room.complete(0, 2);
  for (const name of ["downloadResource", "getAttempt", "submitAttempt", "completeLecture"])
    expect([name, (await room.call(held[name] as never)).status]).toEqual([name, 200]);
});

type Room = Awaited<ReturnType<typeof pathRoom>>;
const opened: Record<string, (room: Room) => Promise<unknown>> = {
  "the course before it is completed": (room) => room.complete(0),
  "it is completed itself": ({ learner, second: courseId }) =>
    db.Enrollment.updateOne({ userId: learner.id, courseId }, { courseCompletedAt: new Date() }),
  "the learner owns it": async ({ educator, learner, first: _id }) => {
    await db.Course.updateOne({ _id: { $ne: _id }, educatorId: educator.id }, { educatorId: learner.id });
  },
  "the order is switched off": ({ path }) => db.Path.updateOne({ _id: path._id }, { inOrder: false }),
  "the path was got without order": (room) => db.Purchase.updateOne(room.own, { "terms.inOrder": false }),
  "another holding is not in order": (room) => room.holdAgain({ inOrder: false }),
  "another holding has it first": (room) => room.holdAgain({ courses: [{ courseId: room.second, accessDays: null }] }),
  "the course is also granted alone": ({ learner, second: courseId }) =>
    db.Grant.create({ courseId, userId: learner.id, email: null, state: "active", reason: "x", grantedBy: "x" }),
  "the course was bought alone, for days behind those of the path": async ({ own, second: courseId }) => {
    const ago = new Date(Date.now() - 20 * 86_400_000);
    const { _id, pathId, ...sale } = await db.Purchase.findOne(own).orFail().lean();
    const { courses: _courses, inOrder, ...terms } = sale.terms;
    const dated = { "terms.courses.$[].accessDays": 30, completedAt: ago, createdAt: ago };
    await db.Purchase.collection.updateOne({ _id }, { $set: dated });
    const days = new Date(Date.now() - 6 * 86_400_000);
    const alone = { courseId, terms: { ...terms, accessDays: 5 }, completedAt: days, createdAt: days };
    await db.Purchase.collection.insertOne({ ...sale, ...alone, _id: new Types.ObjectId() });
  },
  "the course is also bought alone": async ({ learner, own, second: courseId }) => {
    const { _id, pathId, ...sale } = await db.Purchase.findOne(own).orFail().lean();
    const { courses, inOrder, ...terms } = sale.terms;
    await db.Purchase.create({ ...sale, userId: learner.id, courseId, terms });
  },
};
const closed: Record<string, (room: Room) => Promise<unknown>> = {
  "the grant of the course came with a path": ({ learner, second: courseId }) => {
    const granted = {
      courseId,
      userId: learner.id,
      email: null,
      state: "active",
      reason: "x",
      grantedBy: "x",
    } as const;
    return db.Grant.create({ ...granted, pathGrantId: new Types.ObjectId() });
  },
  "the other holding of it is over": (room) =>
    room.holdAgain({ inOrder: false, courses: [{ courseId: room.second, accessDays: 0 }] }),
};

test.each([...Object.keys(opened), ...Object.keys(closed)])("whether a course is locked when %s", async (when) => {
  const room = await pathRoom(server, { inOrder: true });
  expect((await room.player(1)).body.courseData).toHaveProperty("lockedBy");
  await (opened[when] ?? closed[when])?.(room);
  expect("lockedBy" in (await room.player(1)).body.courseData).toBe(when in closed);
});

test("an attempt that began before the path came is held up as well", async () => {
  const room = await pathRoom(server, { inOrder: true });
  const [other, courseId] = [await server.signedIn(), String(room.second)];
  await buildAssessment(server, { courseId, educatorId: room.educator.id, chapterId: "ch1" });
  const alone = { courseId, userId: other.id, reason: "A guest" };
  const { body } = await server.post(`/api/educator/courses/${courseId}/enrollments`, alone, room.educator.token);
  const attemptId = await beginAttempt(server, other, { courseId, chapterId: "ch1" });
  await getPath(server, other, room.path);
  const read = () => server.get(`/api/quiz/attempts/${attemptId}`, other.token);
  expect((await read()).status).toBe(200);
  await server.delete(`/api/educator/courses/${courseId}/enrollments/${body.enrollment._id}`, room.educator.token);
  expect(await read()).toMatchObject(locked);
});

test("a list is the one that the learner got, and the earliest course that is missing is named", async () => {
  const room = await pathRoom(server, { inOrder: true, count: 3 });
  await db.Path.updateOne({ _id: room.path._id }, { courseIds: [...room.courseIds].reverse() });
  await room.complete(1);
  expect((await room.player(2)).body.courseData.lockedBy).toMatchObject({ courseTitle: "Course 1" });
  expect(await room.complete(1)).toMatchObject(locked);
  // Another learner gets the present list.
  const other = await server.signedIn();
  await getPath(server, other, room.path);
  const player = await server.get(`/api/user/enrolled-courses/${room.courseIds[0]}`, other.token);
  expect(player.body.courseData.lockedBy).toMatchObject({ courseTitle: "Course 3" });
});
