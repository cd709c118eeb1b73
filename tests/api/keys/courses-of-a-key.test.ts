import { Types } from "mongoose";
import { beforeAll, expect, test } from "vitest";
import { recordEvent } from "../../../src/services/events/record-event.js";
import { refusal } from "../../assertions/refusal.js";
import { createKey } from "../../factories/api-keys.js";
import { buildCourse, enroll } from "../../factories/courses.js";
import { csvForm } from "../../factories/csv-form.js";
import { buildPath } from "../../factories/paths.js";
import { buy } from "../../factories/sales.js";
import { runJob } from "../../server/run-job.js";
import { startTestServer } from "../../server/test-server.js";

/** Keys of an educator and of an administrator that see one of the educator's two courses. */
const server = await startTestServer({ own: "lists all rows" });
const { db } = server.deps;
const [admin, educator] = [await server.signedIn("admin"), await server.signedIn("educator")];
const course = async () => String((await buildCourse(server, { educatorId: educator.id, coursePrice: 100 }))._id);
const [inside, outside] = [await course(), await course()];
const learners = { inside: await server.signedIn(), outside: await server.signedIn(), both: await server.signedIn() };
const scopes = ["courses:read", "learners:write", "enrollments:write", "coupons:write", "webhooks:write"];
const keys = {
  educator: await createKey(server, educator, "educator", { scopes, courseIds: [inside] }),
  admin: await createKey(server, admin, "admin", { scopes: [...scopes, "purchases:read"], courseIds: [inside] }),
};
const secrets = { educator: keys.educator.secret, admin: keys.admin.secret };
const courseNotFound = refusal(404, "Course not found");
const notAuthorized = refusal(403, "Not authorized");
/** Each role, the owner of its key, and how requests about another course, and coupons for another path, are refused. */
const roles = [
  ["educator", educator, notAuthorized, refusal(403, "Unauthorized Access")],
  ["admin", admin, courseNotFound, refusal(404, "Path not found")],
] as const;
let sold: { inside: string; outside: string };

beforeAll(async () => {
  for (const [name, courseId] of Object.entries({ inside, outside })) {
    for (const { id } of [learners[name as keyof typeof sold], learners.both])
      await enroll(server, id, courseId as never);
  }
  const bought = async (courseId: string) =>
    (await buy(server, await server.signedIn(), courseId as never)).purchaseId as string;
  sold = { inside: await bought(inside), outside: await bought(outside) };
});

const get = async (path: string, token: string) => {
  const { status, body } = await server.get(path, token);
  expect({ path, status, body }).toMatchObject({ path, status: 200 });
  return body;
};
const idsOf = (rows: { _id: string }[]) => rows.map(({ _id }) => _id);

test("the lists of courses", async () => {
  for (const query of ["", "?limit=10"]) {
    expect(idsOf((await get(`/api/educator/courses${query}`, secrets.educator)).courses)).toEqual([inside]);
    expect(idsOf((await get(`/api/admin/courses${query}`, secrets.admin)).courses)).toEqual([inside]);
  }
  expect((await get("/api/educator/courses", educator.token)).courses).toHaveLength(2);
});

test("the learners of a course", async () => {
  for (const [role, , refused] of roles) {
    const base = `/api/${role}/courses`;
    for (const path of ["learners", `learners/${learners.both.id}`, "funnel", "gradebook.csv"]) {
      await get(`${base}/${inside}/${path}`, secrets[role]);
      expect([path, await server.get(`${base}/${outside}/${path}`, secrets[role])]).toMatchObject([path, refused]);
    }
    const reset = (id: string) =>
      server.post(`${base}/${id}/learners/${learners.both.id}/reset`, { reason: "Again" }, secrets[role]);
    expect(await reset(outside)).toMatchObject(refused);
    expect(await reset(inside)).toMatchObject({ status: 200 });
    const entry = await db.AuditEntry.findOne({ action: "progress.reset" }).sort({ _id: -1 }).lean();
    expect(entry).toMatchObject({ by: { kind: "key", id: keys[role].apiKey._id } });
    expect(await server.get(`${base}/665f1c2ab7e4d90012ab34cd/funnel`, secrets[role])).toMatchObject(courseNotFound);
  }
});

test("the students of the educator", async () => {
  const { enrolledStudents } = await get("/api/educator/enrolled-students", secrets.educator);
  const enrolled = await db.Enrollment.find({ courseId: inside, active: true }).lean();
  const students = enrolledStudents.map(({ student }: { student: { _id: string } }) => student._id);
  expect(students.sort()).toEqual(enrolled.map(({ userId }) => userId).sort());
  const all = (await get("/api/educator/enrolled-students", educator.token)).enrolledStudents;
  expect(all.length).toBe(2 * enrolledStudents.length);
});

