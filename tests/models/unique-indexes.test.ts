import { randomUUID } from "node:crypto";
import { Types } from "mongoose";
import { expect, test } from "vitest";
import { createModels, type Models } from "../../src/models/index.js";
import { startTestServer } from "../server/test-server.js";

const server = await startTestServer({ own: "stores rows that belong to nothing" });
const [courseId, purchaseId, importId] = [new Types.ObjectId(), new Types.ObjectId(), new Types.ObjectId()];
const now = new Date();

interface Row {
  readonly model: keyof Models;
  readonly row: Record<string, unknown>;
  /** What may not be the same in another row. */
  readonly unique: readonly string[];
  /** Every other field of the other row that has to be another one. */
  readonly differs?: Record<string, unknown>;
}

const purchase = { userId: "u", courseId, amount: 1, currency: "INR", status: "pending" };
const certificate = {
  userId: "u",
  courseId,
  courseTitle: "C",
  completionDate: now,
  status: "pending",
  nextAttemptAt: now,
};
const invoice = { kind: "invoice", issuedAt: now, facts: {} };
const chapter = { courseId, chapterId: "c" };
const event = { event: "payment.captured", body: Buffer.from("{}"), state: "pending", nextAttemptAt: now };
const time = { userId: "u", duration: 1 };
const group = { icon: "*", createdBy: "u" };

const rows: readonly Row[] = [
  { model: "Purchase", unique: ["providerOrderId"], row: { ...purchase, providerOrderId: "order_1" } },
  { model: "Purchase", unique: ["providerPaymentId"], row: { ...purchase, providerPaymentId: "pay_1" } },
  { model: "Purchase", unique: ["slot"], row: { ...purchase, slot: "unfinished:1" } },
  {
    ...{ model: "Invoice", unique: ["number"], row: { ...invoice, number: "INV-1", purchaseId } },
    differs: { purchaseId: new Types.ObjectId() },
  },
  {
    ...{ model: "Invoice", unique: ["purchaseId"], row: { ...invoice, number: "INV-2", purchaseId: importId } },
    differs: { number: "INV-3" },
  },
  {
    ...{ model: "Grant", unique: ["email", "courseId"] },
    row: { courseId, email: "a@example.com", state: "waiting", reason: "r", grantedBy: "u" },
  },
  { model: "PaymentEvent", unique: ["eventKey"], row: { ...event, eventKey: "key" } },
  {
    model: "Enrollment",
    unique: ["userId", "courseId"],
    row: { userId: "u", courseId, active: true, enrolledAt: now },
  },
  { model: "CourseDailySales", unique: ["courseId", "day"], row: { courseId, day: "2026-01-01" } },
  { model: "CourseRating", unique: ["userId", "courseId"], row: { userId: "u", courseId, rating: 5 } },
  { model: "CourseProgress", unique: ["userId", "courseId"], row: { userId: "u", courseId } },
  { model: "QuizChapterStats", unique: ["courseId", "chapterId"], row: chapter },
  { model: "QuizVersionStats", unique: ["courseId", "chapterId", "version"], row: { ...chapter, version: 1 } },
  { model: "PageTime", unique: ["userId", "page"], row: { ...time, page: "p", visits: 1, newest: {} } },
  { model: "DayTime", unique: ["userId", "day"], row: { ...time, day: "2026-01-01" } },
  { model: "CourseTime", unique: ["userId", "courseId"], row: { ...time, courseId: "c", sessions: 1 } },
  {
    ...{ model: "ChapterTime", unique: ["userId", "courseId", "chapterId"] },
    row: { ...time, courseId: "c", chapterId: "c", sessions: 1 },
  },
  {
    ...{ model: "Vote", unique: ["userId", "targetId"], row: { userId: "u", targetId: courseId, postId: courseId } },
  },
  { model: "GroupMembership", unique: ["userId", "groupId"], row: { userId: "u", groupId: courseId } },
  { model: "EnrollmentImportRow", unique: ["importId", "row"], row: { importId, row: 2 } },
  {
    ...{ model: "Certificate", unique: ["userId", "courseId"], row: { ...certificate, certificateId: randomUUID() } },
    differs: { certificateId: randomUUID() },
  },
  {
    ...{ model: "Certificate", unique: ["certificateId"], row: { ...certificate, userId: "v", certificateId: "id" } },
    differs: { userId: "w" },
  },
  { model: "Coupon", unique: ["code"], row: { code: "CODE", kind: "percent", value: 1, createdBy: "u" } },
  {
    ...{ model: "EducatorApplication", unique: ["userId"] },
    row: { userId: "u", professionalTitle: "t", bio: "b", expertise: [], linkedinUrl: "l", status: "pending" },
  },
  { model: "ChatSession", unique: ["sessionId"], row: { userId: "u", sessionId: "s", opening: "o", bytes: 1 } },
  {
    ...{ model: "Quiz", unique: ["courseId", "chapterId", "version"] },
    row: { ...chapter, chapterTitle: "T", courseTitle: "C", questions: [], version: 1 },
  },
  {
    ...{ model: "LastServedQuiz", unique: ["userId", "courseId", "chapterId"] },
    row: { ...chapter, userId: "u", version: 1 },
  },
  {
    ...{ model: "CommunityGroup", unique: ["nameKey"], row: { ...group, name: "N", nameKey: "n", slug: "n" } },
    differs: { slug: "n-2" },
  },
  {
    ...{ model: "CommunityGroup", unique: ["slug"], row: { ...group, name: "M", nameKey: "m", slug: "m" } },
    differs: { nameKey: "m2" },
  },
];

/** Where two requests meet between a look and a write, the index decides; that is too short a moment to be hit. */
test.each(rows)("the database refuses a second $model with the same $unique", async ({ model, row, differs }) => {
  const { collection } = server.deps.db[model] as unknown as {
    collection: { insertOne(row: object): Promise<unknown> };
  };
  await collection.insertOne({ ...row });
  await expect(collection.insertOne({ ...row, ...differs })).rejects.toMatchObject({ code: 11000 });
});

test("every collection has the indexes of its schema, and no other", async () => {
  for (const { schema, collection } of Object.values(createModels(server.deps.db.Course.db))) {
    expect((await collection.indexes()).length, collection.name).toBe(schema.indexes().length + 1);
  }
});
