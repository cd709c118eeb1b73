import { request } from "node:http";
import { expect, test } from "vitest";
import { scopes } from "../../src/http/limits/rate-limits.js";
import { createLog } from "../../src/process.js";
import { recordEvent } from "../../src/services/events/record-event.js";
import { commandsDuring } from "../assertions/commands.js";
import { refusal } from "../assertions/refusal.js";
import { createKey } from "../factories/api-keys.js";
import { buildCourse } from "../factories/courses.js";
import { deliverIdentity, userData } from "../factories/identity-events.js";
import { identityOf } from "../server/emulators.js";
import { startTestServer } from "../server/test-server.js";

const lines: string[] = [];
const server = await startTestServer({
  log: createLog("debug", [], { write: (line: string) => void lines.push(line) }),
});
const { db } = server.deps;
const events = "/api/educator/events";
const unauthorized = refusal(401, "Unauthorized Access");

const recordChange = (courseId: unknown) =>
  db.transaction((session) => recordEvent(db, session, "course.changed", { courseId: String(courseId), version: 2 }));

async function educatorKey(fields: object = {}) {
  const educator = await server.signedIn("educator");
  const made = await createKey(server, educator, "educator", { scopes: ["events:read"], ...fields });
  const path = `/api/educator/api-keys/${made.apiKey._id}`;
  return { educator, ...made, path };
}

test("a key speaks for its owner, and `GET /api/key` shows it", async () => {
  const { educator, secret, apiKey } = await educatorKey();
  const course = await buildCourse(server, { educatorId: educator.id });
  await recordChange(course._id);
  const listed = await server.get(events, secret);
  expect(listed.body).toEqual((await server.get(events, educator.token)).body);
  expect(listed.body.events.at(-1)).toMatchObject({ type: "course.changed" });
  const shown = await server.get("/api/key", secret);
  expect(shown.body).toEqual({ success: true, apiKey: { ...apiKey, lastUsedAt: shown.body.apiKey.lastUsedAt } });
  expect(await server.get("/api/key", educator.token)).toMatchObject(unauthorized);
});

test("a key costs one read more than a session", async () => {
  const { educator, secret } = await educatorKey();
  const cost = (token: string) => commandsDuring(server, async () => void (await server.get(events, token)));
  await cost(secret);
  await expect.poll(() => db.ApiKey.exists({ createdBy: educator.id, lastUsedAt: { $ne: null } })).not.toBeNull();
  expect((await cost(secret)).length).toBe((await cost(educator.token)).length + 1);
});

test("unknown, malformed, expired and revoked keys are no tokens", async () => {
  const { educator, secret, apiKey, path } = await educatorKey();
  const refused = async (token: string) => {
    for (const guarded of [events, "/api/key", "/api/educator/dashboard", "/api/user/data"])
      expect(await server.get(guarded, token)).toMatchObject(unauthorized);
    expect(await server.get("/api/course/all", token)).toMatchObject({ status: 200 });
  };
  const unknown = `lyc_test_${"a".repeat(16)}_${"b".repeat(43)}`;
  const otherEnd = `${secret.slice(0, -2)}${secret.endsWith("AA") ? "BB" : "AA"}`;
  const malformed = [secret.slice(0, -1), `${secret}x`, apiKey.prefix, secret.toUpperCase(), "lyc_", `x${secret}`];
  for (const token of [unknown, otherEnd, secret.replace("test", "live"), ...malformed]) await refused(token);
  await db.ApiKey.updateOne({ _id: apiKey._id }, { expiresAt: new Date(Date.now() - 1) });
  await refused(secret);
  expect(await server.patch(path, { expiresAt: null }, educator.token)).toMatchObject({ status: 200 });
  expect(await server.get(events, secret)).toMatchObject({ status: 200 });
  await server.delete(path, educator.token);
  await refused(secret);
});

