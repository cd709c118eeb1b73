import { randomUUID } from "node:crypto";
import { beforeAll, expect, test } from "vitest";
import { ensureIndexes } from "../../src/db/indexes.js";
import { commandsDuring, type Effort, effortOf } from "../assertions/commands.js";
import { buildChapters } from "../factories/course-content.js";
import { buildCourse, enroll } from "../factories/courses.js";
import { startTestServer } from "../server/test-server.js";

/* What the most asked routes cost the database: nothing is looked up twice, and nothing grows with who else is there. */

const server = await startTestServer({ watchCommands: true });
const { db } = server.deps;

/** A learner who completed a course, and its educator, beside `size` others of everything. */
async function world(size: number) {
  const now = new Date();
  const others = Array.from({ length: size }, (_, i) => `user_${size}_${i}`);
  const [learner, educator] = [await server.signedIn(), await server.signedIn("educator")];
  const course = await buildCourse(server, { educatorId: educator.id });
  const courseId = course._id;
  await db.Course.insertMany(
    others.map((educatorId) => ({ courseTitle: "x", courseDescription: "x", coursePrice: 1, educatorId })),
  );
  await db.User.insertMany(others.map((_id) => ({ _id })));
  await db.RoleRecord.insertMany(others.map((_id) => ({ _id, role: "educator", writtenAt: now })));
  const pairs = others.map((userId) => ({ userId, courseId }));
  await db.Enrollment.insertMany(pairs.map((pair) => ({ ...pair, active: true, enrolledAt: now })));
  await enroll(server, learner.id, courseId);
  const completed = { completed: true, completedAt: now };
  await db.CourseProgress.insertMany([...pairs, { userId: learner.id, courseId }].map((p) => ({ ...p, ...completed })));
  await db.Certificate.insertMany(
    [...pairs, { userId: learner.id, courseId }].map((pair) => ({
      ...{ ...pair, certificateId: randomUUID(), studentName: "x", courseTitle: "x", completionDate: now },
      ...{ status: "issued", issuedAt: now, pdfUrl: "https://media.example/x.pdf", nextAttemptAt: now },
    })),
  );
  const question = { question: "?", options: ["a", "b", "c", "d"], correctIndex: 0 };
  const quiz = { chapterId: "ch1", chapterTitle: "x", courseTitle: "x", questions: [question], version: 1 };
  await db.Quiz.create({ ...quiz, courseId });
  const attempt = { chapterId: "ch1", score: 1, total: 1, percentage: 100, group: "mastered", recommendations: "x" };
  await db.QuizResult.insertMany(pairs.map((pair) => ({ ...pair, ...attempt, answers: [0], version: 1 })));
  const [group] = await db.CommunityGroup.find({ isOfficial: true }).lean();
  await db.CommunityPost.insertMany(
    others.map((authorId) => ({ authorId, title: "x", content: "x", groupId: group?._id })),
  );
  await server.get("/api/course/all");
  return { learner, educator, courseId: String(courseId), groupId: String(group?._id) };
}
type World = Awaited<ReturnType<typeof world>>;

const lectureId = buildChapters()[0]?.chapterContent[0]?.lectureId;
type Work = (given: World) => Promise<{ status: number }>;

