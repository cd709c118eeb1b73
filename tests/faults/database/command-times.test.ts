import { Registry } from "prom-client";
import { beforeAll, expect, test } from "vitest";
import { apiGroups } from "../../../src/app.js";
import { cursorLimitMs } from "../../../src/models/command-limit.js";
import { commandsDuring } from "../../assertions/commands.js";
import { createKey } from "../../factories/api-keys.js";
import { applicant, application, apply } from "../../factories/applications.js";
import { beginAttempt, buildAssessment, rules } from "../../factories/assessments.js";
import { buildCoupon } from "../../factories/coupons.js";
import { courseForm } from "../../factories/course-forms.js";
import { buildCourse, enroll } from "../../factories/courses.js";
import { csvForm } from "../../factories/csv-form.js";
import { deliver, paymentEvent } from "../../factories/payment-events.js";
import { writePost, writeReply } from "../../factories/posts.js";
import { openPurchase, paymentId } from "../../factories/purchases.js";
import { storeQuestion } from "../../factories/questions.js";
import { addResource, resourceForm } from "../../factories/resources.js";
import { buy } from "../../factories/sales.js";
import { paymentsOf } from "../../server/emulators.js";
import { type SignedIn, startTestServer } from "../../server/test-server.js";

/* Every command names the time that the database may take for it. The time of a cursor counts all its batches. */

const server = await startTestServer({ watchCommands: true });
/** After this time the connection of a command is given up, in milliseconds. */
const givenUpMs = 2_500;
/** These end what was begun, or search for nothing. */
const exempt = ["abortTransaction", "getMore", "insert", "killCursors", "endSessions", "ping"];

const routes = apiGroups({ ...server.deps, metrics: new Registry() }).flatMap(({ base, routes }) =>
  routes.map(({ method, path, access }) => ({ name: `${method.toUpperCase()} ${base}${path}`, access })),
);

interface Asked {
  readonly body?: unknown;
  readonly headers?: Record<string, string>;
  /** Ids in the path, by the name that the route gives them. */
  readonly ids?: Record<string, string>;
  readonly query?: string;
  /** Answered in place of 200, where a success would take more than one request. */
  readonly status?: number;
}

const callers = {} as Record<"user" | "educator" | "admin" | "key", SignedIn>;
let course: { _id: unknown };
let quiz: Record<string, unknown>;
beforeAll(async () => {
  callers.educator = await server.signedIn("educator");
  callers.admin = await server.signedIn("admin");
  callers.key = { ...callers.educator, token: (await createKey(server, callers.educator, "educator")).secret };
  course = await buildCourse(server, { educatorId: callers.educator.id });
  quiz = { courseId: String(course._id), chapterId: "ch1" };
});

/** A learner of the course with a post, a reply to it and a chat: what the ids of most paths name. */
async function scene() {
  const learner = await server.signedIn();
  callers.user = learner;
  await enroll(server, learner.id, course._id as never);
  const post = await writePost(server, learner);
  const reply = await writeReply(server, learner, post._id);
  const chat = await server.post("/api/user/ai-chat", { content: "Hello" }, learner.token);
  const groups = await server.get("/api/community/groups");
  return {
    ...{ learner, postId: post._id, replyId: reply._id, sessionId: chat.body.activeSessionId },
    ...{ courseId: String(course._id), chapterId: "ch1", groupId: groups.body.groups[0]._id, id: String(course._id) },
  };
}
type Given = Awaited<ReturnType<typeof scene>>;

const unknownId = "665f1c2ab7e4d90012ab34cd";
const complete = async ({ learner }: Given) => {
  for (const lectureId of ["ch1-l1", "ch1-l2", "ch1-l3", "ch2-l1", "ch2-l2", "ch2-l3"])
    await server.post("/api/user/update-course-progress", { courseId: String(course._id), lectureId }, learner.token);
  await server.post(`/api/user/certificate/generate/${course._id}`, {}, learner.token);
  const certificate = await server.deps.db.Certificate.findOne({ userId: learner.id }).lean();
  return { ids: { certificateId: String(certificate?.certificateId) } };
};
const sale = async () => {
  const { purchaseId } = await buy(server, await server.signedIn(), (await buildCourse(server))._id);
  return { id: purchaseId };
};
/** An event that asks for review: the capture of a purchase that is no user's. */
const eventInReview = async () => {
  await deliver(server, paymentEvent("payment.captured", { id: paymentId(), purchaseId: unknownId }));
  const { body } = await server.get("/api/admin/payment-events?state=review", callers.admin.token);
  return { id: body.events[0]._id };
};
const pendingApplication = async () => ({ id: await apply(server, await applicant(server)) });
const openReport = async ({ postId, learner }: Given) => {
  await server.post(`/api/community/posts/${postId}/report`, { reason: "x" }, learner.token);
  const { body } = await server.get("/api/admin/community/reports", callers.admin.token);
  return { id: body.reports[0]._id };
};
const resetOfLearner = ({ learner }: Given) => ({ ids: { userId: learner.id }, body: { reason: "x" } });
const newKey = { name: "Warehouse", scopes: ["courses:read"] };
const bankQuestion = async () => ({ id: (await storeQuestion(server, callers.educator))._id });
const coupon = async (maker: SignedIn) => ({ id: (await buildCoupon(server, maker))._id });
/** Gives the second chapter an assessment; the first one keeps its quiz. */
const assessed = ({ courseId }: Given) =>
  buildAssessment(server, { courseId, educatorId: callers.educator.id, chapterId: "ch2" });