test("a key with `courseIds` lists the events of these courses only", async () => {
  const educator = await server.signedIn("educator");
  const build = async () => String((await buildCourse(server, { educatorId: educator.id }))._id);
  const [inside, outside] = [await build(), await build()];
  const fields = { scopes: ["events:read"], courseIds: [inside] };
  const { secret } = await createKey(server, educator, "educator", fields);
  const admin = await server.signedIn("admin");
  const { secret: ofAdmin } = await createKey(server, admin, "admin", fields);
  for (const courseId of [inside, outside]) await recordChange(courseId);
  const created = { userId: admin.id };
  await db.transaction((session) => recordEvent(db, session, "user.created", created));
  const coursesIn = async (path: string, token: string) =>
    (await server.get(path, token)).body.events.map(({ data }: { data: Record<string, unknown> }) => data.courseId);
  expect(new Set(await coursesIn(events, secret))).toEqual(new Set([inside]));
  expect(new Set(await coursesIn("/api/admin/events", ofAdmin))).toEqual(new Set([inside]));
  expect(new Set(await coursesIn(events, educator.token))).toEqual(new Set([inside, outside]));
});

test("a revoked key is refused with the next request on every instance", async () => {
  const { educator, secret, path } = await educatorKey();
  const other = await server.another();
  for (const instance of [server, other]) expect(await instance.get(events, secret)).toMatchObject({ status: 200 });
  expect(await server.delete(path, educator.token)).toMatchObject({ status: 200 });
  for (const instance of [other, server]) expect(await instance.get(events, secret)).toMatchObject(unauthorized);
});

test("after a rotation the old secret works for the overlap only", async () => {
  const { educator, secret: first, path, apiKey } = await educatorKey();
  const rotate = async (body: object) => (await server.post(`${path}/rotate`, body, educator.token)).body.secret;
  const statuses = async (...secrets: string[]) => {
    const answers = await Promise.all(secrets.map((secret) => server.get(events, secret)));
    return answers.map(({ status }) => status);
  };
  const second = await rotate({ overlapHours: 2 });
  expect(await statuses(first, second)).toEqual([200, 200]);
  const { previousUntil } = await db.ApiKey.findById(apiKey._id).orFail().lean();
  expect(Math.abs(Number(previousUntil) - Date.now() - 2 * 3_600_000)).toBeLessThan(60_000);
  const third = await rotate({ overlapHours: 1 });
  expect(await statuses(first, second, third)).toEqual([401, 200, 200]);
  await db.ApiKey.updateOne({ _id: apiKey._id }, { previousUntil: new Date(Date.now() - 1) });
  expect(await statuses(second, third)).toEqual([401, 200]);
  const fourth = await rotate({});
  expect(await statuses(third, fourth)).toEqual([401, 200]);
  const both = await Promise.all([rotate({ overlapHours: 1 }), rotate({ overlapHours: 1 })]);
  expect(await statuses(...both)).toEqual([200, 200]);
});

test("a key works only while its owner has the role of the key", async () => {
  const { educator, secret } = await educatorKey();
  const setRole = (role: "student" | "educator" | "admin") => db.RoleRecord.updateOne({ _id: educator.id }, { role });
  for (const role of ["student", "admin"] as const) {
    await setRole(role);
    for (const path of [events, events.replace("educator", "admin"), "/api/key"])
      expect(await server.get(path, secret)).toMatchObject(unauthorized);
  }
  await setRole("educator");
  expect(await server.get(events, secret)).toMatchObject({ status: 200 });
});

test("a key of an owner whose role is only in the token ends when the identity provider clears the role", async () => {
  const { id } = await server.signedIn();
  const token = identityOf(server.emulators).issueToken(id, { role: "educator" });
  const { secret } = await createKey(server, { id, name: "", token }, "educator", { scopes: ["events:read"] });
  expect(await server.get(events, secret)).toMatchObject({ status: 200 });
  expect(await deliverIdentity(server, userData(id, "claimed@quill.example"), "user.updated")).toBe(200);
  expect(await server.get(events, secret)).toMatchObject(unauthorized);
});

