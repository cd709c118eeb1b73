import { randomBytes, randomUUID } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";
import fc from "fast-check";
import { Webhook } from "svix";
import { describe, expect, inject, onTestFinished, test } from "vitest";
import { commandsDuring } from "../assertions/commands.js";
import { buildCourse } from "../factories/courses.js";
import { startDatabaseProxy } from "../server/database-proxy.js";
import { dieAtEveryWrite } from "../server/dying-instance.js";
import { identityOf } from "../server/emulators.js";
import { startTestServer, type TestServer } from "../server/test-server.js";

const server = await startTestServer();

const done = { status: 200, body: {} };
const failed = { status: 500, body: { success: false, message: "An unexpected error occurred" } };
const newId = () => `user_${randomUUID().replaceAll("-", "")}`;

interface Sending {
  id?: string;
  at?: Date;
  headers?: Record<string, string>;
  to?: TestServer;
}

function send(message: unknown, { id, at, headers, to = server }: Sending = {}) {
  const body = typeof message === "string" || Buffer.isBuffer(message) ? message : JSON.stringify(message);
  const signed = identityOf(to.emulators).signWebhook(body, {
    ...(id ? { id } : {}),
    ...(at ? { timestamp: at } : {}),
  });
  return to.call("POST", "/clerk", { body, headers: { ...signed, ...headers } });
}

const secondsAgo = (seconds: number) => new Date(Date.now() - seconds * 1000);
const event = (type: string, id: string, data: Record<string, unknown> = {}) => ({
  type,
  data: {
    id,
    first_name: "Ada",
    last_name: "Lovelace",
    email_addresses: [{ email_address: "ada@example.com" }],
    image_url: "https://img.example/ada.png",
    updated_at: 1_000,
    ...data,
  },
});
const userOf = (id: string) => server.deps.db.User.findById(id).lean();
const roleOf = async (id: string) => (await server.deps.db.RoleRecord.findById(id).lean())?.role;

test("a name, an address or a picture of any length is kept in part: every post and row of a list repeats it", async () => {
  const id = newId();
  const long = "n\u{1f600}".repeat(50_000);
  const data = { first_name: long, last_name: long, email_addresses: [{ email_address: long }], image_url: long };
  expect(await send(event("user.created", id, data))).toMatchObject(done);
  const kept = "n\u{1f600}".repeat(1_000);
  expect(await userOf(id)).toMatchObject({ name: `${kept} ${kept}`, email: kept.slice(0, 3 * 160), imageUrl: kept });
});

