import { expect, test } from "vitest";
import { refusal } from "../../assertions/refusal.js";
import { createKey } from "../../factories/api-keys.js";
import { buildCourse } from "../../factories/courses.js";
import { deliverIdentity, signUp, userData } from "../../factories/identity-events.js";
import { startTestServer } from "../../server/test-server.js";

const server = await startTestServer();
const invalid = refusal(400, "Invalid request data");
const notFound = refusal(404, "API key not found");
const tomorrow = () => new Date(Date.now() + 86_400_000).toISOString();

async function educatorWithCourse() {
  const educator = await server.signedIn("educator");
  const course = await buildCourse(server, { educatorId: educator.id });
  return { educator, courseId: String(course._id) };
}

test("a new key shows its secret once, and only a hash of it is stored", async () => {
  const { educator, courseId } = await educatorWithCourse();
  const expiresAt = tomorrow();
  const body = { name: "  CRM ", scopes: ["courses:read", "courses:read"], courseIds: [courseId], expiresAt };
  const { apiKey, secret } = await createKey(server, educator, "educator", body);
  expect(apiKey).toEqual({
    ...{ _id: expect.stringMatching(/^[0-9a-f]{24}$/), name: "CRM", prefix: secret.slice(0, 25) },
    ...{ scopes: ["courses:read"], courseIds: [courseId], createdBy: educator.id, expiresAt },
    ...{ createdAt: expect.any(String), lastUsedAt: null, revokedAt: null },
  });
  expect(secret).toMatch(/^lyc_test_[A-Za-z0-9]{16}_[A-Za-z0-9_-]{43}$/);
  const listed = await server.get("/api/educator/api-keys", educator.token);
  expect(listed.body).toEqual({ success: true, apiKeys: [apiKey], nextCursor: null });
  const stored = JSON.stringify(await server.deps.db.ApiKey.find().lean());
  expect(stored).not.toContain(secret);
  expect(JSON.stringify(await server.deps.db.AuditEntry.find().lean())).not.toContain(secret.slice(26));
});

test("a key without `courseIds` and `expiresAt` sees every course and never expires; given courses keep their order", async () => {
  const admin = await server.signedIn("admin");
  const { apiKey } = await createKey(server, admin, "admin", { scopes: ["purchases:read"] });
  expect(apiKey).toMatchObject({ courseIds: null, expiresAt: null, scopes: ["purchases:read"] });
  const courses = [await buildCourse(server), await buildCourse(server)];
  const courseIds = courses.map(({ _id }) => String(_id)).reverse();
  expect((await createKey(server, admin, "admin", { courseIds })).apiKey).toMatchObject({ courseIds });
});

test("unusable fields are refused", async () => {
  const { educator, courseId } = await educatorWithCourse();
  const foreign = String((await buildCourse(server))._id);
  const good = { name: "x", scopes: ["courses:read"] };
  const wrong = [
    ...[{}, { name: "" }, { name: "x".repeat(81) }, { scopes: [] }, { scopes: ["everything"] }, { scopes: "x" }],
    ...[
      { scopes: ["purchases:read"] },
      { courseIds: [] },
      { courseIds: [foreign] },
      { courseIds: [courseId, foreign] },
    ],
    ...[{ courseIds: ["x"] }, { courseIds: Array(101).fill(courseId) }, { expiresAt: "2020-01-01T00:00:00Z" }],
    ...[{ expiresAt: "tomorrow" }],
  ].map((fields) => (Object.keys(fields).length === 0 ? {} : { ...good, ...fields }));
  for (const body of wrong) {
    const answer = await server.post("/api/educator/api-keys", body, educator.token);
    expect([body, answer]).toMatchObject([body, invalid]);
  }
  const { apiKey } = await createKey(server, educator, "educator");
  const path = `/api/educator/api-keys/${apiKey._id}`;
  for (const body of [{ scopes: ["purchases:read"] }, { courseIds: [foreign] }, { expiresAt: "2020-01-01T00:00:00Z" }])
    expect(await server.patch(path, body, educator.token)).toMatchObject(invalid);
  for (const overlapHours of [-1, 25, 1.5, "1"])
    expect(await server.post(`${path}/rotate`, { overlapHours }, educator.token)).toMatchObject(invalid);
  const admin = await server.signedIn("admin");
  const nowhere = { ...good, courseIds: ["665f1c2ab7e4d90012ab34cd"] };
  expect(await server.post("/api/admin/api-keys", nowhere, admin.token)).toMatchObject(invalid);
});

