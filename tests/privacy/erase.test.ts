import { expect, test } from "vitest";
import { callsAbout } from "../assertions/ai-calls.js";
import { watchTransactions } from "../assertions/in-transactions.js";
import { refusal } from "../assertions/refusal.js";
import { buildCourse } from "../factories/courses.js";
import { deliverIdentity } from "../factories/identity-events.js";
import { deliver, paymentEvent, refundEvent } from "../factories/payment-events.js";
import { openPurchase, paymentId } from "../factories/purchases.js";
import { aiOf, storageOf } from "../server/emulators.js";
import { runJob } from "../server/run-job.js";
import { type SignedIn, startTestServer, type TestServer } from "../server/test-server.js";
import { busyLearner, expectCounted, rowsWith } from "./busy-learner.js";
import { finishErasure } from "./learner-everywhere.js";

const server = await startTestServer({ own: "recounts all rows" });
const transactions = watchTransactions(server);

const erase = ({ id, token }: SignedIn, wish: object = {}, on: TestServer = server) =>
  on.call("DELETE", "/api/user/data", { token, body: { confirm: id, ...wish } });

const eraseDue = (on: TestServer = server) => runJob(on, "erase-user-data");

test("the caller's own id confirms it, nothing else", async () => {
  const learner = await server.signedIn();
  const other = await server.signedIn();
  for (const body of [{}, { confirm: other.id }, { confirm: true }, { confirm: learner.id, keepCertificates: "yes" }]) {
    const answer = await server.call("DELETE", "/api/user/data", { token: learner.token, body });
    expect(answer).toMatchObject(refusal(400, "Invalid request data"));
  }
  expect((await server.get("/api/user/data", learner.token)).body.user.name).toBe(learner.name);
});

test("nothing names the user any more, and no counter moves but those of members and students", async () => {
  const { learner, other, course, own, theirs, reply, group, pdfUrl } = await busyLearner(server);
  const memberCount = async () => (await server.deps.db.CommunityGroup.findById(group._id).orFail().lean()).memberCount;
  expect(await memberCount()).toBe(1);
  const before = await server.get(`/api/course/${course._id}`);
  expect((await fetch(pdfUrl)).status).toBe(200);

  expect(await erase(learner)).toMatchObject({ status: 200, body: { success: true, erased: true } });

  // What is left of the request goes with the second pass.
  expect(await rowsWith(server, learner.id)).toEqual({ accounts: 1, auditentries: 1, erasures: 1, events: 2 });
  await finishErasure(server, learner.id);
  expect(await rowsWith(server, learner.id)).toEqual({ accounts: 1, auditentries: 2, events: 2 });
  // The buyer of what was paid: an invoice names it.
  expect(await rowsWith(server, learner.name)).toEqual({ purchases: 1 });
  expect((await fetch(pdfUrl)).status).toBe(404);
  expect(JSON.stringify(storageOf(server.emulators).assets())).not.toContain(pdfUrl);
  expect(await memberCount()).toBe(0);
  const post = (await server.get(`/api/community/posts/${own._id}`, learner.token)).body.post;
  expect(post).toMatchObject({ authorName: "Deleted user", authorImage: "", content: own.content, isAuthor: false });
  const answered = (await server.get(`/api/community/posts/${theirs._id}`, other.token)).body.post;
  expect(answered).toMatchObject({ upvoteCount: 1, replyCount: 1 });
  expect(answered.replies[0]).toMatchObject({ _id: reply._id, authorName: "Deleted user" });
  const { reviews } = (await server.get(`/api/course/${course._id}/reviews`, learner.token)).body;
  const review = { authorName: "Deleted user", review: "Too short", isAuthor: false, helpfulCount: 1 };
  expect(reviews).toMatchObject([review]);
  const after = (await server.get(`/api/course/${course._id}`)).body;
  const { courseData } = before.body;
  expect(after).toEqual({ ...before.body, courseData: { ...courseData, totalEnrolledStudents: 0 } });
  await expectCounted(server, course._id);
});

