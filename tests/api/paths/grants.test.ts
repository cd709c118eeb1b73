import { Types } from "mongoose";
import { expect, test } from "vitest";
import type { Course } from "../../../src/models/courses/course.js";
import type { Path } from "../../../src/models/paths/path.js";
import { activateWaitingGrants } from "../../../src/services/grants/activate-grants.js";
import { openPurchase } from "../../../src/services/payments/open-purchase.js";
import { commandsDuring } from "../../assertions/commands.js";
import { differencesIn, expectRecount } from "../../assertions/recount.js";
import { refusal } from "../../assertions/refusal.js";
import { createKey } from "../../factories/api-keys.js";
import { buildCourse } from "../../factories/courses.js";
import { signUp } from "../../factories/identity-events.js";
import { buildPath } from "../../factories/paths.js";
import { activeCourses } from "../../factories/purchases.js";
import { buy } from "../../factories/sales.js";
import { finishErasure } from "../../privacy/learner-everywhere.js";
import { runJob } from "../../server/run-job.js";
import { type SignedIn, startTestServer } from "../../server/test-server.js";

const server = await startTestServer({ own: "recounts all rows" });
const [admin, educator] = [await server.signedIn("admin"), await server.signedIn("educator")];
const { db } = server.deps;

const inDays = (days: number) => new Date(Date.now() + days * 86_400_000).toISOString();
let addresses = 0;
const newEmail = () => `guest${addresses++}@example.com`;

/** A path of some new courses of the educator, which costs nothing. */
async function newPath(fields: Partial<Path> = {}, courses = 2): Promise<Path & { ids: string[] }> {
  const built: Course[] = [];
  for (let n = 0; n < courses; n += 1) built.push(await buildCourse(server, { educatorId: educator.id }));
  const row = await buildPath(server, {
    courseIds: built.map(({ _id }) => _id),
    educatorId: educator.id,
    price: 0,
    ...fields,
  });
  return { ...row, ids: row.courseIds.map(String) };
}

const pathOf = (id: unknown, role = "admin") => `/api/${role}/paths/${id}/enrollments`;
const give = (id: unknown, to: object, { token, role = "admin" }: { token: string; role?: string } = admin) =>
  server.post(pathOf(id, role), { reason: "A prize", ...to }, token);
const take = (id: unknown, grantId: unknown) => server.delete(`${pathOf(id)}/${grantId}`, admin.token);
const list = async (id: unknown, query = "") => (await server.get(pathOf(id) + query, admin.token)).body.enrollments;
const students = async ({ courseIds }: Path) =>
  (await db.Course.find({ _id: { $in: courseIds } }).lean()).map((course) => course.totalEnrolledStudents);
const learners = async ({ _id }: Path) => (await db.Path.findById(_id).orFail().lean()).learners;
const coursesOf = async (learner: SignedIn) => (await activeCourses(server, learner)).sort();