describe("verification", () => {
  const good = () => event("user.created", newId());
  const secret = () => server.deps.config.identity.webhookSecrets[0] ?? "";
  const cases: [string, (body: string) => Record<string, string>][] = [
    ["no headers", () => ({})],
    ["no id", (body) => ({ ...sign(body), "svix-id": "" })],
    ["no timestamp", (body) => ({ ...sign(body), "svix-timestamp": "" })],
    ["no signature", (body) => ({ ...sign(body), "svix-signature": "" })],
    ["another id", (body) => ({ ...sign(body), "svix-id": "msg_other" })],
    ["another timestamp", (body) => ({ ...sign(body), "svix-timestamp": `${seconds() - 9}` })],
    ["a timestamp with a tail", (body) => ({ ...sign(body), "svix-timestamp": `${seconds()}x` })],
    ["the signature of the same JSON in other bytes", (body) => sign(`${body} `)],
    ["six minutes old", (body) => sign(body, secondsAgo(360))],
    ["six minutes ahead", (body) => sign(body, secondsAgo(-360))],
    ["signed by another secret", (body) => sign(body, new Date(), `whsec_${randomBytes(24).toString("base64")}`)],
    ["another version", (body) => ({ ...sign(body), "svix-signature": signature(body).replace("v1,", "v2,") })],
    ["a cut signature", (body) => ({ ...sign(body), "svix-signature": signature(body).slice(0, 20) })],
    ["the standard's own header names", (body) => renamed(sign(body))],
  ];
  const renamed = (headers: Record<string, string>) =>
    Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.replace("svix-", "webhook-"), value]));
  const sign = (body: string, at = new Date(), by = secret(), id = "msg_1"): Record<string, string> => ({
    "svix-id": id,
    "svix-timestamp": String(Math.floor(at.getTime() / 1000)),
    "svix-signature": new Webhook(by).sign(id, at, body),
  });

  const signature = (body: string) => sign(body)["svix-signature"] ?? "";
  const seconds = () => Math.floor(Date.now() / 1000);

  test.each(cases)("%s is refused and changes nothing", async (_name, headers) => {
    const message = good();
    const body = JSON.stringify(message);
    expect(await server.call("POST", "/clerk", { body, headers: headers(body) })).toMatchObject(failed);
    expect(await userOf(message.data.id)).toBeNull();
  });

  test("any one of several signatures suffices", async () => {
    const message = good();
    const body = JSON.stringify(message);
    const { "svix-signature": signature, ...others } = sign(body);
    const list = `v1,${randomBytes(32).toString("base64")} v2,x ${signature}`;
    expect(await server.call("POST", "/clerk", { body, headers: { ...others, "svix-signature": list } })).toMatchObject(
      done,
    );
  });

  test("every secret of a rotation is accepted", async () => {
    const secrets = [1, 2].map(() => `whsec_${randomBytes(24).toString("base64")}`);
    const rotating = await startTestServer({ env: { CLERK_WEBHOOK_SECRET: secrets.join(",") } });
    for (const [i, each] of secrets.entries()) {
      const body = JSON.stringify(good());
      const headers = sign(body, new Date(), each, `msg_rotation_${i}`);
      expect(await rotating.call("POST", "/clerk", { body, headers })).toMatchObject(done);
    }
  });

  test.each(["/clerk/", "/CLERK"])("%s is the same route", async (path) => {
    const body = JSON.stringify(good());
    expect(
      await server.call("POST", path, { body, headers: identityOf(server.emulators).signWebhook(body) }),
    ).toMatchObject(done);
  });

  test.each<[string, string | Buffer]>([
    ["no JSON", "hello"],
    ["empty", ""],
    ["null", "null"],
    ["an array", "[]"],
    ["no data", '{"type":"user.created"}'],
    ["no id", '{"type":"user.created","data":{}}'],
    ["an operator as id", '{"type":"user.deleted","data":{"id":{"$gt":""}}}'],
    ["bytes that are no text", Buffer.from([123, 255, 254, 125])],
  ])("a signed body with %s fails", async (_name, body) => {
    const users = await server.deps.db.User.countDocuments();
    expect(await send(body)).toMatchObject(failed);
    expect(await server.deps.db.User.countDocuments()).toBe(users);
  });

  test("a body over 1 MiB and a compressed body fail like any that cannot be verified", async () => {
    expect(await send(Buffer.alloc(1024 * 1024 + 1, " "))).toMatchObject(failed);
    expect(await send("{}", { headers: { "content-encoding": "br" } })).toMatchObject(failed);
  });
});

describe("users", () => {
  test("an unknown type has no effect and needs no data", async () => {
    const id = newId();
    const withoutData = [{ type: "session.ended" }, { type: "email.created", data: null }, { type: "x", data: [] }];
    for (const message of [event("session.created", id), ...withoutData]) {
      const { status, body } = await send(message);
      expect({ status, body }).toEqual(done);
    }
    expect(await userOf(id)).toBeNull();
  });

  const addresses = [undefined, null, "none", [null], [{}], [{ email_address: 1 }], []];
  test.each<[Record<string, unknown>, string]>([
    [{ first_name: null, last_name: null }, ""],
    [{ first_name: "Ada", last_name: null }, "Ada"],
    [{ first_name: undefined, last_name: " Lovelace " }, "Lovelace"],
    [{ first_name: 5, last_name: {} }, ""],
    ...addresses.map((email_addresses): [Record<string, unknown>, string] => [{ email_addresses }, "Ada Lovelace"]),
  ])("what is missing of name, address and picture is empty: %j", async (data, name) => {
    const id = newId();
    await send(event("user.created", id, { email_addresses: [], image_url: null, ...data }));
    expect(await userOf(id)).toMatchObject({ name, email: "", imageUrl: "" });
  });

  test("without updated_at the time of sending orders", async () => {
    const id = newId();
    await send(event("user.updated", id, { first_name: "Later", updated_at: undefined }), { at: secondsAgo(10) });
    await send(event("user.updated", id, { first_name: "Earlier", updated_at: undefined }), { at: secondsAgo(60) });
    expect((await userOf(id))?.name).toBe("Later Lovelace");
  });

  test("a deletion is final, also of a user unknown", async () => {
    const id = newId();
    expect(await send({ type: "user.deleted", data: { id } })).toMatchObject(done);
    expect(
      await send(event("user.created", id, { updated_at: Date.now() + 60_000, public_metadata: { role: "admin" } })),
    ).toMatchObject(done);
    expect(await userOf(id)).toBeNull();
    expect(await roleOf(id)).toBeUndefined();
  });

  test("the catalog shows an educator's new name and, once deleted, a placeholder", async () => {
    const id = newId();
    await send(event("user.created", id));
    const course = await buildCourse(server, { educatorId: id });
    const shown = async () =>
      (await server.get("/api/course/all")).body.courses.find((one: { _id: string }) => one._id === String(course._id))
        .educatorId.name;
    expect(await shown()).toBe("Ada Lovelace");
    await send(event("user.updated", id, { first_name: "Countess", updated_at: 2_000 }));
    expect(await shown()).toBe("Countess Lovelace");
    await send({ type: "user.deleted", data: { id } });
    expect(await shown()).toBe("Deleted user");
  });
});

