import { randomUUID } from "node:crypto";
import { Types } from "mongoose";
import { beforeEach, expect, test } from "vitest";
import { ensureIndexes } from "../../src/db/connection.js";
import { createModels } from "../../src/models/index.js";
import {
  type MigrationStep,
  migrations,
  pendingMigrations,
  runMigrations,
} from "../../src/services/migrations/migrations.js";
import { reviewRoom } from "../api/reviews/review-room.js";
import { buildChapters } from "../factories/course-content.js";
import { buildCourse, enroll } from "../factories/courses.js";
import { purchaseOf, unpaidPurchase } from "../factories/purchases.js";
import { runCommand } from "../server/compiled.js";
import { startTestServer } from "../server/test-server.js";

const server = await startTestServer({ own: "forgets which migrations ran" });
const { db } = server.deps;
let ran: string[] = [];

beforeEach(async () => {
  ran = [];
  await db.Migration.deleteMany({});
});

const migration = (name: string): MigrationStep => ({
  name,
  async up({ Course }) {
    await Course.estimatedDocumentCount();
    ran.push(name);
  },
});
const both = [migration("0001-a"), migration("0002-b")];

test("migrations run once, in their order", async () => {
  expect(await pendingMigrations(db, both)).toEqual(["0001-a", "0002-b"]);
  expect(await runMigrations(db, both)).toEqual(["0001-a", "0002-b"]);
  expect(await runMigrations(db, both)).toEqual([]);
  expect(await pendingMigrations(db, both)).toEqual([]);
  expect(ran).toEqual(["0001-a", "0002-b"]);
});

test("a migration that fails is pending, and so is what comes after it", async () => {
  const failing = { name: "0001-a", up: () => Promise.reject(new Error("interrupted")) };
  await expect(runMigrations(db, [failing, migration("0002-b")])).rejects.toThrow("interrupted");
  expect(await pendingMigrations(db, both)).toEqual(["0001-a", "0002-b"]);
  expect(await runMigrations(db, both)).toEqual(["0001-a", "0002-b"]);
});

test("several processes at once run a migration once", async () => {
  const results = await Promise.all([1, 2, 3].map(() => runMigrations(db, [migration("0001-a")])));
  expect(ran).toEqual(["0001-a"]);
  expect(results.flatMap((done) => done ?? [])).toEqual(["0001-a"]);
});

test("enrollments of erased users end once, and webhooks learn their keys", async () => {
  const course = await buildCourse(server, { totalEnrolledStudents: 3 });
  const enrolled = { courseId: course._id, active: true, grants: 1, enrolledAt: new Date() };
  const userIds = ["deleted_1", "deleted_2", "user_3"];
  await db.Enrollment.create(userIds.map((userId) => ({ ...enrolled, userId })));
  const granted = { courseId: course._id, state: "active" as const, reason: "r", grantedBy: "user_admin" };
  await db.Grant.create(userIds.map((userId) => ({ ...granted, userId })));
  const keyId = new Types.ObjectId();
  const fields = {
    url: "https://a.example",
    types: ["*" as const],
    createdBy: "user_3",
    role: "educator" as const,
    secret: "s",
  };
  const [ofKey, ofUser] = await db.Webhook.create([fields, fields]);
  const creation = { actorId: "user_3", action: "webhook.create", targetKind: "webhook" };
  await db.AuditEntry.create([
    { ...creation, targetId: String(ofKey?._id), by: { kind: "key", id: String(keyId) } },
    { ...creation, targetId: String(ofUser?._id) },
  ]);
  for (const _again of [1, 2]) {
    await runMigrations(db);
    await db.Migration.deleteMany({});
    const states = await Promise.all(
      userIds.map(async (userId) => {
        const enrollment = await db.Enrollment.findOne({ userId }).lean();
        const grant = await db.Grant.findOne({ userId }).lean();
        return [enrollment?.active, enrollment?.grants, enrollment?.revokedAt instanceof Date, grant?.state];
      }),
    );
    const over = [false, 0, true, "ended"];
    expect(states).toEqual([over, over, [true, 1, false, "active"]]);
    expect((await db.Course.findById(course._id).lean())?.totalEnrolledStudents).toBe(1);
    const keys = [await db.Webhook.findById(ofKey).lean(), await db.Webhook.findById(ofUser).lean()];
    expect(keys.map((webhook) => webhook?.keyId)).toEqual([keyId, undefined]);
  }
});