test("a granted path gives its courses at once, counts once in each, and ends as a whole", async () => {
  const [learner, path] = [await server.signedIn(), await newPath()];
  const expiresAt = inDays(9);
  const { status, body } = await give(path._id, { userId: learner.id, expiresAt });
  const enrollment = {
    ...{ _id: expect.stringMatching(/^[0-9a-f]{24}$/), kind: "grant", state: "active", userId: learner.id },
    ...{ email: null, courseId: null, pathId: String(path._id), reason: "A prize", expiresAt },
    createdAt: expect.stringMatching(/Z$/),
  };
  expect({ status, body }).toEqual({ status: 200, body: { success: true, enrollment } });
  const { _id } = body.enrollment;
  expect(await give(path._id, { userId: learner.id })).toMatchObject(refusal(409, "Already enrolled"));
  expect(await coursesOf(learner)).toEqual(path.ids);
  expect([await students(path), await learners(path)]).toEqual([[1, 1], 1]);
  const hold = await db.PathEnrollment.findOne({ userId: learner.id }).orFail().lean();
  expect(hold).toMatchObject({ active: true, kind: "grant", grants: 1, expiresAt: new Date(expiresAt) });
  const enrollments = await db.Enrollment.find({ userId: learner.id }).lean();
  expect(enrollments.map(({ viaPath, noticeDueAt }) => [viaPath, noticeDueAt !== undefined])).toEqual([
    [true, true],
    [true, true],
  ]);
  const activated = { type: "enrollment.activated" as const, userIds: learner.id };
  expect(await db.Event.countDocuments(activated)).toBe(2);
  const granted = await db.AuditEntry.find({ targetId: _id }).lean();
  expect(granted).toMatchObject([{ action: "enrollment.grant", after: { pathId: String(path._id) } }]);
  expect(granted[0]?.after).not.toHaveProperty("courseId");

  // The lists of courses show the parts, and end none alone.
  const inCourse = (await server.get(`/api/admin/enrollments?userId=${learner.id}`, admin.token)).body.enrollments;
  expect(inCourse).toMatchObject([{ kind: "grant" }, { kind: "grant" }]);
  expect(inCourse.map(({ courseId }: { courseId: string }) => courseId).sort()).toEqual(path.ids);
  const part = await server.delete(`/api/admin/enrollments/${inCourse[0]._id}`, admin.token);
  expect(part).toMatchObject(refusal(409, "End the grant of the path instead"));
  const whole = await server.delete(`/api/admin/enrollments/${_id}`, admin.token);
  expect(whole).toMatchObject(refusal(404, "Enrollment not found"));

  // Later edits of the path neither give nor take.
  await db.Path.updateOne({ _id: path._id }, { courseIds: [(await buildCourse(server))._id] });
  expect(await coursesOf(learner)).toEqual(path.ids);
  expect((await take(path._id, _id)).body).toEqual({ success: true });
  expect(await coursesOf(learner)).toEqual([]);
  expect([await students(path), await learners(path)]).toEqual([[0, 0], 0]);
  expect(await db.Event.countDocuments({ ...activated, type: "enrollment.ended" })).toBe(2);
  for (const id of [_id, "nonsense"]) {
    expect(await take(path._id, id)).toMatchObject(refusal(404, "Enrollment not found"));
  }
  await expectRecount(server);
});

test("bought, free and granted seats are listed, and a bought one is ended by a refund alone", async () => {
  const path = await newPath();
  const [buyer, guest, email] = [await server.signedIn(), await server.signedIn(), newEmail()];
  await openPurchase({ ...server.deps, currency: "INR" }, buyer.id, { pathId: String(path._id) });
  await give(path._id, { userId: guest.id });
  await give(path._id, { email });
  expect(await give(path._id, { email })).toMatchObject(refusal(409, "Already enrolled"));
  const [waiting, granted, bought] = await list(path._id);
  expect(waiting).toMatchObject({ kind: "grant", state: "waiting", email, userId: null });
  expect(granted).toMatchObject({ kind: "grant", state: "active", userId: guest.id });
  expect(bought).toMatchObject({ kind: "free", userId: buyer.id, courseId: null, pathId: String(path._id) });
  expect(await list(path._id, "?state=waiting&limit=1")).toEqual([waiting]);
  expect(await take(path._id, bought._id)).toMatchObject(refusal(409, "Refund the purchase instead"));
  const ofCourse = await db.Enrollment.findOne({ userId: buyer.id }).orFail().lean();
  const inCourse = await server.delete(`/api/admin/enrollments/${ofCourse._id}`, admin.token);
  expect(inCourse).toMatchObject(refusal(409, "Refund the purchase instead"));
  expect((await take(path._id, waiting._id)).status).toBe(200);
  expect(await list(path._id)).toEqual([granted, bought]);
});

