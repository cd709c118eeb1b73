import { randomUUID } from "node:crypto";
import { describe, expect, test } from "vitest";
import { refusal } from "../../assertions/refusal.js";
import { buildChapters } from "../../factories/course-content.js";
import { buildCourse, enroll } from "../../factories/courses.js";
import { deliverIdentity, userData } from "../../factories/identity-events.js";
import { identityOf } from "../../server/emulators.js";
import { runJob } from "../../server/run-job.js";
import { type SignedIn, startTestServer } from "../../server/test-server.js";

const server = await startTestServer();

async function enrolled(lectures = 1, learner?: SignedIn) {
  const who = learner ?? (await server.signedIn());
  const course = await buildCourse(server, { courseContent: buildChapters(1, lectures) });
  await enroll(server, who.id, course._id);
  return { learner: who, course, courseId: String(course._id) };
}
const complete = (learner: SignedIn, courseId: string, lectureId = "ch1-l1", instance = server) =>
  instance.post("/api/user/update-course-progress", { courseId, lectureId }, learner.token);
const check = (learner: SignedIn, courseId: string) =>
  server.get(`/api/user/certificate/check/${courseId}`, learner.token);
const generate = (learner: SignedIn, courseId: string, instance = server) =>
  instance.post(`/api/user/certificate/generate/${courseId}`, {}, learner.token);
const fetched = (learner: SignedIn, courseId: string) => server.get(`/api/user/certificate/${courseId}`, learner.token);
const stored = (certificateId: string) =>
  (server.emulators.cloudinary?.assets() ?? []).filter(({ publicId }) => publicId.includes(certificateId));
const rowOf = (learner: SignedIn) => server.deps.db.Certificate.findOne({ userId: learner.id }).lean();
const produce = () => runJob(server, "produce-certificates");

/** A learner who has completed a course whose PDF nothing has produced yet: the process died right after the commit. */
async function completedWithoutPdf() {
  const { learner, courseId, course } = await enrolled(1);
  const completionDate = new Date("2026-03-01T10:00:00Z");
  const pair = { userId: learner.id, courseId };
  const completed = { lectureCompleted: ["ch1-l1"], completed: true, completedAt: completionDate };
  await server.deps.db.CourseProgress.create({ ...pair, ...completed });
  await server.deps.db.Certificate.create({
    ...pair,
    ...{ certificateId: randomUUID(), studentName: learner.name, courseTitle: course.courseTitle, completionDate },
    ...{ status: "pending", nextAttemptAt: completionDate },
  });
  return { learner, courseId, course };
}

describe("a completed course", () => {
  test("has a public PDF at once, and the record never changes afterwards", async () => {
    const { learner, courseId, course } = await enrolled();
    expect((await check(learner, courseId)).body).toEqual({ success: true, eligible: false, certificateExists: false });
    await complete(learner, courseId);
    // On a slow machine the call may have answered before the PDF was there.
    const issued = { success: true, eligible: true, certificateExists: true };
    await expect.poll(async () => (await check(learner, courseId)).body).toEqual(issued);

    const { body } = await fetched(learner, courseId);
    const pdfUrl = expect.stringMatching(/^http/);
    expect(body).toEqual({ success: true, message: "Certificate fetched successfully", pdfUrl });
    const pdf = await fetch(body.pdfUrl);
    expect(pdf.headers.get("content-type")).toBe("application/pdf");
    expect((await pdf.text()).startsWith("%PDF-")).toBe(true);

    const { User, Course } = server.deps.db;
    await User.updateOne({ _id: learner.id }, { $set: { name: "Somebody Else" } });
    await Course.updateOne({ _id: course._id }, { $set: { courseTitle: "Another Title" } });
    await User.deleteOne({ _id: learner.id });
    expect((await generate(learner, courseId)).body).toEqual({
      success: true,
      created: false,
      message: "Certificate already exists",
      pdfUrl: body.pdfUrl,
    });
    expect(await rowOf(learner)).toMatchObject({ studentName: "Asha Rao", courseTitle: "Practical TypeScript" });
  });

  test("ten progress calls at the same moment make one certificate and one stored file", async () => {
    const { learner, courseId } = await enrolled(5);
    const second = await server.another();
    const answers = await Promise.all(
      Array.from({ length: 10 }, (_, n) => complete(learner, courseId, `ch1-l${(n % 5) + 1}`, n % 2 ? second : server)),
    );
    expect(answers.filter(({ status }) => status !== 200)).toEqual([]);
    expect(answers.some(({ body }) => body.isCourseCompleted)).toBe(true);
    // On a slow machine the calls may have answered before it was there.
    expect((await generate(learner, courseId)).status).toBe(200);
    expect(await server.deps.db.Certificate.countDocuments({ userId: learner.id })).toBe(1);
    const { completedAt } = await server.deps.db.CourseProgress.findOne({ userId: learner.id }).orFail().lean();
    const { completionDate, certificateId = "none" } = (await rowOf(learner)) ?? {};
    expect(completedAt).toEqual(completionDate);
    const file = { publicId: `certificates/${certificateId}.pdf`, resourceType: "raw" };
    expect(stored(certificateId)).toMatchObject([file]);
  });
});