test("the provider is asked about second orders that the version before watches", async () => {
  const due = new Date(Date.now() + 60_000);
  const watched = [{ orphanCheckAt: due }, { orphanCheckAt: due, nextCheckAt: new Date(1) }, {}];
  const rows = watched.map((fields) => ({ _id: new Types.ObjectId(), createdAt: new Date(2), ...fields }));
  const purchases = db.Purchase.collection;
  await purchases.insertMany(rows);
  await runMigrations(db);
  const found = await purchases.find({ _id: { $in: rows.map(({ _id }) => _id) } }).toArray();
  await purchases.deleteMany({ _id: { $in: rows.map(({ _id }) => _id) } });
  expect(found.map(({ secondAttemptAt, nextCheckAt }) => [secondAttemptAt, nextCheckAt])).toEqual([
    [new Date(2), due],
    [new Date(2), new Date(1)],
    [undefined, undefined],
  ]);
});

test("the command runs what is pending, and names are numbered", async () => {
  const variables = { ...server.emulators.env, MONGODB_URI: server.databaseUri };
  const command = async (...options: string[]) => (await runCommand("src/cli/migrate.ts", options, variables)).stdout;
  const names = migrations.map(({ name }) => name);
  const lines = (outcome: string) => `${names.map((name) => `${name}: ${outcome}`).join("\n") || "nothing to do"}\n`;
  expect(await command("--dry-run")).toBe(lines("pending"));
  expect(await command()).toBe(lines("done"));
  const course = await buildCourse(server);
  const written = [{ kind: "text", text: "*a*" }];
  await db.Course.updateOne({ _id: course._id }, { $set: { "courseContent.0.chapterContent.0.blocks": written } });
  expect(await command()).toBe("nothing to do\n");
  // An older version has saved the text meanwhile.
  expect(await db.Course.findById(course._id).lean()).toMatchObject({ rendererVersion: 0 });
  expect(names.map((name) => name.slice(0, 5))).toEqual(names.map((_, n) => `${String(n + 1).padStart(4, "0")}-`));
});

test("an access of a former version that has not ended gets the date of its notice", async () => {
  const course = await buildCourse(server);
  const of = { courseId: course._id, enrolledAt: new Date() };
  const ends = [new Date(Date.now() + 864_000_000), new Date(0), null];
  await db.Enrollment.create(ends.map((expiresAt, n) => ({ ...of, expiresAt, active: true, userId: `user_${n}` })));
  await runMigrations(db);
  const found = await db.Enrollment.find({ courseId: course._id }).sort({ userId: 1 }).lean();
  expect(found.map(({ noticeDueAt }) => noticeDueAt?.getTime())).toEqual([
    (ends[0]?.getTime() ?? 0) - 3 * 86_400_000,
    undefined,
    undefined,
  ]);
});

test("the distribution of ratings that a former version has stored is counted, also beside new ratings", async () => {
  const room = await reviewRoom(server);
  const learners = [await room.reviewer(4), await room.reviewer(4), await room.reviewer(1)];
  const stars = { ratings1: 1, ratings4: 1 } as const;
  await db.Course.updateOne({ _id: room._id }, { $unset: stars }, { timestamps: false });
  await Promise.all([runMigrations(db), ...learners.slice(1).map((learner) => room.rate(learner, { rating: 5 }))]);
  const counted = { ratings1: 0, ratings2: 0, ratings3: 0, ratings4: 1, ratings5: 2, totalRatings: 3, ratingSum: 14 };
  expect(await db.Course.findById(room._id).lean()).toMatchObject(counted);
});

test("hidden reviews that a former version has counted leave the figures, also beside decisions about them", async () => {
  const [room, alone] = [await reviewRoom(server), await reviewRoom(server)];
  const admin = await server.signedIn("admin");
  const [spam, back] = [await room.reviewer(1, "Spam"), await room.reviewer(2, "Back"), await room.reviewer(5, "Good")];
  const only = await alone.reviewer(3, "Only");
  const hidden = { _id: { $in: [spam, back, only].map(({ reviewId }) => new Types.ObjectId(reviewId)) } };
  await db.CourseRating.updateMany(hidden, { hiddenAt: new Date() }, { timestamps: false });
  // It is shown again by this version, which counts it once more.
  const show = () =>
    server.post(`/api/admin/reviews/${back.reviewId}/hide`, { hidden: false, reason: "x" }, admin.token);
  await Promise.all([runMigrations(db), show()]);
  const seven = { ratings1: 0, ratings2: 1, ratings5: 1, totalRatings: 2, ratingSum: 7 };
  expect(await db.Course.findById(room._id).lean()).toMatchObject(seven);
  expect(await db.Course.findById(alone._id).lean()).toMatchObject({ ratings3: 0, totalRatings: 0, ratingSum: 0 });
});

