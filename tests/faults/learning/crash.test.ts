import { randomUUID } from "node:crypto";
import { beforeEach, describe, expect, test } from "vitest";
import { attemptDiscrepancies, timeDiscrepancies } from "../../assertions/learning-recount.js";
import { differencesIn, ratingDiscrepancies } from "../../assertions/recount.js";
import { buildChapters } from "../../factories/course-content.js";
import { buildCourse, enroll } from "../../factories/courses.js";
import { dieAtEveryWrite, requestBy } from "../../server/dying-instance.js";
import { aiOf, storageOf } from "../../server/emulators.js";
import { runJob } from "../../server/run-job.js";
import { type SignedIn, startTestServer } from "../../server/test-server.js";

/*
 * A process dies before its first, second, third … write, until the request gets through. Whatever was reached, all
 * numbers equal a count of what they stand for, and the learner may send the request again.
 */

const server = await startTestServer({ own: "recounts all rows" });
const { db } = server.deps;
beforeEach(() => aiOf(server).faults.add({ kind: "error" }));

async function scene() {
  const learner = await server.signedIn();
  const course = await buildCourse(server, { courseContent: buildChapters(1, 1) });
  await enroll(server, learner.id, course._id);
  return { learner, course, courseId: String(course._id) };
}
const repeat = async (learner: SignedIn, path: string, body: unknown, headers?: Record<string, string>) => {
  expect((await server.post(path, body, learner.token, headers)).status).toBe(200);
};

