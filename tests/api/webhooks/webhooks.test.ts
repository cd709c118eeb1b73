import { expect, test } from "vitest";
import { refusal } from "../../assertions/refusal.js";
import { deliverIdentity, signUp, userData } from "../../factories/identity-events.js";
import { buildWebhook } from "../../factories/webhooks.js";
import { startTestServer } from "../../server/test-server.js";

const server = await startTestServer({ own: "delivers all events" });
const { db } = server.deps;
const admin = await server.signedIn("admin");
const url = "https://crm.example/lyceum";
const notFound = refusal(404, "Webhook not found");
const invalid = refusal(400, "Invalid request data");
const notAllowed = refusal(400, "Webhook URL is not allowed");

test("a webhook is created, listed, changed and removed; its secret is shown once", async () => {
  const educator = await server.signedIn("educator");
  const created = await server.post(
    "/api/educator/webhooks",
    { url, types: ["purchase.completed", "purchase.completed"], description: " Our CRM " },
    educator.token,
  );
  const webhook = {
    _id: expect.stringMatching(/^[0-9a-f]{24}$/),
    url,
    types: ["purchase.completed"],
    description: "Our CRM",
    active: true,
    disabledReason: null,
    createdBy: { kind: "user", id: educator.id },
    createdAt: expect.stringMatching(/^\d{4}-\d\d-\d\dT.*Z$/),
  };
  expect(created).toMatchObject({ status: 200 });
  expect(created.body).toEqual({ success: true, webhook, secret: expect.stringMatching(/^whsec_[A-Za-z0-9+/]{43}=$/) });
  const path = `/api/educator/webhooks/${created.body.webhook._id}`;

  const listed = await server.get("/api/educator/webhooks", educator.token);
  expect(listed.body).toEqual({ success: true, webhooks: [webhook] });
  const changes = { types: ["*"], active: false, description: "" };
  const changed = await server.patch(path, changes, educator.token);
  expect(changed.body).toEqual({ success: true, webhook: { ...webhook, ...changes } });
  expect((await server.patch(path, {}, educator.token)).body).toEqual(changed.body);

  const rotated = await server.post(`${path}/rotate-secret`, {}, educator.token);
  expect(rotated.body).toEqual({ success: true, secret: expect.stringMatching(/^whsec_/) });
  expect(rotated.body.secret).not.toBe(created.body.secret);

  expect((await server.delete(path, educator.token)).body).toEqual({ success: true });
  expect(await server.delete(path, educator.token)).toMatchObject(notFound);
  expect((await server.get("/api/educator/webhooks", educator.token)).body.webhooks).toEqual([]);
  const actions = await db.AuditEntry.find({ targetId: created.body.webhook._id }).sort({ _id: 1 }).lean();
  const expected = ["create", "change", "change", "rotate", "delete"].map((action) => `webhook.${action}`);
  expect(actions.map(({ action }) => action)).toEqual(expected);
  expect(JSON.stringify(actions)).not.toContain("whsec_");
});

test("administrators see and change every webhook, educators their own", async () => {
  const [one, other] = [await server.signedIn("educator"), await server.signedIn("educator")];
  const own = await buildWebhook(server, one, { url }, "educator");
  const path = (role: string, rest = "") => `/api/${role}/webhooks/${own._id}${rest}`;
  expect(await server.patch(path("educator"), { active: false }, other.token)).toMatchObject(notFound);
  expect(await server.delete(path("educator"), other.token)).toMatchObject(notFound);
  for (const rest of ["/rotate-secret", "/ping", "/deliveries/665f1c2ab7e4d90012ab34cd/resend"]) {
    expect(await server.post(path("educator", rest), {}, other.token)).toMatchObject(notFound);
  }
  expect(await server.get(path("educator", "/deliveries"), other.token)).toMatchObject(notFound);
  expect((await server.get("/api/educator/webhooks", other.token)).body.webhooks).toEqual([]);

  const all = (await server.get("/api/admin/webhooks", admin.token)).body.webhooks;
  expect(all.map(({ _id }: { _id: string }) => _id)).toContain(own._id);
  expect((await server.patch(path("admin"), { active: false }, admin.token)).body.webhook).toMatchObject({
    active: false,
  });
  // The webhook stays an educator's, whoever changes it.
  expect(await server.patch(path("admin"), { types: ["user.created"] }, admin.token)).toMatchObject(invalid);
  expect((await server.delete(path("admin"), admin.token)).status).toBe(200);
});

test("a webhook names the key that made it, and stops when that key is revoked, not when it expires", async () => {
  const owner = await server.signedIn("educator");
  const createKey = async () =>
    (await server.post("/api/educator/api-keys", { name: "CRM", scopes: ["webhooks:write"] }, owner.token)).body;
  const [revoked, expired] = [await createKey(), await createKey()];
  const make = (token: string) => server.post("/api/educator/webhooks", { url, types: ["*"] }, token);
  for (const { secret } of [revoked, expired]) expect((await make(secret)).status).toBe(200);
  await make(owner.token);
  const rotated = await server.post(`/api/educator/api-keys/${revoked.apiKey._id}/rotate`, {}, owner.token);
  const shown = async () =>
    (await server.get("/api/educator/webhooks", owner.token)).body.webhooks.map(
      ({ active, createdBy }: { active: boolean; createdBy: object }) => ({ active, ...createdBy }),
    );
  const byUser = { active: true, kind: "user", id: owner.id };
  const byExpired = { active: true, kind: "key", id: expired.apiKey._id };
  const byRevoked = { active: true, kind: "key", id: revoked.apiKey._id };
  expect(await shown()).toEqual([byUser, byExpired, byRevoked]);

  await db.ApiKey.updateOne({ _id: expired.apiKey._id }, { $set: { expiresAt: new Date(0) } });
  // A webhook of the key that is made at the same moment does not outlive the key either.
  await Promise.all([
    server.delete(`/api/educator/api-keys/${revoked.apiKey._id}`, owner.token),
    ...Array.from({ length: 5 }, () => make(rotated.body.secret)),
  ]);
  const [user, other, ...ofRevoked] = (await shown()).sort(
    (a: typeof byUser, b: typeof byUser) => Number(a.id === revoked.apiKey._id) - Number(b.id === revoked.apiKey._id),
  );
  expect([user, other]).toEqual([byUser, byExpired]);
  expect(ofRevoked.length).toBeGreaterThan(0);
  for (const webhook of ofRevoked) expect(webhook).toEqual({ ...byRevoked, active: false });
  expect((await make(rotated.body.secret)).status).toBe(401);
});