/** An attempt that the learner has started. */
const attempt = async (given: Given) => {
  await assessed(given);
  return { attemptId: await beginAttempt(server, given.learner, { courseId: given.courseId, chapterId: "ch2" }) };
};
const inChapter = async (given: Given) => ({
  ids: { chapterId: "ch2" },
  body: { ...rules, questionIds: [await assessed(given)] },
});
const resource = async () => {
  const { resourceId } = await addResource(server, callers.educator, course._id);
  return { resourceId };
};
const opened = async ({ learner }: Given) => {
  const { purchaseId, orderId } = await openPurchase(server, learner, await buildCourse(server));
  const id = paymentId();
  return {
    ...{ purchaseId, razorpay_order_id: orderId, razorpay_payment_id: id },
    razorpay_signature: paymentsOf(server).signCheckout(orderId, id),
  };
};

const webhook = { url: "http://127.0.0.1:9/", types: ["*"] };

/** What a route is asked beside the path with the ids of the scene, for those that need more. */
const more: Record<string, (given: Given) => Asked | Promise<Asked>> = {
  "POST /api/user/purchase": async () => ({ body: { courseId: String((await buildCourse(server))._id) } }),
  "POST /api/user/verify-razorpay": async (given) => ({ body: await opened(given) }),
  "POST /api/admin/purchases/:id/refund": async () => ({ ids: await sale(), body: { reason: "wanted" } }),
  "POST /api/admin/purchases/:id/review": async () => ({
    ...{ ids: await sale(), body: { reason: "amount_mismatch", note: "x" }, status: 409 },
  }),
  "POST /api/admin/payment-events/:id/replay": async () => ({ ids: await eventInReview() }),
  "POST /api/admin/payment-events/:id/review": async () => ({ ids: await eventInReview(), body: { note: "x" } }),
  "POST /api/user/update-course-progress": ({ courseId }) => ({ body: { courseId, lectureId: "ch1-l1" } }),
  "POST /api/user/get-course-progress": ({ courseId }) => ({ body: { courseId } }),
  "POST /api/user/certificate/generate/:courseId": complete,
  "GET /api/user/certificate/:courseId": complete,
  "GET /api/certificate/verify/:certificateId": complete,
  "POST /api/user/add-rating": ({ courseId }) => ({ body: { courseId, rating: 4 } }),
  "POST /api/user/track-time": ({ courseId }) => ({
    body: { page: "Learning", path: `/player/${courseId}`, duration: 5 },
  }),
  "POST /api/community/groups": ({ learner }) => ({ body: { name: `Group ${learner.id}` } }),
  "GET /api/community/posts": () => ({ query: "?q=types&limit=1&page=2" }),
  "POST /api/community/posts": ({ groupId }) => ({ body: { title: "x", content: "x", groupId } }),
  "PATCH /api/community/posts/:postId": () => ({ body: { title: "y" } }),
  "POST /api/community/posts/:postId/report": () => ({ body: { reason: "x" } }),
  "POST /api/community/posts/:postId/replies": () => ({ body: { content: "More" } }),
  "PATCH /api/community/posts/:postId/replies/:replyId": () => ({ body: { content: "Less" } }),
  "POST /api/community/posts/:postId/replies/:replyId/report": () => ({ body: { reason: "x" } }),
  "DELETE /api/user/data": ({ learner }) => ({ body: { confirm: learner.id } }),
  "POST /api/educator/apply": () => ({ body: application() }),
  "GET /api/educator/application-status": async ({ learner }) => {
    await apply(server, learner);
    return {};
  },
  "POST /api/educator/add-course": () => ({ body: courseForm() }),
  "PATCH /api/educator/courses/:id": () => ({ body: { courseTitle: "y", version: 1 } }),
  "PATCH /api/educator/courses/:id/publish": () => ({ body: { isPublished: true } }),
  "PATCH /api/admin/educator-applications/:id/approve": async () => ({ ids: await pendingApplication() }),
  "PATCH /api/admin/educator-applications/:id/reject": async () => ({ ids: await pendingApplication() }),
  "POST /api/user/ai-chat": ({ sessionId }) => ({ body: { content: "Which chapter?", sessionId } }),
  "POST /api/user/generate-custom-roadmap": () => ({ body: { topic: "Graphs" } }),
  "POST /api/quiz/generate": () => ({ body: quiz }),
  "POST /api/quiz/submit": async ({ learner }) => {
    const { body } = await server.get(`/api/quiz/${course._id}/ch1`, learner.token);
    return { body: { ...quiz, answers: body.quiz.questions.map(() => 0) } };
  },
  "POST /api/admin/webhooks": () => ({ body: webhook }),
  "POST /api/educator/webhooks": () => ({ body: webhook }),
  "POST /api/admin/coupons": () => ({ body: { kind: "percent", value: 50 } }),
  "POST /api/admin/api-keys": () => ({ body: newKey }),
  "POST /api/educator/api-keys": () => ({ body: newKey }),
  "PATCH /api/admin/coupons/:id": async () => ({ ids: await coupon(callers.admin), body: { active: false } }),
  "POST /api/educator/coupons": ({ courseId }) => ({ body: { kind: "percent", value: 50, courseIds: [courseId] } }),
  "PATCH /api/educator/coupons/:id": async ({ courseId }) => {
    const made = { kind: "percent", value: 50, courseIds: [courseId] };
    const { body } = await server.post("/api/educator/coupons", made, callers.educator.token);
    return { ids: { id: body.coupon._id }, body: { active: false } };
  },
  "POST /api/educator/courses/:id/learners/:userId/reset": resetOfLearner,
  "POST /api/admin/courses/:id/learners/:userId/reset": resetOfLearner,
  "POST /api/educator/questions": () => ({ body: { kind: "boolean", prompt: "x", correct: true } }),
  "POST /api/educator/questions/import": () => ({ body: "x {T}", headers: { "content-type": "text/plain" } }),
  "GET /api/educator/questions": () => ({ query: "?q=x" }),
  "GET /api/educator/questions/:id": async () => ({ ids: await bankQuestion() }),
  "PATCH /api/educator/questions/:id": async () => ({ ids: await bankQuestion(), body: { points: 2 } }),
  "DELETE /api/educator/questions/:id": async () => ({ ids: await bankQuestion() }),
  "PUT /api/educator/courses/:courseId/chapters/:chapterId/assessment": inChapter,
  "DELETE /api/educator/courses/:courseId/chapters/:chapterId/assessment": inChapter,
  "GET /api/quiz/assessments/:courseId/:chapterId": inChapter,
  "POST /api/quiz/assessments/:courseId/:chapterId/attempts": inChapter,
  "GET /api/quiz/attempts/:attemptId": async (given) => ({ ids: await attempt(given) }),
  "PUT /api/quiz/attempts/:attemptId/answers": async (given) => ({ ids: await attempt(given), body: { answers: {} } }),
  "POST /api/quiz/attempts/:attemptId/submit": async (given) => ({ ids: await attempt(given) }),
  "POST /api/user/coupon/check": async () => {
    const { _id: courseId } = await buildCourse(server);
    const { code } = await buildCoupon(server, callers.admin);
    return { body: { courseId: String(courseId), code } };
  },
  "POST /api/admin/enrollments": ({ courseId, learner }) => ({
    body: { courseId, email: `${learner.id}@example.com`, reason: "x" },
  }),
  "POST /api/educator/courses/:courseId/enrollments": ({ learner }) => ({
    body: { email: `${learner.id}@example.com`, reason: "x" },
  }),
  "POST /api/admin/enrollments/import": ({ courseId }) => ({
    body: csvForm(`email,courseId,expiresAt\nasha@example.com,${courseId},\n`),
  }),
  "POST /api/educator/courses/:courseId/enrollments/import": () => ({
    body: csvForm("email,expiresAt\nasha@example.com,\n"),
  }),
  "POST /api/educator/courses/:id/resources": () => ({ body: resourceForm() }),
  "DELETE /api/educator/courses/:id/resources/:resourceId": async () => ({ ids: await resource() }),
  "GET /api/user/resources/:courseId/:resourceId": async () => {
    // No lecture names the file.
    callers.user = callers.educator;
    return { ids: await resource() };
  },
  "POST /api/admin/community/reports/:id/resolve": async (given) => ({ ids: await openReport(given) }),
};

