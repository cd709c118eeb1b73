import { Types } from "mongoose";
import { expect, test } from "vitest";
import { commandsDuring } from "../../assertions/commands.js";
import { expectRecount } from "../../assertions/recount.js";
import { refusal } from "../../assertions/refusal.js";
import { buildCourse } from "../../factories/courses.js";
import { deliverIdentity, signUp, userData } from "../../factories/identity-events.js";
import { activeCourses } from "../../factories/purchases.js";
import { buy, refund } from "../../factories/sales.js";
import { runJob } from "../../server/run-job.js";
import { type SignedIn, startTestServer } from "../../server/test-server.js";

const server = await startTestServer({ own: "recounts all rows" });
const admin = await server.signedIn("admin");
const { db } = server.deps;

let addresses = 0;
const newEmail = () => `learner${addresses++}@example.com`;
const inDays = (days: number) => new Date(Date.now() + days * 86_400_000).toISOString();

const give = (courseId: unknown, to: Record<string, unknown>) =>
  server.post("/api/admin/enrollments", { courseId: String(courseId), reason: "A prize", ...to }, admin.token);
const take = (id: string, token = admin.token) => server.delete(`/api/admin/enrollments/${id}`, token);
const students = async (courseId: unknown) =>
  (await db.Course.findById(courseId).orFail().lean()).totalEnrolledStudents;
const sweep = () => runJob(server, "end-expired-enrollments");

test("a granted learner is enrolled at once, counts as a student and is no sale", async () => {
  const learner = await server.signedIn();
  const course = await buildCourse(server);
  const expiresAt = `${inDays(1).slice(0, 10)}T23:59:59.999Z`;
  // A date without a time is the end of that day in UTC.
  const { status, body } = await give(course._id, { userId: learner.id, expiresAt: expiresAt.slice(0, 10) });
  expect({ status, body }).toEqual({
    status: 200,
    body: {
      success: true,
      enrollment: {
        ...{ _id: expect.stringMatching(/^[0-9a-f]{24}$/), kind: "grant", state: "active", userId: learner.id },
        ...{ email: null, courseId: String(course._id), reason: "A prize", expiresAt },
        createdAt: expect.stringMatching(/Z$/),
      },
    },
  });
  expect(await activeCourses(server, learner)).toEqual([String(course._id)]);
  const player = await server.get(`/api/user/enrolled-courses/${course._id}`, learner.token);
  expect(player.body.courseData.expiresAt).toBe(expiresAt);
  expect(await students(course._id)).toBe(1);
  expect(await db.Purchase.countDocuments({ userId: learner.id })).toBe(0);
  expect(await give(course._id, { userId: learner.id })).toMatchObject(refusal(409, "Already enrolled"));
  const audited = await db.AuditEntry.findOne({ targetId: body.enrollment._id }).lean();
  expect(audited).toMatchObject({ actorId: admin.id, action: "enrollment.grant", after: { userId: learner.id } });

  expect((await take(body.enrollment._id)).body).toEqual({ success: true });
  expect(await activeCourses(server, learner)).toEqual([]);
  expect(await take(body.enrollment._id)).toMatchObject(refusal(404, "Enrollment not found"));
  expect(await db.AuditEntry.countDocuments({ action: "enrollment.revoke", targetId: body.enrollment._id })).toBe(1);
  await expectRecount(server);
});

test.each([
  ["neither user nor e-mail", {}],
  ["both", { userId: "user_x", email: "a@example.com" }],
  ["no e-mail address", { email: "nonsense" }],
  ["no reason", { userId: "user_x", reason: " " }],
  ["too long a reason", { userId: "user_x", reason: "x".repeat(201) }],
  ["an end that is over", { userId: "user_x", expiresAt: inDays(-1) }],
  ["an end that is no time", { userId: "user_x", expiresAt: "soon" }],
])("a grant with %s is refused", async (_, to) => {
  const course = await buildCourse(server);
  expect(await give(course._id, to)).toMatchObject(refusal(400, "Invalid request data"));
});

test("a grant names a user and a course that exist", async () => {
  const course = await buildCourse(server);
  expect(await give(course._id, { userId: "user_nobody" })).toMatchObject(refusal(404, "User not found"));
  for (const courseId of ["665f1c2ab7e4d90012ab34cd", "nonsense"]) {
    expect(await give(courseId, { userId: admin.id })).toMatchObject(refusal(404, "Course not found"));
  }
});