test("without its scope, and on a route that takes no keys, a key is refused", async () => {
  const { educator, secret, path } = await educatorKey({ scopes: ["coupons:read"] });
  const ofAdmin = "/api/admin/stats";
  for (const target of [events, "/api/educator/dashboard", "/api/educator/api-keys", path, ofAdmin]) {
    const answer = await server.call(target === path ? "DELETE" : "GET", target, { token: secret });
    expect([target, answer]).toMatchObject([target, refusal(403, "Unauthorized Access")]);
  }
  expect((await server.get(events, secret)).headers.get("x-error-code")).toBe("scope_missing");
  expect(await server.patch(path, { scopes: ["events:read"] }, educator.token)).toMatchObject({ status: 200 });
  expect(await server.get(events, secret)).toMatchObject({ status: 200 });
});

test("a key is never a learner", async () => {
  const { secret } = await educatorKey();
  const id = "665f1c2ab7e4d90012ab34cd";
  for (const [method, path] of [
    ["GET", "/api/user/data"],
    ["GET", "/api/user/nothing-here"],
    ["POST", "/api/user/purchase"],
    ["POST", "/api/quiz/submit"],
    ["GET", `/api/quiz/${id}/ch1`],
  ] as const)
    expect([path, await server.call(method, path, { token: secret })]).toMatchObject([path, unauthorized]);
  for (const path of ["/api/community/posts", "/api/community/groups"])
    expect(await server.post(path, {}, secret)).toMatchObject(refusal(401, "Authentication required"));
  // A course shows its owner what it hides from others.
  const { educator, secret: owners } = await educatorKey();
  const course = await buildCourse(server, { educatorId: educator.id, isPublished: false });
  expect((await server.get(`/api/course/${course._id}`, owners)).body).toEqual(
    (await server.get(`/api/course/${course._id}`)).body,
  );
});

test("two `Authorization` headers, and a key in the address, are refused", async () => {
  const { educator, secret } = await educatorKey();
  const statusOf = (authorization: string[]) =>
    new Promise((resolve, reject) => {
      const sent = request(`${server.url}${events}`, (answer) => resolve(answer.resume().statusCode));
      sent.on("error", reject).setHeader("Authorization", authorization);
      sent.end();
    });
  const [key, session] = [`Bearer ${secret}`, `Bearer ${educator.token}`];
  expect(await statusOf([key])).toBe(200);
  for (const first of [key, session])
    for (const second of [key, session]) expect(await statusOf([first, second])).toBe(401);
  for (const token of [undefined, secret, educator.token])
    expect(await server.get(`${events}?api_key=${secret}`, token)).toMatchObject(unauthorized);
});

test("a key in an address is refused on every route, in any encoding, and no log or metric has it", async () => {
  const { secret } = await educatorKey();
  const bytes = [...secret].map((character) => character.charCodeAt(0).toString(16));
  const written = [secret, secret.replace("_", "%5F"), `%${bytes.join("%")}`, `%25${bytes.join("%25").toUpperCase()}`];
  written.push(secret.replace("y", "%25%37%39"));
  const paths = written.flatMap((one) => [`/api/course/${one}`, `/api/course/all?q=%zz${one}`, `/${one}`, `/?${one}`]);
  const from = lines.length;
  for (const path of paths) expect(await server.get(path)).toMatchObject(unauthorized);
  const preflight = { origin: "http://localhost:5173", "access-control-request-method": "GET" };
  expect((await server.call("OPTIONS", `/api/course/${secret}`, { headers: preflight })).status).toBe(204);
  const logged = () => lines.slice(from).filter((line) => line.includes('"eventId":"request"'));
  await expect.poll(() => logged().length).toBe(paths.length + 1);
  const metrics = (await server.get("/metrics")).body;
  const shown = decodeURIComponent(decodeURIComponent((lines.slice(from).join("") + metrics).replaceAll("%zz", "")));
  expect(shown).not.toContain(secret.slice(26));
  expect(logged()[0]).toContain("GET /api/course/[secret] 401");
});