test("the users enrolled in the courses, by pages and as a whole", async () => {
  const { users } = await get("/api/admin/users", secrets.admin);
  const enrolled = await db.Enrollment.find({ courseId: inside, active: true }).lean();
  expect(idsOf(users)).toEqual(enrolled.map(({ userId }) => userId).sort());
  expect(users.find(({ _id }: { _id: string }) => _id === learners.both.id)).toMatchObject({ enrolledCount: 1 });
  const paged = async (secret: string) => {
    const ids: string[] = [];
    for (let after = ""; after !== null; ) {
      const page = await get(`/api/admin/users?limit=1${after}`, secret);
      ids.push(...idsOf(page.users));
      after = page.nextCursor && `&after=${page.nextCursor}`;
    }
    return ids;
  };
  expect(await paged(secrets.admin)).toEqual(idsOf(users));
  const wide = await createKey(server, admin, "admin", { scopes: ["learners:read"], courseIds: [inside, outside] });
  const everyone = await db.Enrollment.distinct("userId", { courseId: { $in: [inside, outside] }, active: true });
  expect(await paged(wide.secret)).toEqual([...everyone].sort());
});

test("purchases and invoices", async () => {
  for (const query of ["", "?status=completed", "?limit=5"])
    expect(idsOf((await get(`/api/admin/purchases${query}`, secrets.admin)).purchases)).toEqual([sold.inside]);
  expect(await server.get(`/api/admin/purchases/${sold.inside}/invoice`, secrets.admin)).toMatchObject({ status: 200 });
  expect(await server.get(`/api/admin/purchases/${sold.outside}/invoice`, secrets.admin)).toMatchObject(
    refusal(404, "Invoice not found"),
  );
});

test("purchases of paths, all of whose courses the key sees", async () => {
  const sell = async (courseIds: string[]) => {
    const ids = courseIds.map((courseId) => new Types.ObjectId(courseId));
    const path = await buildPath(server, { educatorId: educator.id, courseIds: ids });
    const pathId = String(path._id);
    const buyer = await server.signedIn();
    const { purchaseId, orderId } = (await server.post("/api/user/purchase", { pathId }, buyer.token)).body;
    await server.emulators.razorpay?.pay(orderId);
    await server.emulators.razorpay?.settled();
    return purchaseId as string;
  };
  const [near, far] = [await sell([inside]), await sell([inside, outside])];
  const seen = idsOf((await get("/api/admin/purchases", secrets.admin)).purchases);
  expect([near, far].map((id) => seen.includes(id))).toEqual([true, false]);
  const invoiceOf = async (id: string) =>
    (await server.get(`/api/admin/purchases/${id}/invoice`, secrets.admin)).status;
  expect([await invoiceOf(near), await invoiceOf(far)]).toEqual([200, 404]);
});

test("granted enrollments", async () => {
  const grant = (token: string, courseId: string, role: string) => {
    const body = { email: `${Math.random()}@quill.example`, reason: "Guest" };
    return role === "admin"
      ? server.post("/api/admin/enrollments", { ...body, courseId }, token)
      : server.post(`/api/educator/courses/${courseId}/enrollments`, body, token);
  };
  for (const [role, owner, refused] of roles) {
    const made = (await grant(secrets[role], inside, role)).body.enrollment;
    const foreign = (await grant(owner.token, outside, role)).body.enrollment;
    expect(await grant(secrets[role], outside, role)).toMatchObject(refused);
    const entry = await db.AuditEntry.findOne({ targetId: made._id }).lean();
    expect(entry).toMatchObject({ actorId: owner.id, by: { kind: "key", id: keys[role].apiKey._id } });
    const own = await db.AuditEntry.findOne({ targetId: foreign._id }).lean();
    expect(own).not.toHaveProperty("by");
    const base = role === "admin" ? "/api/admin/enrollments" : `/api/educator/courses/${inside}/enrollments`;
    const listed = (await get(base, secrets[role])).enrollments;
    expect(new Set(listed.map((row: { courseId: string }) => row.courseId))).toEqual(new Set([inside]));
    expect(await server.delete(`${base}/${foreign._id}`, secrets[role])).toMatchObject(
      refusal(404, "Enrollment not found"),
    );
    expect(await server.delete(`${base}/${made._id}`, secrets[role])).toMatchObject({ status: 200 });
  }
  const listed = await get(`/api/admin/enrollments?courseId=${outside}`, secrets.admin);
  expect(listed.enrollments).toEqual([]);
  for (const method of ["GET", "POST"])
    expect(
      await server.call(method, `/api/educator/courses/${outside}/enrollments`, {
        token: secrets.educator,
        ...(method === "POST" && { body: { email: "a@b.example", reason: "x" } }),
      }),
    ).toMatchObject(notAuthorized);
  const { entries } = await get("/api/admin/audit", admin.token);
  expect(entries.some(({ by }: { by?: object }) => by !== undefined)).toBe(true);
});

