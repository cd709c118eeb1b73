import { describe, expect, test } from "vitest";
import { refusal } from "../../assertions/refusal.js";
import { buildChapters } from "../../factories/course-content.js";
import { buildCourse, enroll } from "../../factories/courses.js";
import { type SignedIn, startTestServer } from "../../server/test-server.js";

const server = await startTestServer();
const invalid = refusal(400, "Invalid request data");
const invalidLecture = refusal(400, "Invalid lecture for this course");

async function enrolled(chapters = 2, lectures = 2) {
  const learner = await server.signedIn();
  const course = await buildCourse(server, { courseContent: buildChapters(chapters, lectures) });
  await enroll(server, learner.id, course._id);
  return { learner, course, courseId: String(course._id) };
}
const complete = (learner: SignedIn, courseId: unknown, lectureId: unknown, more: object = {}) =>
  server.post("/api/user/update-course-progress", { courseId, lectureId, ...more }, learner.token);
const progressOf = async (learner: SignedIn, courseId: string) =>
  (await server.post("/api/user/get-course-progress", { courseId }, learner.token)).body.progressData;

describe("POST /api/user/update-course-progress", () => {
  test("keeps completed lectures without duplicates and completes with the last one", async () => {
    const { learner, courseId } = await enrolled(1, 2);
    const updated = { success: true, message: "Progress Updated" };
    const unfinished = { ...updated, isCourseCompleted: false, certificateAvailable: false };
    expect((await complete(learner, courseId, "ch1-l1")).body).toEqual(unfinished);
    expect((await complete(learner, courseId, " ch1-l1 ")).body).toEqual(unfinished);
    expect((await progressOf(learner, courseId)).lectureCompleted).toEqual(["ch1-l1"]);
    const finished = { ...updated, isCourseCompleted: true, certificateAvailable: true };
    expect((await complete(learner, courseId, "ch1-l2")).body).toEqual(finished);
    expect((await complete(learner, courseId, "ch1-l1")).body).toEqual(finished);
    expect(await progressOf(learner, courseId)).toEqual({
      _id: expect.stringMatching(/^[0-9a-f]{24}$/),
      userId: learner.id,
      courseId,
      lectureCompleted: ["ch1-l1", "ch1-l2"],
      completed: true,
      createdAt: expect.stringMatching(/Z$/),
      updatedAt: expect.stringMatching(/Z$/),
    });
  });

  test("checks body, course, purchase and lecture in this order", async () => {
    const { learner, courseId } = await enrolled();
    const { token } = await server.signedIn();
    const stranger = { ...learner, token };
    for (const bad of ["", "  ", 1, null, undefined, ["x"], { $gt: "" }]) {
      expect(await complete(learner, bad, "ch1-l1")).toMatchObject(invalid);
      expect(await complete(learner, courseId, bad)).toMatchObject(invalid);
      expect(await complete(stranger, "nonsense", bad)).toMatchObject(invalid);
    }
    const unknown = refusal(404, "Course not found");
    expect(await complete(stranger, "nonsense", "nothing")).toMatchObject(unknown);
    expect(await complete(learner, "665f1c2ab7e4d90012ab34cd", "nothing")).toMatchObject(unknown);
    expect(await complete(stranger, courseId, "nothing")).toMatchObject(refusal(403, "Course not purchased"));
    for (const no of ["nothing", "__proto__", "constructor", "ch1"]) {
      expect(await complete(learner, courseId, no)).toMatchObject(invalidLecture);
    }
    expect(await progressOf(learner, courseId)).toBeNull();
    await server.deps.db.Enrollment.updateOne({ userId: learner.id }, { $set: { active: false } });
    expect(await complete(learner, courseId, "ch1-l1")).toMatchObject(refusal(403, "Course not purchased"));
  });

  test("takes a position in seconds, whole or not, and refuses anything else", async () => {
    const { learner, courseId } = await enrolled();
    for (const positionSeconds of [0, 12, 12.5, 86_400]) {
      expect((await complete(learner, courseId, "ch1-l1", { positionSeconds })).status).toBe(200);
    }
    for (const positionSeconds of [-1, "12", null, true, [1], { $gt: 0 }]) {
      expect(await complete(learner, courseId, "ch1-l1", { positionSeconds })).toMatchObject(invalid);
    }
    const { token } = learner;
    const infinite = `{"courseId":"${courseId}","lectureId":"ch1-l1","positionSeconds":1e999}`;
    const headers = { "content-type": "application/json" };
    expect((await server.post("/api/user/update-course-progress", infinite, token, headers)).status).toBe(400);
  });

  test("parallel first calls over all lectures lose nothing, on two instances", async () => {
    const { learner, courseId, course } = await enrolled(3, 4);
    const second = await server.another();
    const lectureIds = course.courseContent.flatMap(({ chapterContent }) => chapterContent.map((l) => l.lectureId));
    const answers = await Promise.all(
      [...lectureIds, ...lectureIds].map((lectureId, index) =>
        (index % 2 ? second : server).post("/api/user/update-course-progress", { courseId, lectureId }, learner.token),
      ),
    );
    expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 200));
    const progress = await progressOf(learner, courseId);
    expect([...progress.lectureCompleted].sort()).toEqual([...lectureIds].sort());
    expect(progress.completed).toBe(true);
    expect(await server.deps.db.CourseProgress.countDocuments({ userId: learner.id })).toBe(1);
    expect(await server.deps.db.Certificate.countDocuments({ userId: learner.id })).toBe(1);
  });

  test("completion goes by inclusion: removed lectures do not count, added ones do not undo it", async () => {
    const { learner, courseId, course } = await enrolled(1, 3);
    const { Course } = server.deps.db;
    await complete(learner, courseId, "ch1-l1");
    await complete(learner, courseId, "ch1-l3");
    const shrunk = buildChapters(1, 3);
    shrunk[0]?.chapterContent.splice(2, 1);
    await Course.updateOne({ _id: course._id }, { $set: { courseContent: shrunk }, $inc: { version: 1 } });
    // Two completed of two, but the wrong two.
    expect((await complete(learner, courseId, "ch1-l1")).body.isCourseCompleted).toBe(false);
    expect((await complete(learner, courseId, "ch1-l2")).body.isCourseCompleted).toBe(true);
    const { completedAt } = (await server.deps.db.CourseProgress.findOne({ userId: learner.id }).lean()) ?? {};
    await Course.updateOne({ _id: course._id }, { $set: { courseContent: buildChapters(4, 5) }, $inc: { version: 1 } });
    expect((await complete(learner, courseId, "ch4-l5")).body.isCourseCompleted).toBe(true);
    const after = await server.deps.db.CourseProgress.findOne({ userId: learner.id }).lean();
    expect(after).toMatchObject({ completed: true, completedAt });
  });

  test("a course without lectures never completes", async () => {
    const { learner, courseId } = await enrolled(1, 0);
    expect(await complete(learner, courseId, "ch1-l1")).toMatchObject(invalidLecture);
    expect((await server.get(`/api/user/certificate/check/${courseId}`, learner.token)).body.eligible).toBe(false);
  });
});