/** The requests, and every command that each may send. */
const routes: Record<string, [Work, string[]]> = {
  "the catalog, unchanged": [() => server.get("/api/course/all"), ["find catalogrevisions"]],
  "a course": [({ courseId }) => server.get(`/api/course/${courseId}`), ["aggregate courses"]],
  "the same course again": [({ courseId }) => server.get(`/api/course/${courseId}`), ["aggregate courses"]],
  "one's own data": [({ learner }) => server.get("/api/user/data", learner.token), ["aggregate users"]],
  "one's own courses, not known to the process": [
    ({ learner }) => server.get("/api/user/enrolled-courses", learner.token),
    ["aggregate courses", "aggregate users", "find catalogrevisions"],
  ],
  "one's own courses again": [
    ({ learner }) => server.get("/api/user/enrolled-courses", learner.token),
    ["aggregate users", "find catalogrevisions"],
  ],
  "the player": [
    ({ learner, courseId }) => server.get(`/api/user/enrolled-courses/${courseId}`, learner.token),
    ["aggregate courses", "find courseratings", "find enrollments"],
  ],
  "a completed lecture of a completed course": [
    ({ learner, courseId }) => server.post("/api/user/update-course-progress", { courseId, lectureId }, learner.token),
    ["aggregate courses", "find certificates", "find enrollments", "findAndModify courseprogresses"],
  ],
  "a certificate that is there": [
    ({ learner, courseId }) => server.post(`/api/user/certificate/generate/${courseId}`, {}, learner.token),
    ["find certificates", "find enrollments"],
  ],
  "a stored quiz": [
    ({ learner, courseId }) => server.get(`/api/quiz/${courseId}/ch1`, learner.token),
    ["find courses", "find enrollments", "find quizzes", "update lastservedquizzes"],
  ],
  "a quiz attempt": [
    ({ learner, courseId }) =>
      server.post("/api/quiz/submit", { courseId, chapterId: "ch1", answers: [0] }, learner.token),
    [
      ...["commitTransaction", "find enrollments", "find lastservedquizzes", "find quizzes"],
      ...["insert quizresults", "update quizchapterstats", "update quizresults", "update quizversionstats"],
    ],
  ],
  "a first rating": [
    ({ learner, courseId }) => server.post("/api/user/add-rating", { courseId, rating: 5 }, learner.token),
    ["commitTransaction", "find enrollments", "findAndModify courseratings", "update courses"],
  ],
  "the same rating again": [
    ({ learner, courseId }) => server.post("/api/user/add-rating", { courseId, rating: 5 }, learner.token),
    ["commitTransaction", "find enrollments", "findAndModify courseratings"],
  ],
  "a tracked session": [
    ({ learner, courseId }) =>
      server.post(
        "/api/user/track-time",
        { page: "Learning", path: `/player/${courseId}`, duration: 5 },
        learner.token,
      ),
    [
      ...["commitTransaction", "findAndModify timebucketcounts"],
      ...["update coursetimes", "update daytimes", "update pagetimes", "update timesessions"],
    ],
  ],
  "a further session of the same page": [
    ({ learner, courseId }) =>
      server.post(
        "/api/user/track-time",
        { page: "Learning", path: `/player/${courseId}`, duration: 5 },
        learner.token,
      ),
    ["commitTransaction", "update coursetimes", "update daytimes", "update pagetimes", "update timesessions"],
  ],
  "an educator's own course": [
    ({ educator, courseId }) => server.get(`/api/educator/courses/${courseId}`, educator.token),
    ["find courses", "find rolerecords", "find users"],
  ],
  "a new post": [
    ({ learner, groupId }) => server.post("/api/community/posts", { title: "x", content: "x", groupId }, learner.token),
    ["commitTransaction", "find users", "findAndModify communitygroups", "insert communityposts"],
  ],
};

const efforts: Record<"few" | "many", Record<string, Effort>> = { few: {}, many: {} };

beforeAll(async () => {
  for (const [name, size] of [
    ["few", 3],
    ["many", 300],
  ] as const) {
    const given = await world(size);
    for (const [route, [work]] of Object.entries(routes)) {
      const commands = await commandsDuring(server, async () => {
        expect({ route, status: (await work(given)).status }).toEqual({ route, status: 200 });
      });
      // Now and then the catalog also asks which figures moved, for every caller.
      const own = commands.filter(({ filter }) => filter?.figuresChangedAt === undefined);
      efforts[name][route] = await effortOf(server, own);
    }
  }
});

test.each(Object.entries(routes))("%s asks for each thing once, by index", (route, [, expected]) => {
  const { commands, scans, sorts } = efforts.many[route] ?? { commands: [] };
  expect({ commands: [...commands].sort(), scans, sorts }).toEqual({ commands: expected, scans: [], sorts: [] });
});

test.each(Object.keys(routes))("%s costs the same with a hundred times as many others", (route) => {
  expect(efforts.many[route]?.documents).toEqual(efforts.few[route]?.documents);
});

test("all indexes of a collection are made by one command", async () => {
  const { transaction, jobCalls, close, ...models } = db;
  const commands = await commandsDuring(server, () => ensureIndexes(models));
  const asked = commands.map(({ createIndexes }) => createIndexes).sort();
  const indexed = Object.values(models);
  expect(asked).toEqual(indexed.map(({ collection }) => collection.name).sort());
  for (const { schema, collection } of indexed) {
    expect((await collection.indexes()).length, collection.name).toBe(schema.indexes().length + 1);
  }
});