test("an unknown e-mail address waits until a user has verified it as the primary one", async () => {
  const course = await buildCourse(server);
  const email = newEmail();
  const { body } = await give(course._id, { email: email.toUpperCase() });
  expect(body.enrollment).toMatchObject({ state: "waiting", userId: null, email, expiresAt: null });
  expect(await give(course._id, { email })).toMatchObject(refusal(409, "Already enrolled"));
  expect(await students(course._id)).toBe(0);

  const learner = await signUp(server, email.replace("l", "L"));
  expect(await activeCourses(server, learner)).toEqual([String(course._id)]);
  expect(await students(course._id)).toBe(1);
  const [listed] = (await server.get(`/api/admin/enrollments?userId=${learner.id}`, admin.token)).body.enrollments;
  expect(listed).toEqual({ ...body.enrollment, state: "active", userId: learner.id });
  await expectRecount(server);
});

test("a known e-mail address is enrolled at once", async () => {
  const [course, email] = [await buildCourse(server), newEmail()];
  const learner = await signUp(server, email);
  const { body } = await give(course._id, { email });
  expect(body.enrollment).toMatchObject({ state: "active", userId: learner.id, email });
  const earlier = await server.signedIn();
  const known = await db.User.findById(earlier.id).orFail().lean();
  expect((await give(course._id, { email: known.email })).body.enrollment).toMatchObject({ userId: earlier.id });
});

test("a waiting grant that is taken back, or is over, never becomes active, and is not in the way of a new one", async () => {
  const [one, two] = [await buildCourse(server), await buildCourse(server)];
  const email = newEmail();
  const taken = await give(one._id, { email });
  expect((await take(taken.body.enrollment._id)).status).toBe(200);
  const over = await give(two._id, { email, expiresAt: inDays(1) });
  await db.Grant.updateOne({ _id: over.body.enrollment._id }, { expiresAt: new Date(Date.now() - 1) });
  const learner = await signUp(server, email);
  expect(await activeCourses(server, learner)).toEqual([]);
  expect(await students(two._id)).toBe(0);
  expect(await db.Grant.findById(over.body.enrollment._id).lean()).toMatchObject({ state: "ended" });

  const again = newEmail();
  const old = await give(two._id, { email: again, expiresAt: inDays(1) });
  await db.Grant.updateOne({ _id: old.body.enrollment._id }, { expiresAt: new Date(Date.now() - 1) });
  expect(await give(two._id, { email: again })).toMatchObject({ body: { enrollment: { state: "waiting" } } });
  expect(await db.Grant.findById(old.body.enrollment._id).lean()).toMatchObject({ state: "ended" });
  expect(await give(two._id, { email: again })).toMatchObject(refusal(409, "Already enrolled"));
});

test("a sign-up and a grant for its e-mail address at the same moment end in one enrollment", async () => {
  const courses = await Promise.all(Array.from({ length: 6 }, () => buildCourse(server)));
  const instance = await server.another();
  const emails = courses.map(() => newEmail());
  await Promise.all(
    courses.map(async ({ _id }, i) => {
      const email = emails[i] ?? "";
      const signUpOn = (to: typeof server) => deliverIdentity(to, userData(`user_race${i}`, email));
      const grant = () => give(_id, { email });
      const [one, other, given] = await Promise.all([signUpOn(server), signUpOn(instance), grant()]);
      // What waited too long for its turn on a busy machine failed, and is sent again.
      if (one !== 200 && other !== 200) expect(await signUpOn(server)).toBe(200);
      if (given.status === 500) await grant();
    }),
  );
  for (const [i, { _id }] of courses.entries()) {
    const enrollment = await db.Enrollment.findOne({ userId: `user_race${i}`, courseId: _id }).lean();
    expect({ i, active: enrollment?.active, students: await students(_id) }).toEqual({ i, active: true, students: 1 });
  }
  await expectRecount(server);
});

