import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { startDevelopmentDatabase } from "@lyceum/embedded-mongo/development";
import { startEmulators } from "@lyceum/provider-emulators";
import { Types } from "mongoose";
import { buildChapters } from "../../tests/factories/course-content.js";
import { addSales } from "../../tests/factories/stored-sales.js";
import { serveSubject } from "../processes/subject.js";
import { fillCommunity, fillLists } from "../scenes/community.js";
import { fillHistory, type History } from "../scenes/learning-history.js";

/** The application as it is, on the sandbox, with ways to fill its database. */
const dataDir = await mkdtemp(join(tmpdir(), "lyceum-bench-"));
const given = process.env.MONGODB_URI ? { MONGODB_URI: withName(process.env.MONGODB_URI) } : {};
const sandbox = await startEmulators(given, { dataDir, database: startDevelopmentDatabase });
Object.assign(process.env, sandbox.variables, given, { PORT: "0", LOG_LEVEL: "silent" });
const { parseConfig } = await import("../../src/config.js");
const { createLog } = await import("../../src/process.js");
const { startServer } = await import("../../src/server.js");
const { changeCatalog } = await import("../../tests/factories/catalog.js");
const server = await startServer(parseConfig(process.env), createLog("silent"), { jobs: false });
const { db } = server.deps;

const handlers = {
  /** Replaces all courses; each says it has `students`, and that many enrollments exist for the first one. */
  async courses({ count, students }: { count: number; students: number }) {
    const ids = Array.from({ length: count }, () => new Types.ObjectId());
    await changeCatalog(db, async () => {
      await db.Course.deleteMany({});
      await db.Enrollment.deleteMany({});
      await db.Course.insertMany(
        ids.map((_id, i) => ({
          _id,
          courseTitle: `Course ${i}`,
          courseDescription: `What course ${i} teaches, in a paragraph or two. `.repeat(8),
          courseThumbnail: `https://img.example/${i}.png`,
          coursePrice: 2499 + i,
          educatorId: `user_educator_${i % 7}`,
          courseContent: buildChapters(3, 6),
          totalLectures: 18,
          totalEnrolledStudents: students,
        })),
      );
      for (let from = 0; from < students; from += 5000) {
        const seats = Array.from({ length: Math.min(5000, students - from) }, (_s, i) => ({
          ...{ userId: `user_${from + i}`, courseId: ids[0], active: true, enrolledAt: new Date(), countedChange: 1 },
        }));
        await db.Enrollment.insertMany(seats);
      }
    });
    return ids.map(String);
  },
  history: (given: History) => fillHistory(db, given),
  community: (given: Parameters<typeof fillCommunity>[1]) => fillCommunity(db, given),
  posts: (given: Parameters<typeof fillLists>[1]) => fillLists(db, given),
  async learner(id: string) {
    await db.User.updateOne({ _id: id }, { $set: { name: "Asha Rao" } }, { upsert: true });
    return sandbox.identity?.issueToken(id, { expiresInSeconds: 3600 });
  },
  /** A user with a role record. @returns their token. */
  async person({ id, role }: { id: string; role: "educator" | "admin" }) {
    await db.RoleRecord.updateOne({ _id: id }, { $set: { role, writtenAt: new Date() } }, { upsert: true });
    return sandbox.identity?.issueToken(id, { expiresInSeconds: 3600 });
  },
  /** Learners who bought a course, in every list and total. */
  async sales({ courseId, learners }: { courseId: string; learners: number }) {
    for (let left = learners; left > 0; left -= 5_000) {
      await addSales(db, new Types.ObjectId(courseId), Math.min(left, 5_000));
    }
  },
  /** Bytes of the heap and the most the process has ever had resident. */
  memory: () => ({ heap: process.memoryUsage().heapUsed, peak: process.resourceUsage().maxRSS * 1_024 }),
  async enroll({ userId, courseIds }: { userId: string; courseIds: string[] }) {
    await db.Enrollment.insertMany(
      courseIds.map((courseId) => ({ userId, courseId, active: true, enrolledAt: new Date(), countedChange: 1 })),
    );
  },
};

serveSubject(server.url.replace("localhost", "127.0.0.1"), handlers, async () => {
  if (process.env.MONGODB_URI === given.MONGODB_URI) await server.deps.database.dropDatabase();
  await server.close();
  await sandbox.close();
  await rm(dataDir, { recursive: true, force: true });
});

function withName(uri: string): string {
  const parsed = new URL(uri);
  parsed.pathname = `/bench_${process.pid}`;
  return parsed.href;
}
