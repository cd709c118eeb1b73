import { randomUUID } from "node:crypto";
import { mongo, Types } from "mongoose";
import { expect } from "vitest";
import { emailKey } from "../../src/lib/email-address.js";
import { newMail } from "../../src/models/notices/mail.js";
import type { Path } from "../../src/models/paths/path.js";
import { buildCoupon } from "../factories/coupons.js";
import { buildCourse } from "../factories/courses.js";
import { csvForm } from "../factories/csv-form.js";
import { deliverIdentity, signUp, userData } from "../factories/identity-events.js";
import { makeDueNotices } from "../factories/notices.js";
import { buildPath } from "../factories/paths.js";
import { deliver, paymentEvent, refundEvent } from "../factories/payment-events.js";
import { writePost } from "../factories/posts.js";
import { paymentId } from "../factories/purchases.js";
import { addResource } from "../factories/resources.js";
import { happen, userCreated } from "../factories/webhooks.js";
import { runJob } from "../server/run-job.js";
import type { SignedIn, TestServer } from "../server/test-server.js";
import { busyLearner } from "./busy-learner.js";

/**
 * A learner, later an approved educator, of whom every collection that can hold something does: what the busy learner
 * leaves, and what administrators, the identity provider and the payment provider add.
 */
export async function learnerEverywhere(server: TestServer) {
  const admin = await server.signedIn("admin");
  const email = `Zeb.${randomUUID().slice(0, 8)}@Quill.example`;
  const ask = async (method: string, path: string, body: unknown, { token }: SignedIn = admin) => {
    const { status, body: answer } = await server.call(method, path, { body, token });
    expect({ method, path, status, message: answer.message }).toMatchObject({ path, status: 200 });
    return answer;
  };
  const grant = async (to: object) => {
    const courseId = String((await buildCourse(server))._id);
    return (await ask("POST", "/api/admin/enrollments", { courseId, reason: `For ${email}`, ...to })).enrollment;
  };

  const paths = [await newPath(server), await newPath(server)];
  const grantPath = (to: object, { _id } = paths[0] as Path) =>
    ask("POST", `/api/admin/paths/${_id}/enrollments`, { reason: `For ${email}`, ...to });

  // Before the sign-up: a grant that waits, one that was taken back, and tables with the address in capital letters.
  await grant({ email });
  const { _id: takenBack } = await grant({ email });
  await ask("DELETE", `/api/admin/enrollments/${takenBack}`, undefined);
  const courseId = String((await buildCourse(server))._id);
  const capitals = email.toUpperCase();
  const table = [
    "email,courseId,expiresAt",
    `${capitals},${courseId},`,
    `${courseId},${email},`,
    `${email},,,too many`,
  ];
  await ask("POST", "/api/admin/enrollments/import", csvForm(table.join("\n")));
  await runJob(server, "import-enrollments");

  const name = "Zebedee Quillfeather";
  const learner = { ...(await signUp(server, email)), name };
  const profile = { first_name: "Zebedee", last_name: "Quillfeather" };
  const event = (fields: object) =>
    deliverIdentity(server, userData(learner.id, email, { ...profile, ...fields }), "user.updated");
  expect(await event({})).toBe(200);

  const busy = await busyLearner(server, learner);
  await ask("GET", `/api/user/purchases/${busy.bought.purchaseId}/invoice`, undefined, learner);
  await grant({ userId: learner.id });
  await grantPath({ userId: learner.id });
  const refunded = await payWithCoupon(server, admin, learner, email);
  await deliver(server, refundEvent({ id: `rfnd_${randomUUID()}`, ...refunded }));
  await ask("GET", `/api/user/purchases/${refunded.purchaseId}/invoice?document=credit-note`, undefined, learner);

  // An administrator removes a post, and settles a report of the learner's.
  const rude = await writePost(server, learner);
  await ask("DELETE", `/api/admin/community/posts/${rude._id}`, undefined);
  // As an educator the learner makes a course, a coupon and an API key, and gives a seat.
  const application = await server.deps.db.EducatorApplication.findOne({ userId: learner.id }).orFail().lean();
  await ask("PATCH", `/api/admin/educator-applications/${application._id}/reject`, { reason: `${name} is a baker` });
  await ask("POST", "/api/educator/apply", { professionalTitle: "Baker", bio: "B", expertise: ["Bread"] }, learner);
  await ask("PATCH", `/api/admin/educator-applications/${application._id}/approve`, {});
  const own = await buildCourse(server, { educatorId: learner.id });
  await buildPath(server, { courseIds: [own._id], educatorId: learner.id });
  await ask("POST", `/api/educator/courses/${own._id}/enrollments`, { email: "a@b.example", reason: "Guest" }, learner);
  await addResource(server, learner, own._id);
  const file = csvForm("email,expiresAt\nb@b.example,");
  await ask("POST", `/api/educator/courses/${own._id}/enrollments/import`, file, learner);
  await runJob(server, "import-enrollments");
  await ask("POST", "/api/educator/api-keys", { name: `${name}'s key`, scopes: ["courses:read"] }, learner);
  // The learner responds to a review of that course, and marks it as helpful. An administrator hides the learner's own.
  await ask("POST", "/api/admin/enrollments", { courseId: String(own._id), userId: busy.other.id, reason: "Guest" });
  await ask("POST", "/api/user/add-rating", { courseId: String(own._id), rating: 5, review: "Crisp" }, busy.other);
  const [{ _id: reviewId }] = (await ask("GET", `/api/course/${own._id}/reviews`, undefined)).reviews;
  await ask("POST", `/api/course/${own._id}/reviews/${reviewId}/helpful`, {}, learner);
  await ask("PUT", `/api/educator/courses/${own._id}/reviews/${reviewId}/response`, { content: "Thanks" }, learner);
  await ask("POST", `/api/admin/reviews/${busy.reviewId}/hide`, { hidden: true, reason: `${name} is rude` });
  const template = { signatories: [{ name: "The Dean" }] };
  await ask("PUT", `/api/educator/courses/${own._id}/certificate-template`, template, learner);
  // The learner's certificate is corrected and revoked.
  const certificate = await server.deps.db.Certificate.findOne({ userId: learner.id }).orFail().lean();
  const certified = `/api/admin/courses/${certificate.courseId}/certificates/${certificate.certificateId}`;
  await ask("POST", `${certified}/reissue`, { studentName: `${name} II`, reason: `${name} asked` });
  await ask("POST", `${certified}/revoke`, { reason: `${name} copied` });
  await ask("POST", "/api/educator/coupons", { kind: "percent", value: 5, courseIds: [String(own._id)] }, learner);
  const announced = { title: "Bread", body: "It is baked." };
  await ask("POST", `/api/educator/courses/${own._id}/announcements`, announced, learner);
  // The learner has a webhook, and an event that names the learner goes to the webhook of an administrator.
  const url = `https://crm.example/${learner.id}`;
  await ask("POST", "/api/educator/webhooks", { url, types: ["*"], description: name }, learner);
  await ask("POST", "/api/admin/webhooks", { url: "https://crm.example/", types: ["user.created"] });
  await happen(server, userCreated(learner.id));
  await makeDueNotices(server);
  const refused = { state: "refused", reason: `550 ${email}` } as const;
  const mail = newMail({ userId: learner.id, type: "announcement", title: name, body: "", link: null });
  await server.deps.db.Mail.create({ ...mail, ...refused });

  // The address is no longer verified, so that a grant for it waits; a table that is not worked through names it, too.
  const unverified = [{ id: "idn_1", email_address: email, verification: { status: "unverified" } }];
  expect(await event({ email_addresses: unverified, updated_at: Date.now() + 5_000 })).toBe(200);
  const token = { _id: randomUUID(), userId: learner.id, type: "announcement", email: emailKey(email) };
  await server.deps.db.UnsubscribeToken.create(token);
  await server.deps.db.SuppressedAddress.create({ _id: emailKey(email), userId: learner.id, reason: refused.reason });
  await grant({ email });
  await grantPath({ email }, paths[1]);
  await ask("POST", "/api/admin/enrollments/import", csvForm(`email,courseId,expiresAt\n"Z <${capitals}>",,`));
  return { ...busy, learner, admin, email, name };
}

