import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, expect, test } from "vitest";
import { produceCertificates } from "../../../src/jobs/produce-certificates.js";
import { commandsDuring, type Effort, effortOf } from "../../assertions/commands.js";
import { buildChapters } from "../../factories/course-content.js";
import { buildCourse, enroll } from "../../factories/courses.js";
import { addSessions } from "../../factories/time-sessions.js";
import { startExplainingDatabase } from "../../server/explaining-database.js";
import { startTestServer, type TestServer } from "../../server/test-server.js";

/**
 * Students of the learner's courses, their ratings and certificates, and the learner's own sessions: one unit of them.
 */
const unit = 3;

/** A learner with three courses in a world of `size` others, with `size` sessions of their own. */
async function world(server: TestServer, size: number) {
  const { db } = server.deps;
  const learner = await server.signedIn();
  const courses = await Promise.all(["A", "B", "C"].map((courseTitle) => buildCourse(server, { courseTitle })));
  const [course] = courses;
  if (!course) throw new Error("no course was built");
  const others = Array.from({ length: size }, (_, n) => `user_other_${n}`);
  const ofOthers = courses.flatMap(({ _id: courseId }) => others.map((userId) => ({ userId, courseId })));
  const now = new Date();
  await db.Enrollment.insertMany(ofOthers.map((pair) => ({ ...pair, active: true, enrolledAt: now })));
  await db.CourseRating.insertMany(ofOthers.map((pair) => ({ ...pair, rating: 4 })));
  await db.Course.updateMany({}, { $set: { ratingSum: 4 * size, totalRatings: size } });
  await db.CourseProgress.insertMany(
    ofOthers.map((pair) => ({ ...pair, lectureCompleted: ["ch1-l1"], completed: true, completedAt: now })),
  );
  const certificateIds = ofOthers.map(() => randomUUID());
  await db.Certificate.insertMany(
    ofOthers.map((pair, n) => ({
      ...pair,
      certificateId: certificateIds[n],
      studentName: "Somebody",
      courseTitle: "A",
      completionDate: now,
      status: "issued",
      issuedAt: now,
      pdfUrl: "https://media.example/x.pdf",
      nextAttemptAt: now,
    })),
  );
  await addSessions(db, { userId: learner.id, courseId: String(course._id), count: size });
  // The learner comes last: a scan would pass every other user.
  for (const { _id } of courses) await enroll(server, learner.id, _id);
  return { learner, courseId: String(course._id), certificateId: certificateIds.at(-1) ?? "none" };
}

type World = Awaited<ReturnType<typeof world>>;
type Work = (server: TestServer, given: World) => Promise<unknown>;

const get = (path: (given: World) => string): Work => {
  return async (server, given) => expect((await server.get(path(given), given.learner.token)).status).toBe(200);
};
const post = (path: string, body: (given: World) => object): Work => {
  return async (server, given) => expect((await server.post(path, body(given), given.learner.token)).status).toBe(200);
};
const never = new AbortController().signal;

const lectureIds = buildChapters().flatMap(({ chapterContent }) => chapterContent.map(({ lectureId }) => lectureId));
const complete = (...ids: string[]): Work => {
  return async (server, given) => {
    for (const lectureId of ids) {
      await post("/api/user/update-course-progress", ({ courseId }) => ({ courseId, lectureId }))(server, given);
    }
  };
};

/** In this order on one world: later ones find what earlier ones left. */
const works: Record<string, Work> = {
  "GET /data": get(() => "/api/user/data"),
  "GET /enrolled-courses": get(() => "/api/user/enrolled-courses"),
  "GET /enrolled-courses/:courseId": get(({ courseId }) => `/api/user/enrolled-courses/${courseId}`),
  "POST /add-rating, a first one": post("/api/user/add-rating", ({ courseId }) => ({ courseId, rating: 5 })),
  "POST /add-rating, a replacement": post("/api/user/add-rating", ({ courseId }) => ({ courseId, rating: 1 })),
  "POST /track-time": post("/api/user/track-time", ({ courseId }) => {
    return { page: "Learning", path: `/player/${courseId}`, duration: 5 };
  }),
  "GET /analytics": get(() => "/api/user/analytics"),
  "POST /update-course-progress, not the last": complete(...lectureIds.slice(1)),
  "GET /continue": get(() => "/api/user/continue"),
  "POST /update-course-progress, the last": complete(...lectureIds.slice(0, 1)),
  "POST /get-course-progress": post("/api/user/get-course-progress", ({ courseId }) => ({ courseId })),
  "GET /certificate/check/:courseId": get(({ courseId }) => `/api/user/certificate/check/${courseId}`),
  "GET /certificate/:courseId": get(({ courseId }) => `/api/user/certificate/${courseId}`),
  "GET /certificate/verify/:certificateId": get(({ certificateId }) => `/api/certificate/verify/${certificateId}`),
  "the certificates' job": ({ deps }) => produceCertificates(deps, never),
};

const costs: Record<"small" | "large", Map<string, Effort>> = { small: new Map(), large: new Map() };
let close: () => Promise<void>;

beforeAll(async () => {
  const database = await startExplainingDatabase();
  const servers: TestServer[] = [];
  for (const [name, size] of [
    ["small", unit],
    ["large", 100 * unit],
  ] as const) {
    const server = await startTestServer({ databaseServer: database.uri, watchCommands: true });
    servers.push(server);
    const given = await world(server, size);
    for (const [work, run] of Object.entries(works)) {
      const sent = await commandsDuring(server, () => run(server, given));
      // Leases are renewed by the clock: how often says something about this machine only.
      const effort = await effortOf(
        server,
        sent.filter((command) => Object.values(command)[0] !== "leases"),
      );
      costs[name].set(work, { ...effort, commands: effort.commands.sort() });
    }
  }
  close = async () => {
    for (const server of servers) await server.close();
    await database.close();
  };
});
afterAll(() => close());

test.each(Object.keys(works))("%s asks the same of the database with a hundred times as much of everything", (work) => {
  expect(costs.small.get(work)?.commands.length).toBeGreaterThan(0);
  expect(costs.small.get(work)?.keys).not.toBeNaN();
  expect(costs.large.get(work)).toEqual(costs.small.get(work));
});
