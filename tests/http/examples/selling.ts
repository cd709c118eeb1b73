import { runImports } from "../../../src/services/grants/imports/run-imports.js";
import { buildCoupon } from "../../factories/coupons.js";
import { buildCourse } from "../../factories/courses.js";
import { paymentEvent } from "../../factories/payment-events.js";
import { paymentId, unpaidPurchase } from "../../factories/purchases.js";
import { buy } from "../../factories/sales.js";
import { identityOf, paymentsOf } from "../../server/emulators.js";
import type { SignedIn, TestServer } from "../../server/test-server.js";
import { type Examples, must, newAdmin, newcomer, type Scene } from "./scene.js";

async function sold(scene: Scene) {
  const learner = await newcomer(scene);
  const course = await buildCourse(scene.server);
  return { learner, ...(await buy(scene.server, learner, course._id)) };
}

/** A payment event in review: of a purchase that does not exist. */
async function inReview(scene: Scene) {
  const { token } = await newAdmin(scene);
  const body = paymentEvent("payment.captured", { id: paymentId(), purchaseId: "unknown" });
  const headers = { "content-type": "application/json", ...paymentsOf(scene.server).signWebhook(body) };
  await must(scene.server.call("POST", "/razorpay", { body, headers }));
  const { events } = await must(scene.server.get("/api/admin/payment-events?state=review", token));
  return { token, eventId: events[0]._id as string };
}

/** An educator with a course. */
async function teaching({ server }: Scene) {
  const educator = await server.signedIn("educator");
  const { _id } = await buildCourse(server, { educatorId: educator.id });
  return { educator, courseId: String(_id) };
}

const coupon = { kind: "percent", value: 10 };

async function granted(scene: Scene, by: SignedIn, base: string, more: object) {
  const learner = await newcomer(scene);
  const body = { userId: learner.id, reason: "a prize", ...more };
  const { enrollment } = await must(scene.server.post(base, body, by.token));
  return { path: `${base}/${enrollment._id}`, token: by.token };
}

function table(content: string): FormData {
  const form = new FormData();
  form.append("file", new Blob([content], { type: "text/csv" }), "learners.csv");
  return form;
}

/** An import that is done. @returns its path. */
async function imported(server: TestServer, base: string, content: string, token: string) {
  const { importId } = await must(server.call("POST", `${base}/import`, { token, body: table(content) }));
  await runImports(server.deps.db, new AbortController().signal);
  return `${base}/imports/${importId}`;
}

const ofAdmin = (path: string, body?: (scene: Scene) => object) => async (scene: Scene) => {
  const { token } = await newAdmin(scene);
  return { path, token, ...(body ? { body: body(scene) } : {}) };
};

const adminEnrollments = "/api/admin/enrollments";
const educatorEnrollments = (courseId: string) => `/api/educator/courses/${courseId}/enrollments`;
const guests = (courseId: string) => `email,courseId,expiresAt\nguest@example.com,${courseId},\n`;