const newPath = async (server: TestServer) => {
  const courses = [await buildCourse(server), await buildCourse(server)];
  return buildPath(server, { courseIds: courses.map(({ _id }) => _id), price: 0 });
};

/** Pays for a course with a coupon, as the payment provider reports it: with the payer's address. */
async function payWithCoupon(server: TestServer, admin: SignedIn, learner: SignedIn, email: string) {
  const course = await buildCourse(server, { coursePrice: 100, discount: 0 });
  const { code } = await buildCoupon(server, admin);
  const headers = { "idempotency-key": randomUUID() };
  const body = { courseId: String(course._id), coupon: code };
  const { purchaseId, orderId } = (await server.post("/api/user/purchase", body, learner.token, headers)).body;
  const paid = { id: paymentId(), orderId, purchaseId, amount: 5_000, currency: "INR" };
  const event = JSON.parse(paymentEvent("payment.captured", paid));
  Object.assign(event.payload.payment.entity, { email, contact: "+910000000000" });
  expect((await deliver(server, JSON.stringify(event))).status).toBe(200);
  const written = { educatorId: learner.id, version: 1, isCurrent: true, createdAt: new Date(), changedAt: new Date() };
  const content = { kind: "boolean", prompt: "x", points: 1, tags: [], fields: { correct: true } };
  await server.deps.db.Question.create({ questionId: new Types.ObjectId(), ...written, ...content });
  return { purchaseId, paymentId: paid.id, amount: paid.amount };
}

/**
 * Where a text is in the database, in any letter case and also in binary values: `collection.field` of every collection
 * that the database has, whether or not there is a model for it.
 */
export async function placesOf(server: TestServer, text: string): Promise<string[]> {
  const places = new Set<string>();
  const wanted = text.toLowerCase();
  const search = (value: unknown, place: string): void => {
    if (typeof value === "string" && value.toLowerCase().includes(wanted)) places.add(place);
    if (typeof value !== "object" || value === null || value instanceof mongo.ObjectId) return;
    if (value instanceof mongo.Binary) search(Buffer.from(value.buffer).toString("latin1"), place);
    else if (Array.isArray(value)) for (const item of value) search(item, place);
    else for (const [field, inner] of Object.entries(value)) search(inner, `${place}.${field}`);
  };
  for (const collection of (await server.deps.database.db?.collections()) ?? []) {
    for await (const row of collection.find()) search(row, collection.collectionName);
  }
  return [...places].sort();
}

/** Runs the job until an erasure has ended, without the pauses before its attempts. */
export async function finishErasure(server: TestServer, userId: string): Promise<void> {
  const { Erasure } = server.deps.db;
  for (let runs = 0; (await Erasure.exists({ _id: userId })) && runs < 5; runs += 1) {
    await Erasure.updateOne({ _id: userId }, { nextAttemptAt: new Date(1) });
    await runJob(server, "erase-user-data");
  }
  expect(await Erasure.exists({ _id: userId })).toBeNull();
}