test("a repeated lecture moves place and activity, and nothing else", async () => {
  const { learner, courseId } = await enrolled();
  const { CourseProgress, Enrollment } = server.deps.db;
  await complete(learner, courseId, "ch1-l1");
  await complete(learner, courseId, "ch1-l2");
  const before = await Enrollment.findOne({ userId: learner.id }).orFail().lean();
  const dayAgo = new Date(Date.now() - 86_400_000);
  await Enrollment.updateOne({ userId: learner.id }, { lastActiveAt: dayAgo }, { timestamps: false });
  const { body } = await complete(learner, courseId, "ch1-l1", { positionSeconds: 30 });
  expect(body).toMatchObject({ success: true, isCourseCompleted: false });
  expect(await CourseProgress.findOne({ userId: learner.id }).lean()).toMatchObject({
    ...{ lastLectureId: "ch1-l1", positionSeconds: 30, lectureCompleted: ["ch1-l1", "ch1-l2"], completed: false },
  });
  const { lastActiveAt, ...after } = await Enrollment.findOne({ userId: learner.id }).orFail().lean();
  expect({ ...after, lastActiveAt: before.lastActiveAt }).toEqual(before);
  expect(lastActiveAt?.getTime()).toBeGreaterThan(dayAgo.getTime());
});

test("progress is null for any string that names nothing of the caller's, and anything else is refused", async () => {
  const { learner, courseId } = await enrolled();
  await complete(learner, courseId, "ch1-l1");
  const other = await server.signedIn();
  const read = (id: unknown) => server.post("/api/user/get-course-progress", { courseId: id }, other.token);
  for (const id of [courseId, "nonsense", "665f1c2ab7e4d90012ab34cd", "__proto__", "💥".repeat(500)]) {
    expect(await read(id)).toMatchObject({ status: 200, body: { success: true, progressData: null } });
  }
  for (const id of ["", " ", 7, null, undefined, { $ne: "" }]) expect(await read(id)).toMatchObject(invalid);
});
