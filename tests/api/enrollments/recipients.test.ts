import { randomUUID } from "node:crypto";
import { Types } from "mongoose";
import { expect, test } from "vitest";
import { backgroundJobs } from "../../../src/jobs/index.js";
import { emailKey } from "../../../src/lib/email-address.js";
import { expectRecount } from "../../assertions/recount.js";
import { buildCourse } from "../../factories/courses.js";
import { csvForm } from "../../factories/csv-form.js";
import { deliverIdentity, signUp, userData } from "../../factories/identity-events.js";
import { activeCourses } from "../../factories/purchases.js";
import { identityOf } from "../../server/emulators.js";
import { runJob } from "../../server/run-job.js";
import { startTestServer } from "../../server/test-server.js";

const server = await startTestServer({ own: "recounts all rows" });
const admin = await server.signedIn("admin");
const { db } = server.deps;

const newId = () => `user_${randomUUID().replaceAll("-", "")}`;
const newEmail = () => `${randomUUID()}@example.com`;

/** Who the seat went to; null while it waits. */
async function grant(courseId: unknown, email: string): Promise<string | null> {
  const body = { courseId: String(courseId), email, reason: "A prize" };
  const answer = await server.post("/api/admin/enrollments", body, admin.token);
  expect(answer.status).toBe(200);
  return answer.body.enrollment.userId;
}

async function importRow(courseId: unknown, email: string): Promise<string | null> {
  const body = csvForm(`email,courseId,expiresAt\n${email},${courseId},\n`);
  expect((await server.call("POST", "/api/admin/enrollments/import", { token: admin.token, body })).status).toBe(200);
  await runJob(server, "import-enrollments");
  const { userId } = await db.Grant.findOne({ courseId: String(courseId), email: emailKey(email) }).orFail();
  return userId;
}

const ways = [
  ["a grant", grant],
  ["an import", importRow],
] as const;

/** Events of users who list an address without having verified it as their primary one. */
const claims: [string, (email: string) => Record<string, unknown>][] = [
  ["is not verified", (email) => listing(email, { status: "unverified" })],
  ["was not verified in time", (email) => listing(email, { status: "expired" })],
  ["has no verification", (email) => listing(email, null)],
  ["comes without a word about verification", (email) => listing(email, undefined)],
  ["comes without an id", (email) => ({ email_addresses: [{ email_address: email }], primary_email_address_id: null })],
  ["is not the primary one", () => ({ primary_email_address_id: "idn_2" })],
  ["comes without a primary one", () => ({ primary_email_address_id: null })],
];
const listing = (email: string, verification: unknown) => ({
  email_addresses: [{ id: "idn_1", email_address: email, verification }],
});

test.each(claims)("an address that %s gets no seat, in none of the four paths", async (_, claim) => {
  const changed = await signUp(server, newEmail());
  // What is verified is read in one place: one claim goes all ways.
  for (const [way, give] of claim === claims[0]?.[1] ? ways : ways.slice(0, 1)) {
    const [course, email] = [await buildCourse(server), newEmail()];
    const listed = newId();
    expect(await deliverIdentity(server, userData(listed, email, claim(email)))).toBe(200);
    expect({ way, to: await give(course._id, email) }).toEqual({ way, to: null });
    // An existing account changes its address to the one that the seat waits for.
    const later = { updated_at: Date.now() + 1_000, ...claim(email) };
    expect(await deliverIdentity(server, userData(changed.id, email, later), "user.updated")).toBe(200);
    expect(await deliverIdentity(server, userData(newId(), email, claim(email)))).toBe(200);
    expect(await db.Grant.countDocuments({ email, state: "waiting" })).toBe(1);
    const owner = await signUp(server, email);
    expect(await activeCourses(server, owner)).toEqual([String(course._id)]);
  }
});

test.each(ways)("%s goes past who lists an address to the account that has verified it", async (_, give) => {
  const [course, email] = [await buildCourse(server), newEmail()];
  // On both sides in the order of ids.
  for (const [i, [, claim]] of claims.entries()) {
    const data = userData(`user_${i % 2 ? "0" : "z"}${randomUUID()}`, email, claim(email));
    expect(await deliverIdentity(server, data)).toBe(200);
  }
  const owner = await signUp(server, email.toUpperCase());
  expect(await give(course._id, email)).toBe(owner.id);
  expect(await activeCourses(server, owner)).toEqual([String(course._id)]);
});

test.each(ways)("%s reaches an international address in its other form", async (_, give) => {
  const [course, name] = [await buildCourse(server), randomUUID()];
  const owner = await signUp(server, `m\u00fcller-${name}@xn--bcher-kva.example`);
  expect(await give(course._id, `MU\u0308LLER-${name}@b\u00fccher.example`)).toBe(owner.id);
});

