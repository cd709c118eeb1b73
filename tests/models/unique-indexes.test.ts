import { Types } from "mongoose";
import { expect, test } from "vitest";
import { createModels, type Models } from "../../src/models/index.js";
import { startTestServer } from "../server/test-server.js";

const server = await startTestServer({ own: "stores rows that belong to nothing" });
const [courseId, purchaseId, importId] = [new Types.ObjectId(), new Types.ObjectId(), new Types.ObjectId()];
const now = new Date();

/** A model, fields that may not be the same in two rows, a row, and what else has to differ in the other row. */
type Case = [model: keyof Models, unique: string[], row: Record<string, unknown>, differs?: Record<string, unknown>];

const purchase = { userId: "u", courseId, amount: 1, currency: "INR", status: "pending" };
const completed = { courseTitle: "C", completionDate: now, status: "pending", nextAttemptAt: now };
const certificate = { userId: "u", courseId, ...completed };
const invoice = { kind: "invoice", issuedAt: now, facts: {} };
const chapter = { courseId, chapterId: "c" };
const event = { event: "payment.captured", body: Buffer.from("{}"), state: "pending", nextAttemptAt: now };
const time = { userId: "u", duration: 1 };
const group = { icon: "*", createdBy: "u" };
const grant = { email: "a@example.com", state: "waiting", reason: "r", grantedBy: "u" };
const application = { professionalTitle: "t", bio: "b", expertise: [], linkedinUrl: "l", status: "pending" };
const quiz = { ...chapter, chapterTitle: "T", courseTitle: "C", questions: [] };

const cases: readonly Case[] = [
  ["Purchase", ["providerOrderId"], { ...purchase, providerOrderId: "order_1" }],
  ["Purchase", ["providerPaymentId"], { ...purchase, providerPaymentId: "pay_1" }],
  ["Purchase", ["slot"], { ...purchase, slot: "unfinished:1" }],
  ["Invoice", ["number"], { ...invoice, number: "INV-1", purchaseId }, { purchaseId: new Types.ObjectId() }],
  ["Invoice", ["purchaseId"], { ...invoice, number: "INV-2", purchaseId: importId }, { number: "INV-3" }],
  ["Grant", ["email", "courseId", "pathId"], { ...grant, courseId }],
  ["PaymentEvent", ["eventKey"], { ...event, eventKey: "key" }],
  ["Enrollment", ["userId", "courseId"], { userId: "u", courseId, active: true, enrolledAt: now }],
  ["CourseDailySales", ["courseId", "day"], { courseId, day: "2026-01-01" }],
  ["CourseRating", ["userId", "courseId"], { userId: "u", courseId, rating: 5 }],
  ["HelpfulVote", ["userId", "reviewId"], { userId: "u", reviewId: courseId }],
  ["CourseProgress", ["userId", "courseId"], { userId: "u", courseId }],
  ["QuizChapterStats", ["courseId", "chapterId"], chapter],
  ["QuizVersionStats", ["courseId", "chapterId", "version"], { ...chapter, version: 1 }],
  ["PageTime", ["userId", "page"], { ...time, page: "p", visits: 1, newest: {} }],
  ["DayTime", ["userId", "day"], { ...time, day: "2026-01-01" }],
  ["CourseTime", ["userId", "courseId"], { ...time, courseId: "c", sessions: 1 }],
  ["ChapterTime", ["userId", "courseId", "chapterId"], { ...time, courseId: "c", chapterId: "c", sessions: 1 }],
  ["Vote", ["userId", "targetId"], { userId: "u", targetId: courseId, postId: courseId }],
  ["GroupMembership", ["userId", "groupId"], { userId: "u", groupId: courseId }],
  ["EnrollmentImportRow", ["importId", "row"], { importId, row: 2 }],
  [
    "Certificate",
    ["userId", "courseId", "ordinal"],
    { ...certificate, certificateId: "id-1" },
    { certificateId: "id-2" },
  ],
  ["Certificate", ["certificateId"], { ...certificate, userId: "v", certificateId: "id-3" }, { userId: "w" }],
  ["EndedEntry", ["list", "index"], { list: 1, index: 1, version: 1 }, { version: 2 }],
  ["Coupon", ["code"], { code: "CODE", kind: "percent", value: 1, createdBy: "u" }],
  ["EducatorApplication", ["userId"], { userId: "u", ...application }],
  ["ChatSession", ["sessionId"], { userId: "u", sessionId: "s", opening: "o", bytes: 1 }],
  ["Quiz", ["courseId", "chapterId", "version"], { ...quiz, version: 1 }],
  ["LastServedQuiz", ["userId", "courseId", "chapterId"], { ...chapter, userId: "u", version: 1 }],
  ["CommunityGroup", ["nameKey"], { ...group, name: "N", nameKey: "n", slug: "n" }, { slug: "n-2" }],
  ["CommunityGroup", ["slug"], { ...group, name: "M", nameKey: "m", slug: "m" }, { nameKey: "m2" }],
];

/** Where two requests meet between a look and a write, the index decides; that is too short a moment to be hit. */
test.each(cases)("the database refuses a second %s with the same %j", async (model, _unique, row, differs) => {
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