test("an answer of the tutor that comes after the erasure is not stored", async () => {
  const learner = await server.signedIn();
  const ask = (body: object) => server.post("/api/user/ai-chat", body, learner.token);
  const { activeSessionId: sessionId } = (await ask({ content: "before" })).body;
  // The answers have to come after a whole erasure.
  aiOf(server).faults.add({ kind: "slow", firstByteMs: 1_500, times: 2 });
  const asked = [ask({ content: "erasure, one", sessionId }), ask({ content: "erasure, two" })];
  await expect.poll(() => callsAbout(server, "erasure, ").length).toBe(2);
  expect(await erase(learner)).toMatchObject({ status: 200, body: { erased: true } });
  expect((await Promise.all(asked)).map(({ status }) => status)).toEqual([500, 500]);
  expect(await server.deps.db.ChatSession.countDocuments({ userId: learner.id })).toBe(0);
});

test("advice of the AI that comes after the erasure is not stored", async () => {
  const learner = await server.signedIn();
  const course = await buildCourse(server, { coursePrice: 0 });
  await openPurchase(server, learner, course);
  const [courseId, chapterId] = [String(course._id), "ch1"];
  const { quiz } = (await server.get(`/api/quiz/${courseId}/${chapterId}`, learner.token)).body;
  const results = { courseId: course._id };
  // The advice has to come after a whole erasure.
  aiOf(server).faults.add({ kind: "slow", firstByteMs: 1_500, times: 1 });
  const body = { courseId, chapterId, answers: quiz.questions.map(() => 1) };
  const submitted = server.post("/api/quiz/submit", body, learner.token);
  await expect.poll(() => server.deps.db.QuizResult.countDocuments(results)).toBe(1);
  expect((await erase(learner)).body.erased).toBe(true);
  expect((await submitted).status).toBe(200);
  const stored = await server.deps.db.QuizResult.find(results).lean();
  expect(stored).toMatchObject([{ recommendations: "" }]);
});

test("of an erased user a payment that comes late is flagged, and a refund finds its purchase", async () => {
  const { learner, course, bought, unpaid, payment } = await busyLearner(server);
  expect((await erase(learner)).body.erased).toBe(true);
  await deliver(server, paymentEvent("payment.captured", { ...unpaid, id: paymentId(), currency: "INR" }));
  await deliver(server, refundEvent({ id: "rfnd_late", paymentId: payment, amount: bought.amount }));
  const { Purchase } = server.deps.db;
  expect(await Purchase.findById(unpaid.purchaseId).lean()).toMatchObject({
    ...{ status: "failed", reviewReason: "late_payment" },
  });
  expect(await Purchase.findById(bought.purchaseId).lean()).toMatchObject({ status: "refunded" });
  expect((await server.get("/api/user/purchases", learner.token)).body.purchases ?? []).toEqual([]);
  await expectCounted(server, course._id);
});

test("certificates that shall stay can be verified, until they shall not, and an approved educator stays one", async () => {
  const { learner } = await busyLearner(server);
  const { token } = await server.signedIn("admin");
  const { AuditEntry, Certificate, DiscardedPdf, EducatorApplication } = server.deps.db;
  const { _id } = await EducatorApplication.findOne({ userId: learner.id }).orFail().lean();
  expect((await server.patch(`/api/admin/educator-applications/${_id}/approve`, {}, token)).status).toBe(200);
  const { certificateId } = await Certificate.findOne({ userId: learner.id }).orFail().lean();
  const verify = () => server.get(`/api/certificate/verify/${certificateId}`);
  const { courseId } = await Certificate.findOne({ certificateId }).orFail().lean();
  const reissue = `/api/admin/courses/${courseId}/certificates/${certificateId}/reissue`;
  const secret = { reason: "A secret" };
  expect((await server.post(reissue, { studentName: "Former Name", ...secret }, token)).status).toBe(200);
  const { body: reissued } = await server.post(reissue, { studentName: learner.name, ...secret }, token);
  expect(reissued.certificate).toMatchObject({ edition: 3 });
  const { pdfUrl } = await Certificate.findOne({ certificateId }).orFail().lean();

  expect((await erase(learner, { keepCertificates: true })).body.erased).toBe(true);
  expect((await verify()).body.certificate).toMatchObject({ studentName: learner.name });
  expect((await fetch(pdfUrl ?? "")).status).toBe(200);
  const kept = [
    await Certificate.find({ certificateId }).lean(),
    await AuditEntry.find({ targetId: certificateId }).lean(),
  ];
  expect(JSON.stringify(kept)).not.toMatch(/Former Name|A secret/);
  const left = await EducatorApplication.findById(_id).orFail().lean();
  expect(left).toMatchObject({ professionalTitle: "", bio: "", expertise: [] });
  expect(["approving", "approved"]).toContain(left.status);
  expect((await server.get("/api/educator/courses", learner.token)).status).toBe(200);

  expect((await erase(learner)).body.erased).toBe(true);
  expect((await verify()).status).toBe(404);
  expect((await fetch(pdfUrl ?? "")).status).toBe(404);
  expect(await DiscardedPdf.countDocuments({ certificateId })).toBe(0);
});