describe("POST /api/user/certificate/generate/:courseId", () => {
  test("parallel calls on two instances make one PDF, all answer it, and one says that it made it", async () => {
    const { learner, courseId } = await completedWithoutPdf();
    const faults = server.emulators.cloudinary?.faults;
    faults?.add({ kind: "slow", ms: 50, on: "upload", times: 8 });
    const second = await server.another();
    const answers = await Promise.all(
      Array.from({ length: 8 }, (_, n) => generate(learner, courseId, n % 2 ? second : server)),
    );
    expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 200));
    expect(new Set(answers.map(({ body }) => body.pdfUrl)).size).toBe(1);
    const made = answers.filter(({ body }) => body.created);
    expect(made.map(({ body }) => body.message)).toEqual(["Certificate generated successfully"]);
    const others = answers.filter(({ body }) => !body.created);
    expect(new Set(others.map(({ body }) => body.message))).toEqual(new Set(["Certificate already exists"]));
    expect(stored((await rowOf(learner))?.certificateId ?? "none")).toHaveLength(1);
    // One upload has used up one of the eight delays.
    expect(faults?.list()).toMatchObject([{ times: 7 }]);
    faults?.clear();
    expect((await rowOf(learner))?.completionDate).toEqual(new Date("2026-03-01T10:00:00Z"));
  });

  test("latches a progress whose lectures are all completed", async () => {
    const { learner, courseId } = await enrolled(2);
    await complete(learner, courseId, "ch1-l1");
    expect((await generate(learner, courseId)).status).toBe(404);
    await server.deps.db.CourseProgress.updateOne({ userId: learner.id }, { $push: { lectureCompleted: "ch1-l2" } });
    expect((await check(learner, courseId)).body).toMatchObject({ eligible: true, certificateExists: false });
    expect((await generate(learner, courseId)).body).toMatchObject({ created: true });
    expect((await check(learner, courseId)).body).toMatchObject({ eligible: true, certificateExists: true });
  });

  test("answers 404 `User not found` until the learner's record exists, and takes the name then", async () => {
    const id = `user_${randomUUID()}`;
    const learner = { id, name: "", token: identityOf(server.emulators).issueToken(id, { role: "student" }) };
    const { courseId } = await enrolled(1, learner);
    const withoutCertificate = { isCourseCompleted: true, certificateAvailable: false };
    expect((await complete(learner, courseId)).body).toMatchObject(withoutCertificate);
    expect(await generate(learner, courseId)).toMatchObject(refusal(404, "User not found"));
    expect((await fetched(learner, courseId)).status).toBe(404);
    await produce();
    await server.deps.db.User.create({ _id: id, name: "Late Comer" });
    await server.deps.db.Certificate.updateOne({ userId: id }, { $set: { nextAttemptAt: new Date() } });
    await produce();
    expect((await check(learner, courseId)).body.certificateExists).toBe(true);
    expect((await rowOf(learner))?.studentName).toBe("Late Comer");
  });
});