describe("roles", () => {
  test.each([[["user.created", "user.updated"]], [["user.updated", "user.created"]]] as const)(
    "of a creation and an update of one moment the update's counts, in the order %j",
    async (order) => {
      const id = newId();
      const roleIn = { "user.created": "student", "user.updated": "educator" };
      for (const type of order) await send(event(type, id, { public_metadata: { role: roleIn[type] } }));
      expect(await roleOf(id)).toBe("educator");
    },
  );

  const withRole = (id: string, role: unknown, updated_at: number) =>
    send(event("user.updated", id, { public_metadata: { role }, updated_at }));

  test("named in public metadata they are in force, unless a record was written later", async () => {
    const id = newId();
    await withRole(id, "educator", 10_000);
    expect(await roleOf(id)).toBe("educator");
    await withRole(id, "student", 9_000);
    expect(await roleOf(id)).toBe("educator");
    await send(event("user.updated", id, { updated_at: 11_000 }));
    expect(await roleOf(id)).toBe("educator");
    await withRole(id, "admin", 12_000);
    expect(await roleOf(id)).toBe("admin");
    await server.deps.db.RoleRecord.updateOne({ _id: id }, { $set: { role: "educator", writtenAt: new Date() } });
    await withRole(id, "student", 13_000);
    await send(event("user.updated", id, { public_metadata: {}, updated_at: 14_000 }));
    expect(await roleOf(id)).toBe("educator");
  });

  test("a role that the provider has cleared is not in force, although an older token still claims it", async () => {
    const id = newId();
    await withRole(id, "admin", 1_000);
    const token = identityOf(server.emulators).issueToken(id, { role: "admin" });
    const stats = async () => (await server.get("/api/admin/stats", token)).status;
    expect(await stats()).toBe(200);
    await send(event("user.updated", id, { public_metadata: { theme: "dark" }, updated_at: 2_000 }));
    expect(await stats()).toBe(403);
    expect(await roleOf(id)).toBe("student");
    const [, change] = await server.deps.db.AuditEntry.find({ targetId: id }).sort({ _id: 1 }).lean();
    expect(change).toMatchObject({ before: { role: "admin" }, after: { role: "student" } });
    // The event that named the role comes again, and one from before it.
    await withRole(id, "admin", 1_000);
    await withRole(id, "admin", 500);
    expect(await stats()).toBe(403);
    await withRole(id, "admin", 3_000);
    expect(await stats()).toBe(200);
  });

  test.each([[undefined], [null], ["admin"], [[]]])("public metadata %j say nothing about the role", async (said) => {
    const id = newId();
    await withRole(id, "educator", 1_000);
    await send(event("user.updated", id, { public_metadata: said, updated_at: 2_000 }));
    expect(await roleOf(id)).toBe("educator");
  });

  test("an event without a role leaves who never had one to the token", async () => {
    const id = newId();
    await send(event("user.created", id, { public_metadata: {} }));
    expect(await roleOf(id)).toBeUndefined();
    const token = identityOf(server.emulators).issueToken(id, { role: "admin" });
    expect((await server.get("/api/admin/stats", token)).status).toBe(200);
  });

  test("an unknown value counts as student; a change is in the audit trail, a repeat is not", async () => {
    const [id, unknown] = [newId(), newId()];
    await withRole(unknown, "superuser", 1_000);
    expect(await roleOf(unknown)).toBe("student");
    await withRole(id, "educator", 1_000);
    await withRole(id, "educator", 2_000);
    const trail = await server.deps.db.AuditEntry.find({ targetId: id }).lean();
    expect(trail).toMatchObject([
      { actorId: "system", action: "role.change", before: { role: null }, after: { role: "educator" } },
    ]);
  });
});