test("a key has a limit of its own, whose headers it gets, and the administrators' limit does not count it", async () => {
  const alone = await startTestServer({ own: "uses limits up" });
  const admin = await alone.signedIn("admin");
  const fields = { scopes: ["events:read"] };
  const first = await createKey(alone, admin, "admin", fields);
  const second = await createKey(alone, admin, "admin", fields);
  const { limit, windowSeconds } = scopes.apiKey;
  const ask = (secret: string, path = "/api/admin/webhooks/event-types") => alone.get(path, secret);
  for (const [n, path] of ["/api/key", "/api/admin/webhooks/event-types"].entries()) {
    const { status, headers } = await ask(first.secret, path);
    expect(status).toBe(200);
    expect(headers.get("ratelimit-policy")).toBe(`${limit};w=${windowSeconds}`);
    expect(headers.get("ratelimit-remaining")).toBe(String(limit - n - 1));
  }
  for (let sent = 2; sent < limit; sent += 46) {
    const answers = await Promise.all(Array.from({ length: 46 }, () => ask(first.secret, "/api/key")));
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200]));
  }
  const refused = await ask(first.secret);
  expect(refused).toMatchObject(refusal(429, "Too many requests. Please try again later."));
  expect(Number(refused.headers.get("retry-after"))).toBeGreaterThan(0);
  expect((await ask(second.secret)).headers.get("ratelimit-remaining")).toBe(String(limit - 1));
  const asUser = await alone.get("/api/admin/events", admin.token);
  expect(asUser.headers.get("ratelimit-remaining")).toBe("97");
});

test("an address that has sent many wrong keys gets 429 for further ones, and a valid key works there at its first use", async () => {
  const alone = await startTestServer({ own: "uses limits up" });
  const educator = await alone.signedIn("educator");
  const { secret } = await createKey(alone, educator, "educator", { scopes: ["events:read"] });
  const wrong = (n: number) => `lyc_test_${String(n).padStart(16, "0")}_${"b".repeat(43)}`;
  const statuses = new Map<number, number>();
  for (let n = 0; n < scopes.wrongKeys.limit + 20; n += 20) {
    const answers = await Promise.all(Array.from({ length: 20 }, (_, i) => alone.get("/api/key", wrong(n + i))));
    for (const { status } of answers) statuses.set(status, (statuses.get(status) ?? 0) + 1);
  }
  expect(Object.fromEntries(statuses)).toEqual({ 401: scopes.wrongKeys.limit, 429: 20 });
  const refused = await alone.get("/api/key", wrong(999_999));
  expect(refused).toMatchObject(refusal(429, "Too many requests. Please try again later."));
  expect(await alone.get(events, secret)).toMatchObject({ status: 200 });
  expect(await alone.get(events, educator.token)).toMatchObject({ status: 200 });
});

test("the last use is recorded once a minute", async () => {
  const { secret, apiKey } = await educatorKey();
  const lastUsed = async () => (await db.ApiKey.findById(apiKey._id).orFail().lean()).lastUsedAt?.getTime() ?? 0;
  await Promise.all(Array.from({ length: 5 }, () => server.get(events, secret)));
  await expect.poll(lastUsed).toBeGreaterThan(Date.now() - 10_000);
  const first = await lastUsed();
  await server.get(events, secret);
  const other = await server.another();
  await other.get(events, secret);
  expect(await lastUsed()).toBe(first);
  await db.ApiKey.updateOne({ _id: apiKey._id }, { lastUsedAt: new Date(first - 61_000) });
  await (await server.another()).get(events, secret);
  await expect.poll(lastUsed).toBeGreaterThan(first);
});

test("logs name a key by its id", async () => {
  const { secret, apiKey } = await educatorKey();
  await server.get(events, secret, { "x-request-id": "with-a-key" });
  await expect.poll(() => lines.find((line) => line.includes("with-a-key"))).toContain(`"apiKeyId":"${apiKey._id}"`);
  expect(lines.join("")).not.toContain(secret.slice(26));
});