test("a waiting grant takes the courses of the moment in which its address is verified", async () => {
  const email = newEmail();
  const [path, gone, lone] = [await newPath(), await newPath(), await buildCourse(server)];
  const { body } = await give(path._id, { email });
  expect(body.enrollment).toMatchObject({ state: "waiting", email });
  await give(gone._id, { email });
  const alone = { courseId: String(path.courseIds[0]), email, reason: "A prize" };
  expect((await server.post("/api/admin/enrollments", alone, admin.token)).status).toBe(200);
  await db.Path.updateOne({ _id: path._id }, { courseIds: [path.courseIds[0], lone._id], inOrder: false });
  await db.Path.deleteOne({ _id: gone._id });
  const learner = await signUp(server, email);
  expect(await coursesOf(learner)).toEqual([path.ids[0]]);
  await runJob(server, "activate-grants");
  expect(await coursesOf(learner)).toEqual([path.ids[0], String(lone._id)].sort());
  expect(await list(path._id)).toEqual([{ ...body.enrollment, state: "active", userId: learner.id }]);
  const grant = await db.Grant.findById(body.enrollment._id).lean();
  expect(grant).toMatchObject({ courses: [path.courseIds[0], lone._id], inOrder: false });
  expect(await db.Grant.findOne({ pathId: gone._id }).lean()).toMatchObject({ state: "ended" });
  const activation = { targetId: body.enrollment._id, action: "enrollment.activate" };
  expect(await db.AuditEntry.findOne(activation).lean()).toMatchObject({ after: { pathId: String(path._id) } });
  // The grant of the course alone stays.
  await take(path._id, body.enrollment._id);
  expect(await coursesOf(learner)).toEqual([path.ids[0]]);
  await expectRecount(server);
});

test("a sign-up leaves grants of paths to the job, which activates one in a transaction", async () => {
  const emails = [newEmail(), newEmail()];
  const paths: Path[] = [];
  for (let n = 0; n < 6; n += 1) paths.push(await newPath({}, 1));
  const signUpWith = async (email: string, given: readonly Path[]) => {
    for (const { _id } of given) await give(_id, { email });
    const alone = { courseId: String(paths[0]?.courseIds[0]), email, reason: "A prize" };
    await server.post("/api/admin/enrollments", alone, admin.token);
    let learner = await server.signedIn();
    const commands = await commandsDuring(server, async () => {
      learner = await signUp(server, email);
    });
    return { commands: commands.length, active: { userId: learner.id, active: true } };
  };
  const [few, many] = [await signUpWith(emails[0] ?? "", paths.slice(0, 1)), await signUpWith(emails[1] ?? "", paths)];
  expect(many.commands).toBe(few.commands);
  const held = async () => [
    await db.Enrollment.countDocuments(many.active),
    await db.PathEnrollment.countDocuments(many.active),
  ];
  expect(await held()).toEqual([1, 0]);
  await activateWaitingGrants(db, emails[1] ?? "");
  expect(await held()).toEqual([1, 1]);
  await runJob(server, "activate-grants");
  expect(await held()).toEqual([6, 6]);
  await expectRecount(server);
});

test("grants, purchases and ends of a path at the same moment agree on courses and learners", async () => {
  const instance = await server.another();
  const path = await newPath();
  const both = [server, instance];
  for (let n = 0; n < 4; n += 1) {
    const learner = await server.signedIn();
    const grant = (on: typeof server) => on.post(pathOf(path._id), { userId: learner.id, reason: "x" }, admin.token);
    const given = await Promise.all(both.map(grant));
    expect(given.map(({ status }) => status).sort()).toEqual([200, 409]);
    const { _id } = given.find(({ status }) => status === 200)?.body.enrollment ?? {};
    const end = (on: typeof server) => on.delete(`${pathOf(path._id)}/${_id}`, admin.token);
    const ends = await Promise.all([end(server), end(instance), buy(server, learner, path.ids[0] ?? "")]);
    expect(
      ends
        .slice(0, 2)
        .map((answer) => "status" in answer && answer.status)
        .sort(),
    ).toEqual([200, 404]);
    expect(await coursesOf(learner)).toEqual([path.ids[0]]);
    const again = await Promise.all([grant(server), end(instance)]);
    expect(again.map(({ status }) => status)).toEqual([200, 404]);
    expect(await coursesOf(learner)).toEqual(path.ids);
  }
  expect([await students(path), await learners(path)]).toEqual([[4, 4], 4]);
  expect(await differencesIn(db, ["Path", "PathEnrollment"])).toEqual([]);
  await expectRecount(server);
});

test("a grant of a path ends at its time", async () => {
  const [learner, path] = [await server.signedIn(), await newPath()];
  await give(path._id, { userId: learner.id, expiresAt: inDays(1) });
  const past = { expiresAt: new Date(Date.now() - 1) };
  const own = { userId: learner.id };
  for (const rows of [db.Enrollment, db.PathEnrollment, db.Grant] as const) {
    await rows.collection.updateMany(own, { $set: past });
  }
  expect(await list(path._id)).toEqual([]);
  await runJob(server, "end-expired-enrollments");
  expect([await students(path), await learners(path)]).toEqual([[0, 0], 0]);
  expect(await db.Grant.countDocuments({ ...own, state: "ended" })).toBe(3);
  expect((await give(path._id, { userId: learner.id })).status).toBe(200);
  await expectRecount(server);
});

