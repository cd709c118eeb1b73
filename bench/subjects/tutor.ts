import { randomUUID } from "node:crypto";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { startEmulators } from "@lyceum/provider-emulators";
import { Types } from "mongoose";
import { buildChapters } from "../../tests/factories/course-content.js";
import { serveSubject } from "../processes/subject.js";

/** The application with AI provider and database in other processes, so that memory and CPU are its own. */
const others = JSON.parse(process.argv[2] ?? "{}") as { MONGODB_URI: string } & Record<string, string>;
const dataDir = await mkdtemp(join(tmpdir(), "lyceum-bench-"));
const given = { ...others, MONGODB_URI: withName(others.MONGODB_URI) };
const sandbox = await startEmulators(given, { dataDir });
Object.assign(process.env, sandbox.variables, given, { PORT: "0", LOG_LEVEL: "silent" });
const { parseConfig } = await import("../../src/config.js");
const { createLog } = await import("../../src/process.js");
const { startServer } = await import("../../src/server.js");
const server = await startServer(parseConfig(process.env), createLog("silent"), { jobs: false });
const { db } = server.deps;

interface Learners {
  count: number;
  sessions: number;
  courses: number;
  enrolled: number;
}

const handlers = {
  /** New courses and learners with so many past chats (20 messages each) and quiz results. @returns their tokens. */
  async learners({ count, sessions, courses, enrolled }: Learners) {
    await Promise.all([db.Course.deleteMany({}), db.Enrollment.deleteMany({}), db.ChatSession.deleteMany({})]);
    const courseIds = Array.from({ length: courses }, () => new Types.ObjectId());
    for (let from = 0; from < courses; from += 200) {
      await db.Course.insertMany(
        courseIds.slice(from, from + 200).map((_id, i) => ({
          ...{
            _id,
            courseTitle: `Course ${from + i}`,
            courseDescription: `What course ${from + i} teaches. `.repeat(8),
          },
          ...{ coursePrice: 999, educatorId: "user_educator", courseContent: buildChapters(4, 8), totalLectures: 32 },
        })),
      );
    }
    const ids = Array.from({ length: count }, () => `user_${randomUUID().replaceAll("-", "")}`);
    await db.User.insertMany(ids.map((_id) => ({ _id, name: "Asha Rao" })));
    for (const userId of ids) {
      const seats = courseIds
        .slice(0, enrolled)
        .map((courseId) => ({ userId, courseId, active: true, enrolledAt: new Date() }));
      await db.Enrollment.insertMany(seats);
      await db.CourseProgress.insertMany(
        seats.map(({ courseId }) => ({ userId, courseId, lectureCompleted: ["ch1-l1", "ch1-l2"] })),
      );
      await db.ChatSession.insertMany(Array.from({ length: sessions }, () => pastChat(userId)));
      await db.QuizResult.insertMany(
        Array.from({ length: sessions }, () => ({
          ...{
            userId,
            courseId: courseIds[0],
            chapterId: "ch1",
            score: 1,
            total: 2,
            percentage: 50,
            group: "on_track",
          },
          ...{ recommendations: "• read", answers: [0, 1], version: 1, counted: true },
        })),
      );
    }
    return ids.map((id) => sandbox.identity?.issueToken(id, { expiresInSeconds: 3600 }));
  },
  memory() {
    global.gc?.();
    return process.memoryUsage().rss;
  },
  rss: () => process.memoryUsage().rss,
};

function pastChat(userId: string) {
  const now = new Date();
  const messages = Array.from({ length: 20 }, (_m, i) => ({
    ...{ role: i % 2 === 0 ? "user" : "assistant", content: "Something that was said. ".repeat(20) },
    ...{ createdAt: now, updatedAt: now },
  }));
  return { userId, sessionId: randomUUID(), opening: "Something", messages, bytes: 10_000 };
}

serveSubject(server.url.replace("localhost", "127.0.0.1"), handlers, async () => {
  await server.deps.database.dropDatabase();
  await server.close();
  await sandbox.close();
  await rm(dataDir, { recursive: true, force: true });
});

function withName(uri: string): string {
  const parsed = new URL(uri);
  parsed.pathname = `/bench_${process.pid}`;
  return parsed.href;
}
