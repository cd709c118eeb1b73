import { randomUUID } from "node:crypto";
import { existsSync } from "node:fs";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Types } from "mongoose";
import { buildChapters } from "../../tests/factories/course-content.js";
import { serveSubject } from "../processes/subject.js";

/**
 * A checkout of the server, this one or another, on a database of its own in another process. Set-up goes past the
 * application as plain documents, which every version reads.
 */
const { root, databaseUri } = JSON.parse(process.argv[2] ?? "{}") as { root: string; databaseUri: string };
const dataDir = await mkdtemp(join(tmpdir(), "lyceum-bench-"));
// Older versions have the emulators in another place, by another name.
const places = ["packages/provider-emulators/src/index.ts", "src/sandbox/index.ts"].map((path) => join(root, path));
const provided = await import(places.find((path) => existsSync(path)) ?? "");
const given = { MONGODB_URI: databaseUri, PORT: "0", LOG_LEVEL: "silent", DATA_DIR: dataDir };
const sandbox = await (provided.startEmulators ?? provided.startSandbox)(given, { dataDir });
Object.assign(process.env, sandbox.variables, given);
const { parseConfig } = await import(join(root, "src/config.ts"));
const { createLog } = await import(join(root, "src/process.ts"));
const { startServer } = await import(join(root, "src/server.ts"));
const server = await startServer(parseConfig(process.env), createLog("silent"), { jobs: false });
const { database } = server.deps;
const courseContent = buildChapters(3, 6);
let commands = 0;
database.getClient().on("commandStarted", () => {
  commands += 1;
});

const handlers = {
  /** Adds courses with one lecture each. @returns their ids. */
  async courses(count: number): Promise<string[]> {
    const now = new Date();
    const course = {
      ...{ courseTitle: "Bench", courseDescription: "Measured.", courseThumbnail: "", coursePrice: 999, discount: 0 },
      ...{ isPublished: true, courseContent, educatorId: "user_bench", version: 1, totalLectures: 18 },
      ...{ totalDurationMinutes: 180, totalRatings: 0, ratingSum: 0, ratingChange: 0, totalEnrolledStudents: 0 },
      ...{ revenueMinor: 0, completedPurchases: 0, figuresChangedAt: now, createdAt: now, updatedAt: now },
    };
    const rows = Array.from({ length: count }, () => ({ _id: new Types.ObjectId(), ...course }));
    await database.collection("courses").insertMany(rows);
    return rows.map(({ _id }) => String(_id));
  },
  /** Adds learners, each enrolled in `enrolledIn` when it names a course. @returns ids and session tokens. */
  async learners({ count, enrolledIn }: { count: number; enrolledIn?: string }) {
    const now = new Date();
    const ids = Array.from({ length: count }, () => `user_${randomUUID().replaceAll("-", "")}`);
    const known = { counted: true, incarnation: "bench", providerUpdatedAt: 1, createdAt: now, updatedAt: now };
    await database
      .collection("users")
      .insertMany(ids.map((_id) => ({ _id, name: "Ada", email: "", imageUrl: "", ...known })));
    const seat = { active: true, enrolledAt: now, revokedAt: null, purchases: 1, change: 1, countedChange: 1 };
    const courseId = enrolledIn && new Types.ObjectId(enrolledIn);
    if (courseId) {
      await database
        .collection("enrollments")
        .insertMany(ids.map((userId) => ({ userId, courseId, ...seat, createdAt: now, updatedAt: now })));
    }
    return ids.map((id) => ({ id, token: sandbox.identity.issueToken(id, { role: "student" }) as string }));
  },
  signWebhook: (body: string): Record<string, string> => sandbox.payments.signWebhook(body),
  signCheckout: ({ orderId, paymentId }: { orderId: string; paymentId: string }): string =>
    sandbox.payments.signCheckout(orderId, paymentId),
  /** Database commands since the start, when the URI asks for monitoring. */
  commands: () => commands,
};

serveSubject(server.url.replace("localhost", "127.0.0.1"), handlers, async () => {
  await database.dropDatabase();
  await server.close();
  await sandbox.close();
  await rm(dataDir, { recursive: true, force: true });
});