test("imports", async () => {
  const send = (token: string, table: string, path = "/api/admin/enrollments/import") =>
    server.post(path, csvForm(table), token);
  const table = `email,courseId,expiresAt\nin@quill.example,${inside},\nout@quill.example,${outside},`;
  const { importId } = (await send(secrets.admin, table)).body;
  const foreign = (await send(admin.token, table)).body.importId;
  const path = `/api/educator/courses/${outside}/enrollments/import`;
  expect(await send(secrets.educator, "email,expiresAt\na@quill.example,", path)).toMatchObject(notAuthorized);
  const into = path.replace(outside, inside);
  const ofEducator = (await send(secrets.educator, "email,expiresAt\nb@quill.example,", into)).body.importId;
  await runJob(server, "import-enrollments");
  const shown = await get(`/api/admin/enrollments/imports/${importId}`, secrets.admin);
  expect(shown.import).toMatchObject({ total: 2, waiting: 1, failed: 1, state: "done" });
  const result = await get(`/api/admin/enrollments/imports/${importId}/result.csv`, secrets.admin);
  expect(result).toContain("Course not found");
  const granted = await db.AuditEntry.findOne({ "after.importId": importId }).lean();
  expect(granted).toMatchObject({ by: { kind: "key", id: keys.admin.apiKey._id }, after: { courseId: inside } });
  await get(`/api/admin/enrollments/imports/${ofEducator}`, secrets.admin);
  await get(`/api/educator/courses/${inside}/enrollments/imports/${ofEducator}`, secrets.educator);
  for (const suffix of ["", "/result.csv"])
    expect(await server.get(`/api/admin/enrollments/imports/${foreign}${suffix}`, secrets.admin)).toMatchObject(
      refusal(404, "Import not found"),
    );
});

test("the keys of an educator share the educator's limit of conflicts between coupons", async () => {
  const owner = await server.signedIn("educator");
  const courseIds = [String((await buildCourse(server, { educatorId: owner.id }))._id)];
  const create = (token: string, code: string) =>
    server.post("/api/educator/coupons", { kind: "percent", value: 10, courseIds, code }, token);
  expect(await create(owner.token, "TAKEN-CODE")).toMatchObject({ status: 200 });
  for (let n = 0; n < 10; n += 1) {
    const { secret } = await createKey(server, owner, "educator", { scopes: ["coupons:write"] });
    expect(await create(secret, "TAKEN-CODE")).toMatchObject({ status: 409 });
  }
  const { secret } = await createKey(server, owner, "educator", { scopes: ["coupons:write"] });
  for (const token of [secret, owner.token]) expect(await create(token, "NEW-CODE")).toMatchObject({ status: 429 });
});

test("coupons", async () => {
  const terms = { kind: "percent", value: 10 };
  const make = (owner: { token: string }, role: string, more: object) =>
    server.post(`/api/${role}/coupons`, { ...terms, ...more }, owner.token);
  const everywhere = (await make(admin, "admin", {})).body.coupon;
  for (const [role, owner] of roles) {
    const refused = role === "admin" ? courseNotFound : refusal(403, "Unauthorized Access");
    const key = { token: secrets[role] };
    const seen = (await make(key, role, { courseIds: [inside] })).body.coupon;
    const foreign = (await make(owner, role, { courseIds: [outside] })).body.coupon;
    const mixed = (await make(owner, role, { courseIds: [inside, outside] })).body.coupon;
    for (const courseIds of [[outside], [inside, outside]])
      expect(await make(key, role, { courseIds })).toMatchObject(refused);
    const { coupons } = await get(`/api/${role}/coupons`, secrets[role]);
    expect(idsOf(coupons)).toContain(seen._id);
    expect(coupons.every(({ courseIds }: { courseIds: string[] }) => `${courseIds}` === inside)).toBe(true);
    for (const { _id } of [foreign, mixed, everywhere])
      expect(await server.patch(`/api/${role}/coupons/${_id}`, { active: false }, secrets[role])).toMatchObject(
        refusal(404, "Coupon not found"),
      );
    const path = `/api/${role}/coupons/${seen._id}`;
    expect(await server.patch(path, { active: false }, secrets[role])).toMatchObject({ status: 200 });
    const entries = await db.AuditEntry.find({ targetId: seen._id }).lean();
    expect(entries.map(({ by }) => by?.id)).toEqual([keys[role].apiKey._id, keys[role].apiKey._id]);
  }
  expect(await make({ token: secrets.admin }, "admin", {})).toMatchObject(courseNotFound);
});

