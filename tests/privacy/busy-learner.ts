import { randomUUID } from "node:crypto";
import type { Types } from "mongoose";
import { expect } from "vitest";
import { attemptDiscrepancies } from "../assertions/learning-recount.js";
import { discrepancies, expectRecount, ratingDiscrepancies } from "../assertions/recount.js";
import { beginAttempt, buildAssessment } from "../factories/assessments.js";
import { issuedCertificate } from "../factories/certificates.js";
import { buildCourse } from "../factories/courses.js";
import { deliver, paymentEvent } from "../factories/payment-events.js";
import { writePost, writeReply } from "../factories/posts.js";
import { openPurchase, paymentId } from "../factories/purchases.js";
import type { Answer, SignedIn, TestServer } from "../server/test-server.js";

/** A learner who has left something in every corner of the platform, all of it through the API. */
export async function busyLearner(server: TestServer, who: string | SignedIn = "Zebedee Quillfeather") {
  const learner = typeof who === "string" ? await server.signedIn("student", who) : who;
  const other = await server.signedIn();
  const educator = await server.signedIn("educator");
  const course = await buildCourse(server, { coursePrice: 100, discount: 0, educatorId: educator.id });
  const courseId = String(course._id);
  const chapterId = course.courseContent[0]?.chapterId ?? "";
  const post = async (path: string, body: object) => {
    const { status, body: answer }: Answer = await server.post(path, body, learner.token);
    expect({ path, status, message: answer.message }).toMatchObject({ path, status: 200 });
    return answer;
  };

  const bought = await openPurchase(server, learner, course);
  const payment = paymentId();
  await deliver(server, paymentEvent("payment.captured", { ...bought, id: payment, currency: "INR" }));
  const unpaid = await openPurchase(server, learner, await buildCourse(server));
  await post("/api/user/add-rating", { courseId, rating: 2, review: "Too short" });
  const { reviews } = (await server.get(`/api/course/${courseId}/reviews`)).body;
  await server.post(`/api/course/${courseId}/reviews/${reviews[0]._id}/helpful`, {}, other.token);
  for (const { lectureId } of course.courseContent.flatMap(({ chapterContent }) => chapterContent)) {
    await post("/api/user/update-course-progress", { courseId, lectureId });
  }
  const certificate = await issuedCertificate(server, { userId: learner.id, courseId });
  const { quiz } = (await server.get(`/api/quiz/${courseId}/${chapterId}`, learner.token)).body;
  await post("/api/quiz/submit", { courseId, chapterId, answers: quiz.questions.map(() => 0) });
  await buildAssessment(server, { courseId, educatorId: educator.id, chapterId: "ch2" });
  const attemptId = await beginAttempt(server, learner, { courseId, chapterId: "ch2" });
  await post(`/api/quiz/attempts/${attemptId}/submit`, {});
  await post("/api/user/ai-chat", { content: "What is a monad?" });
  await post("/api/user/track-time", { page: "Learning", path: `/player/${courseId}`, duration: 60 });
  await post("/api/user/track-time", { page: "Quiz", path: `/quiz/${courseId}/${chapterId}`, duration: 60 });

  const { group } = await post("/api/community/groups", { name: `Owls ${randomUUID()}` });
  const own = await writePost(server, learner, { groupId: group._id });
  const theirs = await writePost(server, other);
  const reply = await writeReply(server, learner, theirs._id);
  await post(`/api/community/posts/${theirs._id}/upvote`, {});
  await post(`/api/community/posts/${theirs._id}/report`, { reason: "Rude" });
  const application = { professionalTitle: "Baker", bio: "Bakes", expertise: ["Bread"], linkedinUrl: "" };
  await post("/api/educator/apply", application);
  return {
    learner,
    other,
    course,
    courseId,
    reviewId: reviews[0]._id,
    bought,
    unpaid,
    payment,
    pdfUrl: certificate.pdfUrl ?? "",
    group,
    own,
    theirs,
    reply,
  };
}

/** How many rows of each collection contain a text, wherever in them. */
export async function rowsWith(server: TestServer, text: string): Promise<Record<string, number>> {
  const found: Record<string, number> = {};
  for (const collection of (await server.deps.database.db?.collections()) ?? []) {
    const rows = await collection.find().toArray();
    const count = rows.filter((row) => JSON.stringify(row).includes(text)).length;
    if (count > 0) found[collection.collectionName] = count;
  }
  return found;
}

/** Every counter is what a count of its facts gives. */
export async function expectCounted(server: TestServer, courseId: Types.ObjectId): Promise<void> {
  expect(await discrepancies(server)).toEqual([]);
  expect(await ratingDiscrepancies(server.deps.db)).toEqual([]);
  expect(await attemptDiscrepancies(server.deps.db, courseId)).toEqual([]);
  await expectRecount(server);
}
