import { randomUUID } from "node:crypto";
import { expect, test } from "vitest";
import { userOwnedCollections } from "../../src/models/index.js";
import { deliver, refundEvent } from "../factories/payment-events.js";
import { startTestServer } from "../server/test-server.js";
import { busyLearner } from "./busy-learner.js";

const server = await startTestServer({ own: "holds one learner" });

test("one document holds everything about the caller, and nothing of others", async () => {
  const { learner, other, courseId, bought, own, theirs } = await busyLearner(server);
  const { status, body, headers } = await server.get("/api/user/export", learner.token);
  expect(status).toBe(200);
  expect(headers.get("cache-control")).toBe("no-store");
  const { exportedAt, userId, ...lists } = body.export;
  expect(userId).toBe(learner.id);
  expect(Date.parse(exportedAt)).toBeGreaterThan(0);

  const lengths = Object.fromEntries(Object.entries<unknown[]>(lists).map(([name, rows]) => [name, rows.length]));
  expect(lengths).toEqual({
    ...Object.fromEntries(userOwnedCollections.map(({ section }) => [section, 0])),
    profile: 1,
    educatorApplications: 1,
    purchases: 2,
    enrollments: 1,
    progress: 1,
    certificates: 1,
    ratings: 1,
    quizzesSeen: 1,
    quizResults: 1,
    assessmentAttempts: 1,
    chats: 1,
    groupsCreated: 1,
    groupCreations: 1,
    memberships: 1,
    posts: 1,
    replies: 1,
    votes: 1,
    reports: 1,
    timeByPage: 2,
    timeByDay: 1,
    timeByCourse: 1,
    timeByChapter: 1,
    timeLabels: 1,
    timeSessions: 2,
    events: 13,
  });
  expect(lists.events).toContainEqual(expect.objectContaining({ type: "course.completed" }));
  expect(lists.profile[0]).toMatchObject({ _id: learner.id, name: learner.name });
  expect(lists.purchases).toContainEqual(expect.objectContaining({ _id: bought.purchaseId, status: "completed" }));
  expect(lists.ratings[0]).toMatchObject({ courseId, rating: 2, review: "Too short", helpfulCount: 1 });
  expect(lists.posts[0]).toMatchObject({ _id: own._id, title: own.title });
  expect(lists.replies[0]).toMatchObject({ postId: theirs._id });
  expect(lists.chats[0].messages[0]).toMatchObject({ role: "user", content: "What is a monad?" });
  // What only serves the server's own work stays inside.
  const text = JSON.stringify(body);
  for (const inner of ["slot", "orderLock", "nextAttemptAt", "nameKey", "__v", other.id])
    expect(text).not.toContain(inner);
});

test("invoices and credit notes are in it, and how long courses that the caller teaches give access", async () => {
  const { learner, bought, payment, course } = await busyLearner(server);
  const blocks = [{ kind: "text", text: "*a*", html: "<p><em>a</em></p>" }];
  const fields = { educatorId: learner.id, accessDays: 90, "courseContent.0.chapterContent.0.blocks": blocks };
  await server.deps.db.Course.updateOne({ _id: course._id }, { $set: fields });
  await deliver(server, refundEvent({ id: `rfnd_${randomUUID()}`, paymentId: payment, amount: bought.amount }));
  const invoicePath = `/api/user/purchases/${bought.purchaseId}/invoice`;
  for (const path of [invoicePath, `${invoicePath}?document=credit-note`]) {
    expect((await server.get(path, learner.token)).status).toBe(200);
  }
  const { invoices, coursesTaught } = (await server.get("/api/user/export", learner.token)).body.export;
  const stored = await server.deps.db.Invoice.find({ purchaseId: bought.purchaseId }).sort({ kind: -1 }).lean();
  expect(stored.map(({ kind }) => kind)).toEqual(["invoice", "credit-note"]);
  const shown = stored.map(({ kind, number, purchaseId, issuedAt, facts }) => ({
    kind,
    number,
    purchaseId,
    issuedAt,
    facts,
  }));
  expect(invoices).toHaveLength(2);
  expect(invoices).toEqual(expect.arrayContaining(JSON.parse(JSON.stringify(shown))));
  expect(stored[0]?.facts).toMatchObject({ buyer: { name: learner.name }, totalMinor: bought.amount });
  expect(coursesTaught).toMatchObject([{ _id: String(course._id), accessDays: 90 }]);
  expect(coursesTaught[0].courseContent[0].chapterContent[0].blocks).toEqual([{ kind: "text", text: "*a*" }]);
  const other = (await server.get("/api/user/export", (await server.signedIn()).token)).body.export;
  expect(other.invoices).toEqual([]);
});

test("a document of many megabytes is sent in pieces and is whole", async () => {
  const learner = await server.signedIn();
  const at = new Date();
  const sessions = Array.from({ length: 2_000 }, (_, n) => ({
    ...{ _id: randomUUID(), userId: learner.id, page: "Learning", path: `/player/${"x".repeat(400)}${n}` },
    ...{ duration: 1, at },
  }));
  await server.deps.db.TimeSession.insertMany(sessions);
  const content = "word ".repeat(50_000);
  const message = { role: "assistant", content, createdAt: at, updatedAt: at };
  const chat = { userId: learner.id, opening: "?", messages: [message, message], bytes: 2 * content.length };
  await server.deps.db.ChatSession.insertMany(Array.from({ length: 6 }, () => ({ ...chat, sessionId: randomUUID() })));

  const { status, body, headers } = await server.get("/api/user/export", learner.token);
  expect(status).toBe(200);
  expect(headers.get("content-length")).toBeNull();
  const { timeSessions, chats } = body.export;
  expect(new Set(timeSessions.map(({ path }: { path: string }) => path)).size).toBe(2_000);
  expect(chats).toHaveLength(6);
});

test("a stranger to the platform gets empty lists", async () => {
  const token = (await server.signedIn()).token;
  const { body } = await server.get("/api/user/export", token);
  expect(Object.values(body.export).filter(Array.isArray).flat()).toHaveLength(1);
});