test("coupons for paths", async () => {
  const educatorId = educator.id;
  const near = await buildPath(server, { educatorId, courseIds: [new Types.ObjectId(inside)] });
  const far = await buildPath(server, {
    educatorId,
    courseIds: [inside, outside].map((one) => new Types.ObjectId(one)),
  });
  const make = ({ token }: { token: string }, role: string, more: object) =>
    server.post(`/api/${role}/coupons`, { kind: "percent", value: 10, ...more }, token);
  const [nearIds, farIds] = [[String(near._id)], [String(far._id)]];
  for (const [role, owner, , pathRefused] of roles) {
    const key = { token: secrets[role] };
    const seen = (await make(key, role, { pathIds: nearIds })).body.coupon;
    const mixed = (await make(owner, role, { courseIds: [inside], pathIds: farIds })).body.coupon;
    const foreign = (await make(owner, role, { pathIds: farIds })).body.coupon;
    expect(await make(key, role, { pathIds: farIds })).toMatchObject(pathRefused);
    const ids = idsOf((await get(`/api/${role}/coupons`, secrets[role])).coupons);
    expect([seen, mixed, foreign].map(({ _id }) => ids.includes(_id))).toEqual([true, false, false]);
  }
});

test("webhooks", async () => {
  const fields = { url: "https://hooks.example/in", types: ["*"] };
  const notFound = refusal(404, "Webhook not found");
  const made: string[] = [];
  for (const [role, owner] of roles) {
    const base = `/api/${role}/webhooks`;
    const ofOwner = (await server.post(base, fields, owner.token)).body.webhook._id;
    const ofKey = (await server.post(base, fields, secrets[role])).body.webhook._id;
    made.push(ofKey);
    const listed = idsOf((await get(base, secrets[role])).webhooks);
    expect([listed.includes(ofKey), listed.includes(ofOwner)]).toEqual([true, false]);
    expect(await server.patch(`${base}/${ofOwner}`, { active: false }, secrets[role])).toMatchObject(notFound);
    expect(await server.get(`${base}/${ofOwner}/deliveries`, secrets[role])).toMatchObject(notFound);
    expect(await server.delete(`${base}/${ofOwner}`, secrets[role])).toMatchObject(notFound);
    const entry = await db.AuditEntry.findOne({ targetId: ofKey }).lean();
    expect(entry).toMatchObject({ action: "webhook.create", by: { kind: "key", id: keys[role].apiKey._id } });
  }
  const deliveredTo = async (_id: string) =>
    (await db.WebhookDelivery.find({ webhookId: _id }).lean()).map(({ eventId }) => String(eventId));
  const idsOfPath = { near: [inside], far: [inside, outside] };
  const paths = await Promise.all(
    Object.values(idsOfPath).map((ids) =>
      buildPath(server, { educatorId: educator.id, courseIds: ids.map((one) => new Types.ObjectId(one)) }),
    ),
  );
  const [near, far] = paths.map(({ _id }) => String(_id)) as [string, string];
  const record = (data: { courseId: string } | { pathId: string }) =>
    db.transaction((session) =>
      "courseId" in data
        ? recordEvent(db, session, "course.changed", { ...data, version: 9 })
        : recordEvent(db, session, "path.changed", { ...data, version: 9 }),
    );
  for (const courseId of [outside, inside]) await record({ courseId });
  for (const pathId of [far, near]) await record({ pathId });
  await db.transaction((session) => recordEvent(db, session, "user.created", { userId: educator.id }));
  const { events } = await get("/api/admin/events", admin.token);
  const wanted = events.filter(
    ({ data }: { data: { version?: number; courseId?: string; pathId?: string } }) =>
      data.version === 9 && (data.courseId === inside || data.pathId === near),
  );
  expect(wanted).toHaveLength(2);
  for (const _id of made) expect((await deliveredTo(_id)).sort()).toEqual(idsOf(wanted).sort());
  // The lists of keys show the events of paths whose courses the key all sees.
  for (const [role, owner] of roles) {
    const { secret } = await createKey(server, owner, role, { scopes: ["events:read"], courseIds: [inside] });
    const ofPaths = (await get(`/api/${role}/events?type=path.changed`, secret)).events;
    expect(ofPaths.map(({ data }: { data: { pathId: string } }) => data.pathId)).toEqual([near]);
  }
});