describe("replay", () => {
  test("a remembered id fails with the same or an older timestamp, and is a harmless retry with a newer one", async () => {
    const [id, user] = [`msg_${randomUUID()}`, newId()];
    const message = event("user.created", user);
    const [older, at, newer] = [secondsAgo(30), secondsAgo(20), secondsAgo(10)];
    expect(await send(message, { id, at })).toMatchObject(done);
    await server.deps.db.User.updateOne({ _id: user }, { $set: { name: "Untouched" } });
    expect(await send(message, { id, at })).toMatchObject(failed);
    expect(await send(message, { id, at: older })).toMatchObject(failed);
    expect(await send(message, { id, at: newer })).toMatchObject(done);
    expect(await send(message, { id, at: newer })).toMatchObject(failed);
    expect((await userOf(user))?.name).toBe("Untouched");
  });

  test("an id whose processing failed is not remembered", async () => {
    const id = `msg_${randomUUID()}`;
    expect(await send('{"type":"user.created","data":{}}', { id })).toMatchObject(failed);
    expect(await send(event("user.created", newId()), { id })).toMatchObject(done);
  });

  test("delivered eight times at once it takes effect once and one delivery is accepted", async () => {
    const [id, at, user] = [`msg_${randomUUID()}`, new Date(), newId()];
    const answers = await Promise.all(Array.from({ length: 8 }, () => send(event("user.created", user), { id, at })));
    expect(answers.filter(({ status }) => status === 200).length).toBe(1);
    expect(answers.filter(({ status }) => status === 500).length).toBe(7);
    expect((await userOf(user))?.name).toBe("Ada Lovelace");
  });
});

test("created, updated and deleted events in any order, repeated and at once on two instances, end in the same user", async () => {
  const other = await server.another();
  const kinds = fc.constantFrom("user.created" as const, "user.updated" as const);
  const change = fc.record({
    type: kinds,
    updatedAt: fc.integer({ min: 1, max: 6 }),
    role: fc.constantFrom(undefined, "educator", "student"),
  });
  await fc.assert(
    fc.asyncProperty(
      fc.uniqueArray(change, { selector: ({ updatedAt }) => updatedAt, minLength: 1, maxLength: 5 }),
      fc.boolean(),
      fc.infiniteStream(fc.nat(1_000)),
      fc.boolean(),
      async (changes, deleted, random, atOnce) => {
        const id = newId();
        const messages = changes.map(({ type, updatedAt, role }) =>
          event(type, id, {
            first_name: `v${updatedAt}`,
            updated_at: updatedAt * 1000,
            public_metadata: role ? { role } : {},
          }),
        );
        const deletions = deleted ? [{ type: "user.deleted", data: { id } }] : [];
        const all: object[] = [...messages, ...messages.slice(0, 2), ...deletions];
        const order = all.map((message) => ({ message, rank: random.next().value })).sort((a, b) => a.rank - b.rank);
        const sendOne = (message: unknown, i: number) => send(message, { to: i % 2 ? other : server });
        if (atOnce) await Promise.all(order.map(({ message }, i) => sendOne(message, i)));
        else for (const [i, { message }] of order.entries()) await sendOne(message, i);
        const newest = [...changes].sort((a, b) => b.updatedAt - a.updatedAt);
        expect((await userOf(id))?.name).toBe(deleted ? undefined : `v${newest[0]?.updatedAt} Lovelace`);
        const everNamed = changes.some(({ role }) => role);
        if (!deleted) expect(await roleOf(id)).toBe(newest[0]?.role ?? (everNamed ? "student" : undefined));
      },
    ),
    { numRuns: 20 },
  );
});