describe("a learner whose name shows nothing", () => {
  test.each([
    ["is empty", ""],
    ["is a joiner", "\u200d"],
    ["is a filler", " \u3164 \u2800"],
  ])("waits for a name that shows something: the profile's name %s", async (_name, name) => {
    const { learner, courseId } = await enrolled(1, await server.signedIn("student", name));
    const rename = (first_name: string, updated_at: number) =>
      deliverIdentity(
        server,
        userData(learner.id, "noor@example.com", { first_name, last_name: "", updated_at }),
        "user.updated",
      );
    await rename(name, Date.now());
    const done = { isCourseCompleted: true, certificateAvailable: false };
    expect((await complete(learner, courseId)).body).toMatchObject(done);
    expect(await generate(learner, courseId)).toMatchObject(refusal(409, "Add your name first"));
    await produce();
    expect(await rowOf(learner)).toMatchObject({ status: "pending", studentName: null });
    expect(await server.deps.db.Event.countDocuments({ type: "certificate.issued", userIds: learner.id })).toBe(0);

    await rename("Noor", Date.now() + 1);
    await produce();
    expect(await rowOf(learner)).toMatchObject({ status: "issued", studentName: "Noor" });
    expect(await server.deps.db.Event.countDocuments({ type: "certificate.issued", userIds: learner.id })).toBe(1);
  });

  test("had an empty snapshot in version 1.0: the name of today is taken", async () => {
    const { learner, courseId } = await completedWithoutPdf();
    await server.deps.db.Certificate.updateOne({ userId: learner.id }, { $set: { studentName: "" } });
    expect((await generate(learner, courseId)).body).toMatchObject({ created: true });
    expect(await rowOf(learner)).toMatchObject({ studentName: learner.name });
  });
});

test("a course whose lectures are all gone is completed by no learner", async () => {
  const { learner, courseId } = await enrolled(2);
  await complete(learner, courseId);
  await server.deps.db.Course.updateOne({ _id: courseId }, { $set: { courseContent: [] }, $inc: { version: 1 } });
  expect((await check(learner, courseId)).body).toMatchObject({ eligible: false });
  expect((await generate(learner, courseId)).status).not.toBe(200);
  expect(await rowOf(learner)).toBeNull();
});

describe("certificate routes", () => {
  const routes = [
    ["check", check],
    ["generate", (learner: SignedIn, courseId: string) => generate(learner, courseId)],
    ["fetch", fetched],
  ] as const;

  test.each(routes)("%s: course, then purchase; a malformed id is a fault", async (_name, call) => {
    const outsider = await server.signedIn();
    const { learner, courseId } = await completedWithoutPdf();
    expect(await call(outsider, "nonsense")).toMatchObject(refusal(500, "An unexpected error occurred"));
    expect(await call(outsider, "665f1c2ab7e4d90012ab34cd")).toMatchObject(refusal(404, "Course not found"));
    expect(await call(outsider, courseId)).toMatchObject(refusal(403, "Course not purchased"));
    await server.deps.db.Enrollment.updateOne({ userId: learner.id }, { $set: { active: false } });
    expect(await call(learner, courseId)).toMatchObject(refusal(403, "Course not purchased"));
  });

  test("say what is missing before completion and before the PDF", async () => {
    const { learner, courseId } = await enrolled();
    const notYet = "Certificate not generated yet. Click Get Certificate to generate it.";
    expect(await generate(learner, courseId)).toMatchObject(refusal(404, "Certificate not available yet"));
    expect(await fetched(learner, courseId)).toMatchObject(refusal(404, notYet));
    const other = await completedWithoutPdf();
    expect(await fetched(other.learner, other.courseId)).toMatchObject(refusal(404, notYet));
    const pending = { eligible: true, certificateExists: false };
    expect((await check(other.learner, other.courseId)).body).toMatchObject(pending);
  });
});

test("the background job issues what a crash right after the completion left without a PDF, and then has no work", async () => {
  const { learner, courseId } = await completedWithoutPdf();
  await Promise.all([produce(), produce()]);
  await produce();
  expect((await check(learner, courseId)).body).toMatchObject({ certificateExists: true });
  const row = await rowOf(learner);
  expect(row).toMatchObject({ status: "issued", completionDate: new Date("2026-03-01T10:00:00Z") });
  expect(stored(row?.certificateId ?? "none")).toHaveLength(1);
  expect(await produce()).toBeUndefined();
});
