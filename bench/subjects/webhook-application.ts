import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { startEmulators } from "@lyceum/provider-emulators";
import { Types } from "mongoose";
import { unfinishedSlot } from "../../src/models/payments/purchase.js";
import { buildChapters } from "../../tests/factories/course-content.js";
import { serveSubject } from "../processes/subject.js";

/** The application on a database that runs elsewhere, with ways to fill it with sales. */
const { uri, secret } = JSON.parse(process.argv[2] ?? "{}") as { uri: string; secret: string };
const dataDir = await mkdtemp(join(tmpdir(), "lyceum-bench-"));
const given = { MONGODB_URI: uri, RAZORPAY_WEBHOOK_SECRET: secret };
const sandbox = await startEmulators(given, { dataDir });
Object.assign(process.env, sandbox.variables, given, { PORT: "0", LOG_LEVEL: "silent" });
const { parseConfig } = await import("../../src/config.js");
const { createLog } = await import("../../src/process.js");
const { startServer } = await import("../../src/server.js");
const server = await startServer(parseConfig(process.env), createLog("silent"), { jobs: false });
const { db } = server.deps;

const courseId = new Types.ObjectId();
await db.Course.create({
  _id: courseId,
  courseTitle: "Course",
  courseDescription: "What it teaches.",
  coursePrice: 999,
  educatorId: "user_educator",
  courseContent: buildChapters(3, 6),
});
let last = 0;

const handlers = {
  /** Opens purchases that wait for their payment. @returns their ids. */
  async pending(count: number) {
    const ids = Array.from({ length: count }, () => new Types.ObjectId());
    await db.Purchase.insertMany(
      ids.map((_id) => {
        const userId = `user_${last++}`;
        const order = {
          status: "pending" as const,
          slot: unfinishedSlot(userId, courseId),
          providerOrderId: `order_${_id}`,
        };
        return { _id, userId, courseId, amount: 999, currency: "INR", nextCheckAt: new Date(), ...order };
      }),
    );
    return ids.map(String);
  },
  /** What `count` earlier sales left, of the course (`crowd`) or of ten others: purchases, enrollments, events. */
  async past({ count, crowd }: { count: number; crowd: boolean }) {
    const others = Array.from({ length: 10 }, () => new Types.ObjectId());
    for (let from = 0; from < count; from += 2_000) {
      const part = Array.from({ length: Math.min(2_000, count - from) }, () => ({
        _id: new Types.ObjectId(),
        userId: `user_${last++}`,
        courseId: crowd ? courseId : (others[last % others.length] ?? courseId),
      }));
      const now = new Date();
      const sold = { amount: 999, currency: "INR", status: "completed" as const, completedAt: now };
      await db.Purchase.insertMany(
        part.map(({ _id, userId, courseId }) => ({ _id, userId, courseId, ...sold, providerPaymentId: `pay_${_id}` })),
      );
      const seat = { active: true, enrolledAt: now, change: 1, countedChange: 1 };
      await db.Enrollment.insertMany(part.map(({ userId, courseId }) => ({ userId, courseId, ...seat })));
      const event = {
        event: "payment.captured",
        state: "processed" as const,
        body: Buffer.from("{}"),
        nextAttemptAt: now,
      };
      await db.PaymentEvent.insertMany(
        part.map(({ _id }) => ({
          ...event,
          eventKey: `past_${_id}`,
          paymentId: `pay_${_id}`,
          purchaseId: String(_id),
        })),
      );
    }
  },
};

serveSubject(server.url.replace("localhost", "127.0.0.1"), handlers, async () => {
  // A database that takes its time is left to whoever started it.
  await server.deps.database.dropDatabase().catch(() => undefined);
  await server.close();
  await sandbox.close();
  await rm(dataDir, { recursive: true, force: true });
});