test("a change replaces the fields that are sent, and null takes limits away", async () => {
  const { educator, courseId } = await educatorWithCourse();
  const made = await createKey(server, educator, "educator", { courseIds: [courseId], expiresAt: tomorrow() });
  const path = `/api/educator/api-keys/${made.apiKey._id}`;
  const renamed = await server.patch(path, { name: "HR", scopes: ["events:read"] }, educator.token);
  expect(renamed.body).toEqual({ success: true, apiKey: { ...made.apiKey, name: "HR", scopes: ["events:read"] } });
  const opened = await server.patch(path, { courseIds: null, expiresAt: null }, educator.token);
  expect(opened.body.apiKey).toEqual({ ...renamed.body.apiKey, courseIds: null, expiresAt: null });
  expect((await server.patch(path, {}, educator.token)).body).toEqual(opened.body);
});

test("a key is revoked for good, and the revocation can be repeated", async () => {
  const { educator } = await educatorWithCourse();
  const { apiKey } = await createKey(server, educator, "educator");
  const path = `/api/educator/api-keys/${apiKey._id}`;
  for (let n = 0; n < 2; n += 1) expect((await server.delete(path, educator.token)).body).toEqual({ success: true });
  const { body } = await server.get("/api/educator/api-keys", educator.token);
  expect(body.apiKeys).toMatchObject([{ _id: apiKey._id, revokedAt: expect.any(String) }]);
  expect(await server.patch(path, { name: "x" }, educator.token)).toMatchObject(notFound);
  expect(await server.post(`${path}/rotate`, {}, educator.token)).toMatchObject(notFound);
  expect(await server.deps.db.AuditEntry.countDocuments({ targetId: apiKey._id, action: "api_key.revoke" })).toBe(1);
});

test("educators manage their own keys; administrators list, rotate and end every key, and change their own", async () => {
  const { educator } = await educatorWithCourse();
  const [other, admin] = [await server.signedIn("educator"), await server.signedIn("admin")];
  const { apiKey, secret } = await createKey(server, educator, "educator");
  const path = `/api/educator/api-keys/${apiKey._id}`;
  expect(await server.patch(path, { name: "x" }, other.token)).toMatchObject(notFound);
  expect(await server.post(`${path}/rotate`, {}, other.token)).toMatchObject(notFound);
  expect(await server.delete(path, other.token)).toMatchObject(notFound);
  expect((await server.get("/api/educator/api-keys", other.token)).body.apiKeys).toEqual([]);

  const asAdmin = path.replace("educator", "admin");
  const { apiKeys } = (await server.get("/api/admin/api-keys?limit=1", admin.token)).body;
  expect(apiKeys).toMatchObject([{ _id: apiKey._id }]);
  expect(await server.patch(asAdmin, { name: "x" }, admin.token)).toMatchObject(notFound);
  const rotated = (await server.post(`${asAdmin}/rotate`, {}, admin.token)).body;
  expect(rotated.apiKey).toEqual(apiKey);
  expect([rotated.secret.slice(0, 26), rotated.secret === secret]).toEqual([`${apiKey.prefix}_`, false]);
  expect(await server.delete(asAdmin, admin.token)).toMatchObject({ status: 200 });
  expect(await server.delete("/api/admin/api-keys/665f1c2ab7e4d90012ab34cd", admin.token)).toMatchObject(notFound);
});