test("educators grant own paths, and a key for some courses sees a path whose courses are all among them", async () => {
  const [other, learner, path] = [await server.signedIn("educator"), await server.signedIn(), await newPath()];
  const as = ({ token }: { token: string }, role = "educator") => ({ token, role });
  const to = { userId: learner.id };
  expect(await give(path._id, to, as(other))).toMatchObject(refusal(403, "Not authorized"));
  expect(await give(path._id, to, as(learner))).toMatchObject(refusal(403, "Unauthorized Access"));
  for (const id of [new Types.ObjectId(), "nonsense"]) {
    expect(await give(id, to)).toMatchObject(refusal(404, "Path not found"));
    expect(await server.get(pathOf(id), admin.token)).toMatchObject(refusal(404, "Path not found"));
    expect(await take(id, new Types.ObjectId())).toMatchObject(refusal(404, "Path not found"));
  }
  expect(await give(path._id, { userId: "user_nobody" })).toMatchObject(refusal(404, "User not found"));
  for (const bad of [{}, { ...to, email: newEmail() }, { ...to, expiresAt: inDays(-1) }, { ...to, reason: " " }]) {
    expect(await give(path._id, bad)).toMatchObject(refusal(400, "Invalid request data"));
  }
  const scopes = ["enrollments:write"];
  const keyOf = async (courseIds: string[]) => ({
    token: (await createKey(server, educator, "educator", { scopes, courseIds })).secret,
  });
  const [some, all] = [await keyOf(path.ids.slice(0, 1)), await keyOf(path.ids)];
  expect(await give(path._id, to, as(some))).toMatchObject(refusal(403, "Not authorized"));
  const { enrollment } = (await give(path._id, to, as(all))).body;
  expect((await server.get(pathOf(path._id, "educator"), all.token)).body.enrollments).toEqual([enrollment]);
  const end = await server.delete(`${pathOf(path._id, "educator")}/${enrollment._id}`, all.token);
  expect(end.body).toEqual({ success: true });
});

test("the export shows what a learner holds, and an erasure takes the learner out of path and courses", async () => {
  const [path, bought, learner] = [await newPath(), await newPath(), await server.signedIn()];
  await give(path._id, { userId: learner.id });
  await openPurchase({ ...server.deps, currency: "INR" }, learner.id, { pathId: String(bought._id) });
  const exported = (await server.get("/api/user/export", learner.token)).body.export;
  expect(exported.paths.map(({ pathId }: { pathId: string }) => pathId)).toEqual([
    String(path._id),
    String(bought._id),
  ]);
  expect(exported.grants).toContainEqual(expect.objectContaining({ pathId: String(path._id), courseId: null }));
  const courses = bought.ids.map((courseId) => ({ courseId, accessDays: null }));
  expect(exported.purchases).toMatchObject([{ pathId: String(bought._id), courseId: null, terms: { courses } }]);

  await server.call("DELETE", "/api/user/data", { token: learner.token, body: { confirm: learner.id } });
  await finishErasure(server, learner.id);
  for (const one of [path, bought]) {
    const hold = await db.PathEnrollment.findOne({ pathId: one._id }).orFail().lean();
    expect(hold).toMatchObject({ userId: expect.stringMatching(/^deleted_/), active: false, grants: 0 });
    expect([await students(one), await learners(one)]).toEqual([[0, 0], 0]);
  }
  const ofPath = await db.Grant.findOne({ pathId: path._id }).orFail().lean();
  expect(ofPath).toMatchObject({ userId: expect.stringMatching(/^deleted_/), state: "ended", reason: "" });
  // Nothing tells which pseudonyms are one user's.
  expect(await db.Grant.countDocuments({ pathGrantId: ofPath._id })).toBe(0);
  expect(await differencesIn(db, ["Path", "PathEnrollment"])).toEqual([]);
  await expectRecount(server);
});