describe("a process that dies before any of its writes", () => {
  test.each([
    ["a first rating", undefined],
    ["a replaced rating", 2],
  ])("leaves %s counted once or not at all", async (_name, former) => {
    const deaths = await dieAtEveryWrite(server, async () => {
      const { learner, course, courseId } = await scene();
      if (former) await repeat(learner, "/api/user/add-rating", { courseId, rating: former });
      const body = { courseId, rating: 5, review: "Good" };
      return {
        request: requestBy(learner, "POST", "/api/user/add-rating", body),
        async check() {
          expect(await ratingDiscrepancies(db)).toEqual([]);
          await repeat(learner, "/api/user/add-rating", body);
          expect(await ratingDiscrepancies(db)).toEqual([]);
          expect(await db.Course.findById(course._id).lean()).toMatchObject({ totalRatings: 1, ratingSum: 5 });
        },
      };
    });
    expect(deaths).toBeGreaterThan(1);
  });

  test("leaves a mark of a review counted once or not at all", async () => {
    const deaths = await dieAtEveryWrite(server, async () => {
      const { learner, courseId } = await scene();
      await repeat(learner, "/api/user/add-rating", { courseId, rating: 5, review: "Good" });
      const [{ _id }] = (await server.get(`/api/course/${courseId}/reviews`)).body.reviews;
      const path = `/api/course/${courseId}/reviews/${_id}/helpful`;
      return {
        request: requestBy(await server.signedIn(), "POST", path, {}),
        check: async () => expect(await ratingDiscrepancies(db)).toEqual([]),
      };
    });
    expect(deaths).toBeGreaterThan(1);
  });

  test.each([
    ["a player", (courseId: string) => `/player/${courseId}`],
    ["a quiz", (courseId: string) => `/quiz/${courseId}/ch1`],
  ])("leaves a tracked session on %s in all of its buckets or in none", async (_name, pathOf) => {
    const deaths = await dieAtEveryWrite(server, async () => {
      const { learner, courseId } = await scene();
      const body = { page: "Learning", path: pathOf(courseId), duration: 30 };
      await repeat(learner, "/api/user/track-time", body);
      const key = { "idempotency-key": randomUUID() };
      return {
        request: requestBy(learner, "POST", "/api/user/track-time", body, key),
        async check() {
          expect(await timeDiscrepancies(db, learner.id)).toEqual([]);
          await repeat(learner, "/api/user/track-time", body, key);
          expect(await timeDiscrepancies(db, learner.id)).toEqual([]);
          expect(await db.TimeSession.countDocuments({ userId: learner.id })).toBe(2);
        },
      };
    });
    expect(deaths).toBeGreaterThan(1);
  });

  test("leaves a quiz attempt in the statistics or not stored", async () => {
    const deaths = await dieAtEveryWrite(server, async () => {
      const { learner, course, courseId } = await scene();
      const question = { question: "?", options: ["a", "b", "c", "d"], correctIndex: 0, explanation: "" };
      const titles = { chapterTitle: "Chapter 1", courseTitle: course.courseTitle };
      await db.Quiz.create({ courseId, chapterId: "ch1", ...titles, version: 1, questions: [question] });
      const body = { courseId, chapterId: "ch1", answers: [1] };
      await repeat(learner, "/api/quiz/submit", body);
      return {
        request: requestBy(learner, "POST", "/api/quiz/submit", body),
        async check() {
          expect(await attemptDiscrepancies(db, course._id)).toEqual([]);
          await repeat(learner, "/api/quiz/submit", { ...body, answers: [0] });
          expect(await attemptDiscrepancies(db, course._id)).toEqual([]);
        },
      };
    });
    expect(deaths).toBeGreaterThan(1);
  });

  test("leaves a lecture and a sale counted once by their events", async () => {
    const admin = await server.signedIn("admin");
    const deaths = await dieAtEveryWrite(server, async () => {
      const [learner, course] = [
        await server.signedIn(),
        await buildCourse(server, { coursePrice: 0, courseContent: buildChapters(1, 1) }),
      ];
      const courseId = String(course._id);
      await repeat(learner, "/api/user/purchase", { courseId });
      await repeat(learner, "/api/user/update-course-progress", { courseId, lectureId: "ch1-l1" });
      return {
        // The list numbers the events that wait, and counts them.
        request: requestBy(admin, "GET", "/api/admin/events"),
        async check() {
          expect(await differencesIn(db, ["LectureCompletions", "CourseDailySales"])).toEqual([]);
          await runJob(server, "number-events");
          expect(await db.LectureCompletions.findOne({ courseId }).lean()).toMatchObject({ completed: 1 });
          expect(await db.CourseDailySales.findOne({ courseId }).lean()).toMatchObject({ sales: 1 });
          expect(await differencesIn(db, ["LectureCompletions", "CourseDailySales"])).toEqual([]);
        },
      };
    });
    expect(deaths).toBeGreaterThan(4);
  });

  test("leaves a completed course with its certificate's row, which generate turns into a PDF", async () => {
    // Six writes complete the course, the commit among them. Then the certificate is produced, whatever becomes of it.
    const answered = (writes: number) => (writes < 6 ? 500 : 200);
    const stage = async () => {
      const { learner, courseId } = await scene();
      const body = { courseId, lectureId: "ch1-l1" };
      return {
        request: requestBy(learner, "POST", "/api/user/update-course-progress", body),
        async check() {
          const completed = await db.CourseProgress.countDocuments({ userId: learner.id, completed: true });
          expect(await db.Certificate.countDocuments({ userId: learner.id })).toBe(completed);
          if (completed === 0) await repeat(learner, "/api/user/update-course-progress", body);
          // The lease of the production that died is in the way until it expires.
          await db.Lease.updateMany({ _id: /^certificate:/ }, { $set: { expiresAt: new Date() } });
          await repeat(learner, `/api/user/certificate/generate/${courseId}`, {});
          const [certificate] = await db.Certificate.find({ userId: learner.id }).lean();
          expect(certificate).toMatchObject({ status: "issued", studentName: learner.name });
          const files = storageOf(server.emulators).assets();
          expect(files.filter(({ publicId }) => publicId.includes(certificate?.certificateId ?? "none"))).toHaveLength(
            1,
          );
        },
      };
    };
    const deaths = await dieAtEveryWrite(server, stage, answered);
    expect(deaths).toBeGreaterThan(3);
  });
});