test("lists are paged, newest first", async () => {
  const { educator } = await educatorWithCourse();
  const made: unknown[] = [];
  for (const name of ["one", "two", "three"])
    made.unshift((await createKey(server, educator, "educator", { name })).apiKey);
  const first = (await server.get("/api/educator/api-keys?limit=2", educator.token)).body;
  const rest = (await server.get(`/api/educator/api-keys?limit=2&after=${first.nextCursor}`, educator.token)).body;
  expect([...first.apiKeys, ...rest.apiKeys]).toEqual(made);
  expect(rest.nextCursor).toBeNull();
});

test("an owner has at most 50 live keys, whatever happens at once", { timeout: 60_000 }, async () => {
  const { educator } = await educatorWithCourse();
  const other = await server.another();
  const { apiKey } = await createKey(server, educator, "educator", { expiresAt: tomorrow() });
  const { db } = server.deps;
  const expire = () => db.ApiKey.updateOne({ _id: apiKey._id }, { expiresAt: new Date(Date.now() - 1_000) });
  const [like] = await db.ApiKey.find({ _id: apiKey._id }, { _id: 0 }).lean();
  await db.ApiKey.insertMany(Array.from({ length: 46 }, (_, n) => ({ ...like, prefix: `${like?.prefix}${n}` })));
  await expire();
  const body = { name: "x", scopes: ["courses:read"] };
  const create = (on: typeof server) => on.post("/api/educator/api-keys", body, educator.token);
  const path = `/api/educator/api-keys/${apiKey._id}`;
  const answers = await Promise.all([
    ...Array.from({ length: 8 }, (_, n) => create(n % 2 ? other : server)),
    server.patch(path, { expiresAt: tomorrow() }, educator.token),
  ]);
  const live = () => db.ApiKey.countDocuments({ createdBy: educator.id, expiresAt: { $not: { $lte: new Date() } } });
  expect(answers.filter(({ status }) => status === 200)).toHaveLength(4);
  expect(answers.filter(({ status }) => status !== 200)).toEqual(
    Array(5).fill(expect.objectContaining(refusal(409, "Too many API keys"))),
  );
  expect(await live()).toBe(50);
  await expire();
  while ((await live()) < 50) expect(await create(server)).toMatchObject({ status: 200 });
  expect(await server.patch(path, { expiresAt: null }, educator.token)).toMatchObject({ status: 409 });
  const [{ _id }] = (await server.get("/api/educator/api-keys?limit=1", educator.token)).body.apiKeys;
  await server.delete(`/api/educator/api-keys/${_id}`, educator.token);
  expect(await server.patch(path, { expiresAt: null }, educator.token)).toMatchObject({ status: 200 });
});

test("a key that its owner made in another role cannot be changed", async () => {
  const owner = await server.signedIn("admin");
  const { apiKey } = await createKey(server, owner, "admin");
  await server.deps.db.RoleRecord.updateOne(
    { _id: owner.id },
    { role: "educator", writtenAt: new Date(0) },
    { upsert: true },
  );
  const changed = await server.patch(`/api/educator/api-keys/${apiKey._id}`, { name: "x" }, owner.token);
  expect(changed).toMatchObject(notFound);
});

test("keys end with the account, which makes no new ones", async () => {
  const educator = await signUp(server, "keys@quill.example");
  await server.deps.db.RoleRecord.create({ _id: educator.id, role: "educator", writtenAt: new Date(0) });
  const { apiKey } = await createKey(server, educator, "educator");
  expect(await deliverIdentity(server, userData(educator.id, "keys@quill.example"), "user.deleted")).toBe(200);
  expect(await server.deps.db.ApiKey.findById(apiKey._id).lean()).toMatchObject({ revokedAt: expect.any(Date) });
  const body = { name: "x", scopes: ["courses:read"] };
  const refused = await server.post("/api/educator/api-keys", body, educator.token);
  expect(refused).toMatchObject(refusal(401, "Unauthorized Access"));
});