export const selling: Examples = {
  "POST /api/user/purchase": async (scene) => {
    const { token } = await newcomer(scene);
    return { path: "/api/user/purchase", body: { courseId: scene.courseId }, token };
  },
  "POST /api/user/verify-razorpay": async (scene) => {
    const { server } = scene;
    const { learner, purchaseId, orderId } = await unpaidPurchase(server);
    const { razorpay_payment_id, razorpay_signature } = await paymentsOf(server).pay(orderId, { webhook: false });
    const body = { razorpay_order_id: orderId, razorpay_payment_id, razorpay_signature, purchaseId };
    return { path: "/api/user/verify-razorpay", body, token: learner.token };
  },
  "POST /razorpay": async ({ server }) => {
    const { purchaseId, orderId, amount } = await unpaidPurchase(server);
    const body = paymentEvent("payment.captured", { id: paymentId(), amount, currency: "INR", orderId, purchaseId });
    const headers = { "content-type": "application/json", ...paymentsOf(server).signWebhook(body) };
    return { path: "/razorpay", body, headers };
  },
  "POST /clerk": async (scene) => {
    const { id } = await newcomer(scene);
    const data = { id, first_name: "Asha", email_addresses: [], updated_at: Date.now() };
    const body = JSON.stringify({ type: "user.updated", data });
    const headers = { "content-type": "application/json", ...identityOf(scene.server.emulators).signWebhook(body) };
    return { path: "/clerk", body, headers };
  },
  "GET /api/user/purchases": async (scene) => {
    const { learner } = await sold(scene);
    return { path: "/api/user/purchases?limit=3", token: learner.token };
  },
  "GET /api/user/purchases/{id}/invoice": async (scene) => {
    const { learner, purchaseId } = await sold(scene);
    await must(scene.server.get(`/api/user/purchases/${purchaseId}/invoice`, learner.token));
    return { path: `/api/user/purchases/${purchaseId}/invoice`, token: learner.token };
  },
  "GET /api/admin/purchases/{id}/invoice": async (scene) => {
    const { learner, purchaseId } = await sold(scene);
    await must(scene.server.get(`/api/user/purchases/${purchaseId}/invoice`, learner.token));
    return { path: `/api/admin/purchases/${purchaseId}/invoice`, token: (await newAdmin(scene)).token };
  },
  "POST /api/user/coupon/check": async (scene) => {
    const { code } = await buildCoupon(scene.server, await newAdmin(scene));
    const { token } = await newcomer(scene);
    return { path: "/api/user/coupon/check", body: { courseId: scene.courseId, code }, token };
  },
  "POST /api/admin/coupons": ofAdmin("/api/admin/coupons", () => coupon),
  "GET /api/admin/coupons": ofAdmin("/api/admin/coupons?limit=1"),
  "PATCH /api/admin/coupons/{id}": async (scene) => {
    const admin = await newAdmin(scene);
    const { _id } = await buildCoupon(scene.server, admin);
    return { path: `/api/admin/coupons/${_id}`, body: { active: false }, token: admin.token };
  },
  "POST /api/educator/coupons": async (scene) => {
    const { educator, courseId } = await teaching(scene);
    return { path: "/api/educator/coupons", body: { ...coupon, courseIds: [courseId] }, token: educator.token };
  },
  "GET /api/educator/coupons": ({ educator }) => ({ path: "/api/educator/coupons?limit=1", token: educator.token }),
  "PATCH /api/educator/coupons/{id}": async (scene) => {
    const { educator, courseId } = await teaching(scene);
    const made = scene.server.post("/api/educator/coupons", { ...coupon, courseIds: [courseId] }, educator.token);
    const { coupon: own } = await must(made);
    return { path: `/api/educator/coupons/${own._id}`, body: { active: false }, token: educator.token };
  },
  "POST /api/admin/purchases/{id}/refund": async (scene) => {
    const { purchaseId } = await sold(scene);
    const { token } = await newAdmin(scene);
    return { path: `/api/admin/purchases/${purchaseId}/refund`, body: { reason: "asked for it" }, token };
  },
  "POST /api/admin/purchases/{id}/review": async (scene) => {
    const { server } = scene;
    const { purchaseId, paymentId: id } = await sold(scene);
    await paymentsOf(server).refund(id, { amount: 100 });
    await paymentsOf(server).settled();
    const body = { reason: "partial_refund", note: "agreed" };
    return { path: `/api/admin/purchases/${purchaseId}/review`, body, token: (await newAdmin(scene)).token };
  },
  "GET /api/admin/payment-events": ofAdmin("/api/admin/payment-events?limit=1"),
  "POST /api/admin/payment-events/{id}/replay": async (scene) => {
    const { token, eventId } = await inReview(scene);
    return { path: `/api/admin/payment-events/${eventId}/replay`, body: {}, token };
  },
  "POST /api/admin/payment-events/{id}/review": async (scene) => {
    const { token, eventId } = await inReview(scene);
    return { path: `/api/admin/payment-events/${eventId}/review`, body: { note: "agreed" }, token };
  },
  "POST /api/admin/enrollments": async (scene) => {
    const { id: userId } = await newcomer(scene);
    const body = { userId, courseId: scene.courseId, reason: "a prize" };
    return { path: adminEnrollments, body, token: (await newAdmin(scene)).token };
  },
  "GET /api/admin/enrollments": ofAdmin(`${adminEnrollments}?limit=1`),
  "DELETE /api/admin/enrollments/{id}": async (scene) =>
    granted(scene, await newAdmin(scene), adminEnrollments, { courseId: scene.courseId }),
  "POST /api/educator/courses/{courseId}/enrollments": async (scene) => {
    const { id: userId } = await newcomer(scene);
    const { courseId, educator } = scene;
    return { path: educatorEnrollments(courseId), body: { userId, reason: "a prize" }, token: educator.token };
  },
  "GET /api/educator/courses/{courseId}/enrollments": ({ courseId, educator }) => ({
    ...{ path: `${educatorEnrollments(courseId)}?limit=1`, token: educator.token },
  }),
  "DELETE /api/educator/courses/{courseId}/enrollments/{id}": (scene) =>
    granted(scene, scene.educator, educatorEnrollments(scene.courseId), {}),
  "POST /api/admin/enrollments/import": async (scene) => {
    const { token } = await newAdmin(scene);
    return { path: `${adminEnrollments}/import`, body: table(guests(scene.courseId)), token };
  },
  "GET /api/admin/enrollments/imports/{importId}": async (scene) => {
    const { token } = await newAdmin(scene);
    return { path: await imported(scene.server, adminEnrollments, guests(scene.courseId), token), token };
  },
  "GET /api/admin/enrollments/imports/{importId}/result.csv": async (scene) => {
    const { token } = await newAdmin(scene);
    const path = await imported(scene.server, adminEnrollments, guests(scene.courseId), token);
    return { path: `${path}/result.csv`, token };
  },
  "POST /api/educator/courses/{courseId}/enrollments/import": async (scene) => {
    const { educator, courseId } = await teaching(scene);
    const body = table("email,expiresAt\nguest@example.com,\n");
    return { path: `${educatorEnrollments(courseId)}/import`, body, token: educator.token };
  },
  "GET /api/educator/courses/{courseId}/enrollments/imports/{importId}": async (scene) => {
    const { educator, courseId } = await teaching(scene);
    const content = "email,expiresAt\nguest@example.com,\n";
    const path = await imported(scene.server, educatorEnrollments(courseId), content, educator.token);
    return { path, token: educator.token };
  },
  "GET /api/educator/courses/{courseId}/enrollments/imports/{importId}/result.csv": async (scene) => {
    const { educator, courseId } = await teaching(scene);
    const content = "email,expiresAt\nguest@example.com,\n";
    const path = await imported(scene.server, educatorEnrollments(courseId), content, educator.token);
    return { path: `${path}/result.csv`, token: educator.token };
  },
};