test("a sign-up activates the grants of its address by as few commands as one grant, and ends those that are over", async () => {
  const ids: Types.ObjectId[] = [];
  for (let n = 0; n < 12; n += 1) ids.push((await buildCourse(server))._id);
  const commandsFor = async (courseIds: readonly Types.ObjectId[]) => {
    const [email, id] = [newEmail(), `user_${new Types.ObjectId()}`];
    const grant = { email, state: "waiting" as const, reason: "x", grantedBy: "user_admin" };
    const over = { ...grant, courseId: new Types.ObjectId(), expiresAt: new Date(Date.now() - 1) };
    await db.Grant.insertMany([...courseIds.map((courseId) => ({ ...grant, courseId })), over]);
    const commands = await commandsDuring(server, () => deliverIdentity(server, userData(id, email)));
    expect(await db.Grant.countDocuments({ email, state: "active", userId: id })).toBe(courseIds.length);
    expect(await db.Grant.countDocuments({ email, state: "ended" })).toBe(1);
    expect(await db.Enrollment.countDocuments({ userId: id, active: true, grants: 1 })).toBe(courseIds.length);
    return commands.length;
  };
  expect(await commandsFor(ids)).toBe(await commandsFor(ids.slice(0, 1)));
  await expectRecount(server);
});

const orders = [
  ["grant", "buy", "take", "refund", "grant", "take"],
  ["buy", "refund", "grant", "take"],
  ["grant", "take", "buy", "refund"],
  ["grant", "buy", "refund", "take", "buy", "refund"],
] as const;

test.each(orders)("enrolled while one of them holds: %s, %s, %s, %s, …", async (...order) => {
  const learner = await server.signedIn();
  const course = await buildCourse(server);
  const holds = { grant: "", sale: undefined as Awaited<ReturnType<typeof buy>> | undefined };
  for (const step of order) {
    if (step === "grant") holds.grant = (await give(course._id, { userId: learner.id })).body.enrollment._id;
    if (step === "buy") {
      holds.sale = await buy(server, learner, course._id);
      // Buying what one was granted is no duplicate.
      expect(await db.Purchase.findById(holds.sale.purchaseId)).toMatchObject({ reviewReason: null });
    }
    if (step === "take") {
      expect((await take(holds.grant)).status).toBe(200);
      holds.grant = "";
    }
    if (step === "refund" && holds.sale) {
      await refund(server, holds.sale);
      holds.sale = undefined;
    }
    const enrolled = holds.grant !== "" || holds.sale !== undefined;
    expect({ step, courses: await activeCourses(server, learner) }).toEqual({
      step,
      courses: enrolled ? [String(course._id)] : [],
    });
    expect(await students(course._id)).toBe(enrolled ? 1 : 0);
    const { revokedAt } = await db.Enrollment.findOne({ userId: learner.id }).orFail().lean();
    expect({ step, revoked: revokedAt !== null }).toEqual({ step, revoked: !enrolled });
  }
  await expectRecount(server);
});

test("a purchase, its refund and the end of a grant at the same moment agree on the enrollment", async () => {
  const instance = await server.another();
  const courses = await Promise.all(Array.from({ length: 6 }, () => buildCourse(server)));
  await Promise.all(
    courses.map(async ({ _id }, i) => {
      const learner = await server.signedIn();
      const grant = (await give(_id, { userId: learner.id })).body.enrollment._id;
      const sale = await buy(server, learner, _id);
      const end = () => instance.delete(`/api/admin/enrollments/${grant}`, admin.token);
      await Promise.all(i % 2 ? [end(), refund(server, sale)] : [refund(server, sale), end(), end()]);
      expect(await activeCourses(server, learner)).toEqual([]);
    }),
  );
  await expectRecount(server);
});

test("a bought enrollment is ended by a refund alone", async () => {
  const learner = await server.signedIn();
  const course = await buildCourse(server);
  await buy(server, learner, course._id);
  const { _id } = await db.Enrollment.findOne({ userId: learner.id }).orFail().lean();
  expect(await take(String(_id))).toMatchObject(refusal(409, "Refund the purchase instead"));
  expect(await take("665f1c2ab7e4d90012ab34cd")).toMatchObject(refusal(404, "Enrollment not found"));
});