test("while the media storage is away it goes on in the background, with growing pauses", async () => {
  const { learner, pdfUrl } = await busyLearner(server);
  const { Erasure } = server.deps.db;
  const { faults } = storageOf(server.emulators);
  faults.add({ kind: "error" });
  expect(await erase(learner)).toMatchObject({ status: 200, body: { erased: false } });
  expect(Object.keys(await rowsWith(server, learner.id)).sort()).toEqual([
    ...["accounts", "auditentries", "certificates", "erasures", "events"],
  ]);
  await eraseDue();
  const { attempts, nextAttemptAt } = await Erasure.findById(learner.id).orFail().lean();
  expect(attempts).toBe(1);
  expect(nextAttemptAt.getTime()).toBeGreaterThan(Date.now());
  const becomeDue = () => Erasure.updateOne({ _id: learner.id }, { nextAttemptAt: new Date(1) });
  await becomeDue();
  const again = Date.now();
  await eraseDue();
  const later = await Erasure.findById(learner.id).orFail().lean();
  expect(later.nextAttemptAt.getTime()).toBeGreaterThanOrEqual(again + 7_500);
  faults.clear();
  await becomeDue();
  await eraseDue();
  expect((await fetch(pdfUrl)).status).toBe(404);
  await becomeDue();
  expect(await eraseDue()).toBe("1 erasures of users finished");
  expect(await rowsWith(server, learner.id)).toEqual({ accounts: 1, auditentries: 2, events: 2 });
});

test("a wish that comes while another one is being fulfilled is not lost with it", async () => {
  const { learner } = await busyLearner(server);
  const { User, Erasure } = server.deps.db;
  // The second wish has to come before the file is removed.
  const quick = storageOf(server.emulators).faults.add({ kind: "slow", ms: 1_000 });
  const first = erase(learner, { keepCertificates: false });
  await expect.poll(() => User.findById(learner.id)).toBeNull();
  expect((await erase(learner)).body).toEqual({ success: true, erased: false });
  expect((await first).body).toEqual({ success: true, erased: false });
  quick();
  expect(await Erasure.findById(learner.id)).not.toBeNull();
  expect(await Erasure.findById(learner.id).lean()).not.toHaveProperty("erasedAt");
  await finishErasure(server, learner.id);
});

test("an older event of the identity provider does not bring the profile back, a newer one does", async () => {
  const learner = await server.signedIn();
  expect((await erase(learner)).body.erased).toBe(true);
  const tell = (updated_at: number) =>
    deliverIdentity(server, { id: learner.id, first_name: "Ada", updated_at }, "user.updated");
  expect(await tell(Date.now() - 60_000)).toBe(200);
  expect(await server.deps.db.User.findById(learner.id)).toBeNull();
  expect(await tell(Date.now() + 60_000)).toBe(200);
  expect(await server.deps.db.User.findById(learner.id).lean()).toMatchObject({ name: "Ada" });
});

test("an account's deletion takes the profile alone, and with ERASE_DELETED_ACCOUNTS everything but certificates", async () => {
  const erasing = await server.another({ ERASE_DELETED_ACCOUNTS: "on" });
  const remove = async (on: TestServer, id: string) => {
    expect(await deliverIdentity(on, { id }, "user.deleted")).toBe(200);
    await eraseDue();
  };
  const [first, second] = [await busyLearner(server, "Una Firstling"), await busyLearner(server, "Duo Secondling")];
  await remove(server, first.learner.id);
  expect(await rowsWith(server, first.learner.id)).toMatchObject({ purchases: 2, communityposts: 1, chatsessions: 1 });
  await remove(erasing, second.learner.id);
  await finishErasure(server, second.learner.id);
  const left = await rowsWith(server, second.learner.id);
  expect(left).toEqual({ accounts: 1, auditentries: 2, certificates: 1, events: 2 });
});

test("every operation of a transaction is part of it", () => {
  expect(transactions.escaped).toEqual([]);
  expect(transactions.committed).toBeGreaterThan(0);
});