test("malformed fields are refused", async () => {
  const educator = await server.signedIn("educator");
  const create = (body: object) => server.post("/api/admin/webhooks", { url, types: ["*"], ...body }, admin.token);
  for (const body of [
    { types: [] },
    { types: ["*", "user.created"] },
    { types: ["unknown.type"] },
    { types: "*" },
    { types: undefined },
    { types: Array.from({ length: 31 }, () => "user.created") },
    { description: "x".repeat(201) },
    { url: `https://crm.example/${"x".repeat(2048)}` },
    { url: "" },
    { url: 7 },
  ]) {
    expect([body, await create(body)]).toMatchObject([body, invalid]);
  }
  const ofUsers = await server.post("/api/educator/webhooks", { url, types: ["user.created"] }, educator.token);
  expect(ofUsers).toMatchObject(invalid);
  expect((await create({ types: Array.from({ length: 30 }, () => "user.created") })).status).toBe(200);
});

test("an address that is not allowed is refused, when a webhook is created and when it is changed", async () => {
  const { _id } = await buildWebhook(server, admin, { url });
  for (const wrong of [
    "not an address",
    "ftp://crm.example",
    "https://user:secret@crm.example",
    "https://10.0.0.1/",
    "http://2130706433.example@169.254.169.254/",
    "http://0xa9fea9fe/",
    "https://[::ffff:10.0.0.1]/",
    "https://[fd00::1]/",
  ]) {
    const created = await server.post("/api/admin/webhooks", { url: wrong, types: ["*"] }, admin.token);
    expect([wrong, created]).toMatchObject([wrong, notAllowed]);
    const changed = await server.patch(`/api/admin/webhooks/${_id}`, { url: wrong }, admin.token);
    expect([wrong, changed]).toMatchObject([wrong, notAllowed]);
  }
  expect(await db.Webhook.findById(_id).lean()).toMatchObject({ url });
  const loopback = { url: "http://127.0.0.1:9/hook" };
  expect((await server.patch(`/api/admin/webhooks/${_id}`, loopback, admin.token)).body.webhook).toMatchObject(
    loopback,
  );
});

test("webhooks stop with the account, which makes no new ones; an administrator may switch them on again", async () => {
  const owner = await signUp(server, "hooks@quill.example");
  await db.RoleRecord.create({ _id: owner.id, role: "admin", writtenAt: new Date(0) });
  const { _id } = await buildWebhook(server, owner, { url });
  expect(await deliverIdentity(server, userData(owner.id, "hooks@quill.example"), "user.deleted")).toBe(200);
  expect(await db.Webhook.findById(_id).lean()).toMatchObject({ active: false, disabledReason: null });
  const refused = await server.post("/api/admin/webhooks", { url, types: ["*"] }, owner.token);
  expect(refused).toMatchObject(refusal(401, "Unauthorized Access"));
  const changed = await server.patch(`/api/admin/webhooks/${_id}`, { active: true }, admin.token);
  expect(changed.body.webhook).toMatchObject({ active: true });
});

test("an owner has 20 webhooks at most, also when they are created at once on two instances", async () => {
  const [owner, another] = [await server.signedIn("educator"), await server.another()];
  const add = (on = server) => on.post("/api/educator/webhooks", { url, types: ["*"] }, owner.token);
  const tooMany = refusal(409, "Too many webhooks");
  const answers = await Promise.all(Array.from({ length: 24 }, (_, n) => add(n % 2 ? another : server)));
  const refused = answers.filter(({ status }) => status !== 200);
  expect(refused).toMatchObject(Array(4).fill(tooMany));
  expect(await db.Webhook.countDocuments({ createdBy: owner.id })).toBe(20);

  const [first] = (await server.get("/api/educator/webhooks", owner.token)).body.webhooks;
  await server.delete(`/api/educator/webhooks/${first._id}`, owner.token);
  expect((await add()).status).toBe(200);
  expect(await add()).toMatchObject(tooMany);
});

test("an id that is none, and one that is not in use", async () => {
  const unknown = "/api/admin/webhooks/665f1c2ab7e4d90012ab34cd";
  expect(await server.patch(unknown, { active: true }, admin.token)).toMatchObject(notFound);
  expect(await server.post(`${unknown}/ping`, {}, admin.token)).toMatchObject(notFound);
  const malformed = await server.delete("/api/admin/webhooks/none", admin.token);
  expect(malformed).toMatchObject(refusal(500, "An unexpected error occurred"));
  const { _id } = await buildWebhook(server, admin, { url });
  const resend = `/api/admin/webhooks/${_id}/deliveries/665f1c2ab7e4d90012ab34cd/resend`;
  expect(await server.post(resend, {}, admin.token)).toMatchObject(refusal(404, "Delivery not found"));
  expect(await server.get(`/api/admin/webhooks/${_id}/deliveries?state=lost`, admin.token)).toMatchObject(invalid);
});