test.each([
  ["after", true],
  ["before", false],
])("a grant ends by itself at its time, and %s the numbers followed can be given again", async (_, swept) => {
  const learner = await server.signedIn();
  const course = await buildCourse(server);
  const { body } = await give(course._id, { userId: learner.id, expiresAt: inDays(1) });
  const past = new Date(Date.now() - 1);
  await db.Enrollment.updateOne({ userId: learner.id }, { expiresAt: past });
  await db.Grant.updateOne({ _id: body.enrollment._id }, { expiresAt: past });
  expect(await activeCourses(server, learner)).toEqual([]);
  const list = await server.get(`/api/admin/enrollments?userId=${learner.id}`, admin.token);
  expect(list.body.enrollments).toEqual([]);
  expect(await take(body.enrollment._id)).toMatchObject(refusal(404, "Enrollment not found"));
  expect(await students(course._id)).toBe(1);
  if (swept) {
    expect(await sweep()).toBe("1 enrollments ended");
    expect(await students(course._id)).toBe(0);
  }
  expect((await give(course._id, { userId: learner.id })).status).toBe(200);
  expect(await students(course._id)).toBe(1);
  await expectRecount(server);
});

test("an educator grants in courses of their own alone", async () => {
  const [educator, other] = [await server.signedIn("educator"), await server.signedIn("educator")];
  const learner = await server.signedIn();
  const course = await buildCourse(server, { educatorId: educator.id });
  const path = `/api/educator/courses/${course._id}/enrollments`;
  const body = { userId: learner.id, reason: "A guest" };
  expect(await server.post(path, body, other.token)).toMatchObject(refusal(403, "Not authorized"));
  expect(await server.get(path, other.token)).toMatchObject(refusal(403, "Not authorized"));
  const nowhere = "/api/educator/courses/665f1c2ab7e4d90012ab34cd/enrollments";
  expect(await server.post(nowhere, body, educator.token)).toMatchObject(refusal(404, "Course not found"));
  const { enrollment } = (await server.post(path, body, educator.token)).body;
  expect((await server.get(path, educator.token)).body).toEqual({
    ...{ success: true, enrollments: [enrollment], nextCursor: null },
  });
  const students = (await server.get("/api/educator/enrolled-students", educator.token)).body.enrolledStudents;
  expect(students).toMatchObject([{ student: { _id: learner.id }, purchaseDate: expect.any(String) }]);
  const foreign = (await give((await buildCourse(server))._id, { userId: learner.id })).body.enrollment._id;
  expect(await server.delete(`${path}/${foreign}`, educator.token)).toMatchObject(refusal(404, "Enrollment not found"));
  expect(await server.delete(`${path}/${enrollment._id}`, other.token)).toMatchObject(refusal(403, "Not authorized"));
  expect((await server.delete(`${path}/${enrollment._id}`, educator.token)).body).toEqual({ success: true });
});

test("enrollments of every kind are listed newest first, filtered, a page at a time", async () => {
  const course = await buildCourse(server, { coursePrice: 0 });
  const paid = await buildCourse(server);
  const learners = await Promise.all(Array.from({ length: 3 }, () => server.signedIn()));
  const [anna, ben] = learners as [SignedIn, SignedIn, SignedIn];
  await buy(server, anna, course._id);
  await give(course._id, { userId: ben.id });
  await give(course._id, { email: newEmail() });
  await buy(server, anna, paid._id);
  const list = async (query: string) => (await server.get(`/api/admin/enrollments?${query}`, admin.token)).body;
  const shown = ({ enrollments }: { enrollments: { kind: string; state: string }[] }) =>
    enrollments.map(({ kind, state }) => `${kind} ${state}`);
  const of = `courseId=${course._id}`;
  expect(shown(await list(of))).toEqual(["grant waiting", "grant active", "free active"]);
  expect(shown(await list(`courseId=${paid._id}&kind=purchase`))).toEqual(["purchase active"]);
  expect(shown(await list(`${of}&kind=grant`))).toEqual(["grant waiting", "grant active"]);
  expect(shown(await list(`${of}&state=active`))).toEqual(["grant active", "free active"]);
  expect(shown(await list(`${of}&state=waiting`))).toEqual(["grant waiting"]);
  expect(shown(await list(`userId=${anna.id}`))).toEqual(["purchase active", "free active"]);
  for (const nothing of ["kind=gift", "state=ended", "courseId=nonsense", "userId=user_nobody"]) {
    expect(shown(await list(nothing))).toEqual([]);
  }
  const first = await list(`${of}&limit=2`);
  const second = await list(`${of}&limit=2&after=${first.nextCursor}`);
  expect([...shown(first), ...shown(second)]).toEqual(shown(await list(of)));
  expect(second.nextCursor).toBeNull();
});