test.each([
  ...claims.slice(0, 1),
  ["was replaced by another", () => listing(newEmail(), { status: "verified" })] as const,
  ["was removed", () => ({ email_addresses: [], primary_email_address_id: null })] as const,
])("an address that %s since it was verified matches no longer", async (_, claim) => {
  for (const [, give] of ways) {
    const [course, email] = [await buildCourse(server), newEmail()];
    const former = await signUp(server, email);
    const later = userData(former.id, email, { updated_at: Date.now() + 1_000, ...claim(email) });
    expect(await deliverIdentity(server, later, "user.updated")).toBe(200);
    expect(await give(course._id, email)).toBeNull();
  }
});

test("the e-mail of a profile is the first address, whichever is verified", async () => {
  const [id, first, second] = [newId(), newEmail(), newEmail()];
  const email_addresses = [
    { id: "idn_1", email_address: first, verification: { status: "unverified" } },
    { id: "idn_2", email_address: second, verification: { status: "verified" } },
  ];
  const data = userData(id, first, { email_addresses, primary_email_address_id: "idn_2" });
  expect(await deliverIdentity(server, data)).toBe(200);
  const token = identityOf(server.emulators).issueToken(id);
  expect((await server.get("/api/user/data", token)).body.user.email).toBe(first);
  const course = await buildCourse(server);
  expect(await grant(course._id, first)).toBeNull();
  expect(await grant(course._id, second)).toBe(id);
});

test("a seat becomes active when the identity provider reports the verification", async () => {
  const [course, email, identity] = [await buildCourse(server), newEmail(), identityOf(server.emulators)];
  const { id } = await identity.createUser({ firstName: "Asha", email, emailVerified: false });
  await identity.settled();
  expect(await grant(course._id, email)).toBeNull();
  await identity.updateUser(id, { emailVerified: true });
  await identity.settled();
  expect(await db.Grant.findOne({ courseId: course._id }).lean()).toMatchObject({ state: "active", userId: id });
});

/** Courses of which only the number of students matters, and a grant of each to the address. */
async function manyGrants(email: string, count: number): Promise<void> {
  const { _id, slugs, ...fields } = await buildCourse(server);
  const ids = Array.from({ length: count }, () => new Types.ObjectId());
  await db.Course.insertMany(ids.map((id) => ({ ...fields, _id: id })));
  const fixed = { email, state: "waiting" as const, reason: "Imported list", grantedBy: admin.id };
  await db.Grant.insertMany(ids.map((courseId) => ({ ...fixed, courseId })));
}

const activateRest = (on = server) =>
  backgroundJobs(on.deps)
    .find(({ name }) => name === "activate-grants")
    ?.run(new AbortController().signal);

test("an identity event activates twenty of the seats that wait, the job the others, once", async () => {
  const email = newEmail();
  await manyGrants(email, 210);
  const active = () => db.Grant.countDocuments({ email, state: "active" });
  const learner = await signUp(server, email);
  expect(await active()).toBe(20);
  const other = await server.another();
  await Promise.all([activateRest(), activateRest(other), activateRest()]);
  expect(await active()).toBe(210);
  expect(await db.Enrollment.countDocuments({ userId: learner.id, active: true, grants: 1 })).toBe(210);
  expect(await db.AuditEntry.countDocuments({ "after.userId": learner.id, action: "enrollment.activate" })).toBe(210);
  expect(await activateRest()).toBeUndefined();
  await expectRecount(server);
});

test("seats that are left when the user loses the address go on waiting, for the next who verifies it", async () => {
  const email = newEmail();
  await manyGrants(email, 70);
  const former = await signUp(server, email);
  const moved = { updated_at: Date.now() + 1_000, ...listing(newEmail(), { status: "verified" }) };
  await deliverIdentity(server, userData(former.id, email, moved), "user.updated");
  await activateRest();
  expect(await db.Grant.countDocuments({ email, state: "waiting" })).toBe(50);
  expect(await activateRest()).toBeUndefined();
  const present = await signUp(server, email);
  await activateRest();
  expect(await db.Grant.countDocuments({ email, state: "active", userId: present.id })).toBe(50);
});

test("a late event of an account that has lost the address takes no seat of its owner", async () => {
  const email = newEmail();
  const [former, present] = [newId(), newId()];
  const now = Date.now();
  await deliverIdentity(server, userData(former, email, { updated_at: now }));
  const waiting = { email, state: "waiting", reason: "A prize", grantedBy: admin.id };
  await db.Grant.insertMany(Array.from({ length: 250 }, () => ({ ...waiting, courseId: new Types.ObjectId() })));
  await deliverIdentity(server, userData(present, email, { updated_at: now + 3_000 }));
  // The event that takes it from the former account is late.
  expect(await grant((await buildCourse(server))._id, email)).toBe(present);
  await deliverIdentity(server, userData(former, email, { updated_at: now + 1_000 }), "user.updated");
  expect(await db.Grant.countDocuments({ userId: former })).toBe(0);
  const course = await buildCourse(server);
  expect(await grant(course._id, email)).toBe(present);
});