describe("one transaction", () => {
  const named = (id: string, first_name: string, updated_at: number, role?: string) =>
    event("user.updated", id, { first_name, updated_at, public_metadata: role ? { role } : {} });

  test("an instance that dies between any two writes leaves all or nothing, and a redelivery finishes it", async () => {
    const deaths = await dieAtEveryWrite(server, async () => {
      const [id, user] = [`msg_${randomUUID()}`, newId()];
      const body = JSON.stringify(named(user, "Ada", 1_000, "educator"));
      const headers = identityOf(server.emulators).signWebhook(body, { id, timestamp: secondsAgo(10) });
      return {
        request: { path: "/clerk", method: "POST", body, headers },
        async check(died) {
          const { WebhookMessage, Account, AuditEntry, Event } = server.deps.db;
          const left = [
            await WebhookMessage.exists({ _id: id }),
            await Account.exists({ _id: user }),
            await userOf(user),
            await roleOf(user),
            await AuditEntry.exists({ targetId: user }),
            await Event.exists({ type: "user.created", userIds: user }),
          ];
          expect(left.map((one) => one !== null && one !== undefined)).toEqual(left.map(() => !died));
          expect(await send(body, { id, at: secondsAgo(5) })).toMatchObject(done);
          expect(await userOf(user)).toMatchObject({ name: "Ada Lovelace" });
          expect(await roleOf(user)).toBe("educator");
          expect(await AuditEntry.countDocuments({ targetId: user })).toBe(1);
        },
      };
    });
    expect(deaths).toBe(7);
  }, 60_000);

  test("takes at most seven commands, and one more when the name on unpaid purchases follows", async () => {
    const watched = await startTestServer({ own: "counts commands" });
    const costs: number[] = [];
    const id = newId();
    const deletion = { type: "user.deleted", data: { id } };
    await send(event("user.created", id), { to: watched });
    await buildCourse(watched, { educatorId: id });
    for (const message of [
      event("user.created", newId()),
      named(id, "Ada", 2_000, "educator"),
      named(id, "Augusta", 3_000, "educator"),
      named(id, "Augusta", 4_000, "educator"),
      ...[deletion, named(id, "Augusta", 5_000), { type: "session.created", data: {} }],
    ]) {
      const commands = await commandsDuring(watched, () => send(message, { to: watched }));
      expect(Object.keys(commands.at(-1) ?? {})[0]).toBe("commitTransaction");
      costs.push(commands.length);
    }
    expect(costs).toEqual([5, 7, 7, 5, 5, 3, 2]);
  });

  test("a deletion that meets a half-applied update is final", async () => {
    const { door, slow, quick } = await twoInstances();
    const { db } = slow.deps;
    const id = newId();
    // Message and account are written, the user record is not.
    const held = door.holdAfter(2);
    const update = send(event("user.created", id), { to: slow });
    await held;
    const deletion = send({ type: "user.deleted", data: { id } }, { to: quick });
    await Promise.race([deletion, sleep(200)]);
    door.release();
    expect(await Promise.all([update, deletion])).toMatchObject([done, done]);
    expect(await db.User.findById(id)).toBeNull();
  });

  test("the catalog shows the new name of an educator whose first course was created at that moment", async () => {
    const { door, slow, quick } = await twoInstances();
    const shown = async () => (await quick.get("/api/course/all")).body.courses[0]?.educatorId.name;
    const id = newId();
    await send(event("user.created", id), { to: quick });
    // All is written, nothing is committed.
    const held = door.holdAfter(3);
    const update = send(named(id, "Augusta", 2_000), { to: slow });
    await held;
    const creation = buildCourse(quick, { educatorId: id });
    await Promise.race([creation, sleep(200)]);
    await shown();
    door.release();
    await Promise.all([update, creation]);
    expect(await shown()).toBe("Augusta Lovelace");
  });
});

/** Two instances on one database: the slow one is connected through a door, the quick one is not. */
async function twoInstances() {
  const door = await startDatabaseProxy(inject("databaseUri"));
  onTestFinished(() => door.close());
  const slow = await startTestServer({ databaseServer: door.uri });
  const uri = new URL(slow.databaseUri);
  uri.host = new URL(inject("databaseUri")).host;
  return { door, slow, quick: await slow.another({ MONGODB_URI: uri.href }) };
}

test("a rush of users is applied a few at a time, and every one arrives", async () => {
  const door = await startDatabaseProxy(inject("databaseUri"));
  onTestFinished(() => door.close());
  const rushed = await startTestServer({ databaseServer: door.uri });
  door.slowDown(10);
  const open = new Set<string>();
  let most = 0;
  rushed.deps.database.getClient().on("commandStarted", ({ commandName, command }) => {
    const id = command.lsid?.id.toString("hex");
    if (command.startTransaction) open.add(id);
    if (commandName === "commitTransaction") open.delete(id);
    most = Math.max(most, open.size);
  });
  const answers = Array.from({ length: 40 }, () => send(event("user.created", newId()), { to: rushed }));
  expect(await Promise.all(answers)).toEqual(answers.map(() => expect.objectContaining(done)));
  expect(most).toBeGreaterThan(1);
  expect(most).toBeLessThanOrEqual(16);
  expect(await rushed.deps.db.User.countDocuments()).toBe(40);
});