test("what is asked of routes is asked of routes that there are", () => {
  const names = routes.map(({ name }) => name);
  expect(Object.keys(more).filter((name) => !names.includes(name))).toEqual([]);
});

test.each(routes)("$name", async ({ name, access }) => {
  const given = await scene();
  const asked = await more[name]?.(given);
  const { body, headers = {}, ids, query = "", status = 200 } = asked ?? {};
  const [method = "", path = ""] = name.split(" ");
  const named: Record<string, unknown> = { ...given, ...ids };
  const { token } = callers[access === "public" ? "user" : access];
  const commands = await commandsDuring(server, async () => {
    const answer = await server.call(
      method,
      path.replace(/:(\w+)/g, (_all, id) => String(named[id] ?? unknownId)) + query,
      {
        token,
        headers,
        ...(method === "GET" ? {} : { body: body ?? {} }),
      },
    );
    // An id that belongs to nothing is looked up all the same.
    const expected = asked ? [status] : [200, 404];
    expect(expected, `${name}: say in \`more\` what it is to be asked`).toContain(answer.status);
  });
  const unlimited = commands
    .filter((command) => !exempt.includes(Object.keys(command)[0] ?? ""))
    .filter(({ maxTimeMS }) => !(maxTimeMS < givenUpMs || maxTimeMS === cursorLimitMs));
  expect(unlimited.map((command) => Object.entries(command)[0])).toEqual([]);
});
