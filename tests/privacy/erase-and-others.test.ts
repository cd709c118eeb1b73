import { randomUUID } from "node:crypto";
import { Types } from "mongoose";
import { expect, test } from "vitest";
import { backgroundJobs } from "../../src/jobs/index.js";
import { buildCourse } from "../factories/courses.js";
import { csvForm } from "../factories/csv-form.js";
import { deliverIdentity, signUp, userData } from "../factories/identity-events.js";
import { deliver, paymentEvent } from "../factories/payment-events.js";
import { activeCourses, openPurchase, paymentId } from "../factories/purchases.js";
import { identityOf, storageOf } from "../server/emulators.js";
import { runJob } from "../server/run-job.js";
import { type SignedIn, startTestServer } from "../server/test-server.js";
import { busyLearner } from "./busy-learner.js";
import { finishErasure, placesOf } from "./learner-everywhere.js";

/* What an erasure must leave alone: the seats and data of other people, and of the same user after coming back. */

const server = await startTestServer({ own: "looks through all rows" });
const { db } = server.deps;
const admin = await server.signedIn("admin");

const erase = ({ id, token }: Pick<SignedIn, "id" | "token">) =>
  server.call("DELETE", "/api/user/data", { token, body: { confirm: id } });
const grant = (courseId: unknown, email: string) =>
  server.post("/api/admin/enrollments", { courseId: String(courseId), email, reason: "A prize" }, admin.token);
async function importRow(email: string, courseId: unknown) {
  const body = csvForm(`email,courseId,expiresAt\n${email},${courseId},\n`);
  const answer = await server.call("POST", "/api/admin/enrollments/import", { token: admin.token, body });
  expect(answer.status).toBe(200);
}
const runAllImports = () => runJob(server, "import-enrollments");

/** Somebody whose profile lists an address without having verified it. */
async function lister(email: string) {
  const id = `user_${randomUUID().replaceAll("-", "")}`;
  const listed = [{ id: "idn_1", email_address: email, verification: { status: "unverified" } }];
  expect(await deliverIdentity(server, userData(id, email, { email_addresses: listed }))).toBe(200);
  return { id, token: identityOf(server.emulators).issueToken(id) };
}

test("who only lists an address does not take the seats of its owner along, and leaves no address behind", async () => {
  const email = `${randomUUID()}@owner.example`;
  const [first, second] = [await buildCourse(server), await buildCourse(server)];
  expect((await grant(first._id, email)).body.enrollment.state).toBe("waiting");
  const other = await lister(email);
  expect((await erase(other)).status).toBe(200);
  await finishErasure(server, other.id);
  expect(await placesOf(server, email)).toEqual([]);
  const [shown] = (await server.get(`/api/admin/enrollments?courseId=${first._id}&state=waiting`, admin.token)).body
    .enrollments;
  expect(shown).toMatchObject({ state: "waiting", email: null });
  // A second grant of the same seat does not count the owner twice.
  await grant(first._id, email);
  await importRow(email, second._id);
  await erase(await lister(email));
  await runAllImports();
  const owner = await signUp(server, email);
  expect((await activeCourses(server, owner)).sort()).toEqual([String(first._id), String(second._id)].sort());
  expect(await db.Course.findById(first._id).lean()).toMatchObject({ totalEnrolledStudents: 1 });
});

test("the seats that a verified owner still waits for outlast the erasure of who lists the address", async () => {
  const email = `${randomUUID()}@owner.example`;
  const { _id, slugs, ...fields } = await buildCourse(server);
  const courses = Array.from({ length: 150 }, () => ({ ...fields, _id: new Types.ObjectId() }));
  await db.Course.insertMany(courses);
  const waiting = { email, state: "waiting", reason: "A prize", grantedBy: admin.id };
  await db.Grant.insertMany(courses.map((course) => ({ ...waiting, courseId: course._id })));
  const owner = await signUp(server, email);
  await erase(await lister(email));
  // The TTL index removes what has expired by the next week.
  await db.EmailLock.deleteMany({ expiresAt: { $lte: new Date(Date.now() + 7 * 86_400_000) } });
  const job = backgroundJobs(server.deps).find(({ name }) => name === "activate-grants");
  await job?.run(new AbortController().signal);
  expect((await activeCourses(server, owner)).length).toBe(150);
});

test("a first pass that is repeated leaves alone who came back, and what they have paid for since", async () => {
  const { learner } = await busyLearner(server);
  const { faults } = storageOf(server.emulators);
  faults.add({ kind: "error" });
  expect((await erase(learner)).body).toEqual({ success: true, erased: false });
  const data = userData(learner.id, `${randomUUID()}@back.example`, { updated_at: Date.now() + 500 });
  expect(await deliverIdentity(server, data, "user.updated")).toBe(200);
  const bought = await openPurchase(server, learner, await buildCourse(server));
  await deliver(server, paymentEvent("payment.captured", { ...bought, id: paymentId(), currency: "INR" }));
  faults.clear();
  await db.Erasure.updateOne({ _id: learner.id }, { nextAttemptAt: new Date(1) });
  await runJob(server, "erase-user-data");
  expect(await db.User.exists({ _id: learner.id })).not.toBeNull();
  expect((await activeCourses(server, learner)).length).toBe(1);
  expect(await db.Certificate.countDocuments({ userId: learner.id })).toBe(0);
});

test("an address with an apostrophe is found, and is no part of another one", async () => {
  const tail = `brien${randomUUID().slice(0, 8)}@irish.example`;
  await importRow(`o'${tail}`, (await buildCourse(server))._id);
  await runAllImports();
  const obrien = await signUp(server, `o'${tail}`);
  await erase(obrien);
  await finishErasure(server, obrien.id);
  expect(await placesOf(server, `o'${tail}`)).toEqual([]);

  const other = `o'x${tail}`;
  await importRow(other, (await buildCourse(server))._id);
  await erase(await signUp(server, `x${tail}`));
  await runAllImports();
  expect((await activeCourses(server, await signUp(server, other))).length).toBe(1);
});