test("events in review of a known purchase become flags of it, and what is unknown stays in review", async () => {
  const { purchaseId } = await unpaidPurchase(server);
  const flag = { eventKey: null, at: new Date(), note: null, by: null };
  const settled = { ...flag, reason: "amount_mismatch", subject: "pay_seen", state: "settled", settledAt: new Date() };
  await db.Purchase.updateOne({ _id: purchaseId }, { reviews: [settled] } as object);
  await db.Payment.create({
    _id: "pay_named",
    purchaseId: new Types.ObjectId(purchaseId),
    amountMinor: 1,
    updatedAt: new Date(),
  });
  const inReview = [
    { event: "payment.captured", paymentId: "pay_seen", purchaseId, reviewReason: "amount_mismatch" },
    { event: "refund.failed", paymentId: "pay_named", refundId: "rfnd_1", reviewReason: "refund_failed" },
    { event: "payment.dispute.created", paymentId: "pay_other", reviewReason: "disputed" },
    { event: "", reviewReason: "unreadable" },
  ];
  const none = { headerEventId: null, paymentId: null, orderId: null, purchaseId: null, refundId: null };
  const rest = { ...none, amountMinor: null, body: Buffer.from("{}"), state: "review", nextAttemptAt: new Date() };
  const rows = inReview.map((fields, n) => ({ ...rest, eventKey: `in review ${n}`, ...fields }));
  await db.PaymentEvent.create(rows as never);
  for (const _again of [1, 2]) {
    await runMigrations(db);
    await db.Migration.deleteMany({});
    const events = await db.PaymentEvent.find({ eventKey: /^in review/ })
      .sort({ eventKey: 1 })
      .lean();
    expect(events.map(({ state, reviewReason }) => [state, reviewReason])).toEqual([
      ...[
        ["processed", null],
        ["processed", null],
      ],
      ...[
        ["review", "unknown_purchase"],
        ["review", "unreadable"],
      ],
    ]);
    expect(await purchaseOf(server, purchaseId)).toMatchObject({
      reviewReason: "refund_failed",
      reviews: [settled, { reason: "refund_failed", subject: "rfnd_1", state: "open" }],
    });
  }
});

test("learners who finish while the key of certificates is replaced get one each, and may get further ones", async () => {
  const course = await buildCourse(server, { courseContent: buildChapters(1, 1) });
  const courseId = String(course._id);
  const { collection } = db.Certificate;
  await collection.dropIndex("userId_1_courseId_1_pathId_1_ordinal_1");
  await collection.createIndex({ userId: 1, courseId: 1 }, { unique: true });
  await collection.createIndex({ userId: 1, courseId: 1, ordinal: 1 }, { unique: true });
  const now = new Date();
  const former = {
    courseTitle: "x",
    completionDate: now,
    status: "issued" as const,
    issuedAt: now,
    nextAttemptAt: now,
  };
  const rows = Array.from({ length: 1_000 }, (_, n) => ({ ...former, studentName: "x", userId: `former_${n}` }));
  await collection.insertMany(
    rows.map((row) => ({ ...row, _id: new Types.ObjectId(), courseId: course._id, certificateId: randomUUID() })),
  );
  const learners = await Promise.all(
    Array.from({ length: 6 }, async () => {
      const learner = await server.signedIn();
      await enroll(server, learner.id, course._id);
      return learner;
    }),
  );
  const finish = ({ token }: { token: string }) =>
    server.post("/api/user/update-course-progress", { courseId, lectureId: "ch1-l1" }, token);
  // A start of this version creates the new key, and the migration drops the former one.
  const upgrade = async () => {
    await ensureIndexes(createModels(db.Course.db));
    await runMigrations(db);
  };
  const [, ...answers] = await Promise.all([upgrade(), ...learners.flatMap((one) => [finish(one), finish(one)])]);
  expect(answers.map(({ status }) => status)).toEqual(Array(12).fill(200));
  expect(await db.Certificate.countDocuments({ courseId: course._id })).toBe(1_006);
  const keys = (await collection.indexes()).map(({ name }) => name);
  expect(keys.filter((name) => name?.startsWith("userId_1_courseId_1"))).toEqual([
    "userId_1_courseId_1_pathId_1_ordinal_1",
  ]);
  const [learner] = learners;
  const own = { userId: learner?.id ?? "", courseId: course._id };
  await db.Certificate.updateOne(own, { expiresAt: now, status: "issued", issuedAt: now });
  await db.CourseProgress.deleteOne(own);
  if (learner) await finish(learner);
  expect(await db.Certificate.countDocuments(own)).toBe(2);
});
