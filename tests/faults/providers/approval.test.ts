import { pino } from "pino";
import { beforeEach, expect, onTestFinished, test } from "vitest";
import { createIdentity, type Identity } from "../../../src/providers/clerk.js";
import { approveApplication } from "../../../src/services/educators/decide-application.js";
import { applicant, apply, decide, providerRole } from "../../factories/applications.js";
import { deliverIdentity, userData } from "../../factories/identity-events.js";
import { startWebServer } from "../../server/after-use.js";
import { startDatabaseProxy } from "../../server/database-proxy.js";
import { dieAtEveryWrite, requestBy } from "../../server/dying-instance.js";
import { identityOf } from "../../server/emulators.js";
import { runJob } from "../../server/run-job.js";
import { type SignedIn, startTestServer, type TestServer } from "../../server/test-server.js";

const server = await startTestServer({ own: "runs jobs over all rows" });
let admin: SignedIn;
let user: SignedIn;
let id: string;
beforeEach(async () => {
  identityOf(server.emulators).faults.clear();
  await startAnew();
});

/** A new application, the only one. */
async function startAnew(): Promise<void> {
  await server.deps.db.EducatorApplication.deleteMany({});
  admin = await server.signedIn("admin");
  user = await applicant(server);
  id = await apply(server, user);
}

const approved = { status: 200, body: { success: true, message: "Application approved. Educator role granted." } };
const shown = async () => (await server.get("/api/educator/application-status", user.token)).body.application.status;
const teaches = async () => (await server.get("/api/educator/courses", user.token)).status === 200;
const stored = () => server.deps.db.EducatorApplication.findById(id).lean();
const writeRoles = (on: Pick<TestServer, "deps"> = server) => runJob(on, "write-roles");
const becomeDue = () =>
  server.deps.db.EducatorApplication.updateOne({ _id: id }, { $set: { nextAttemptAt: new Date(1) } });
const audited = async () =>
  (await server.get("/api/admin/audit", admin.token)).body.entries
    .filter(({ actorId }: any) => actorId === admin.id)
    .map(({ action }: any) => action)
    .sort();
/** How often the provider was told: it announces each change of metadata. */
const told = async () => {
  const identity = identityOf(server.emulators);
  await identity.settled();
  return identity.deliveries().filter((delivery) => JSON.stringify(delivery).includes(user.id)).length;
};

/** The state that a crash right after the approval, before the provider is told, leaves. */
const crashBeforeProvider = () => approveApplication(server.deps.db, id, { userId: admin.id, requestId: "crashed" });

async function expectFinished(): Promise<void> {
  expect(await shown()).toBe("approved");
  expect(await teaches()).toBe(true);
  expect(providerRole(server, user.id)).toBe("educator");
  expect(await stored()).toMatchObject({ status: "approved" });
  expect(await audited()).toEqual(["application.approve", "role.change"]);
}

/** Whether the approval is in force, and what is not as it should be then, or before it. */
async function state() {
  const { db } = server.deps;
  const application = await stored();
  const approved = application?.status !== "pending";
  const role = (await db.RoleRecord.findById(user.id).lean())?.role;
  expect({ role, audited: await audited() }).toEqual(
    approved ? { role: "educator", audited: ["application.approve", "role.change"] } : { role: undefined, audited: [] },
  );
  const { pendingApplications } = (await server.get("/api/admin/stats", admin.token)).body.stats;
  expect(pendingApplications).toBe(approved ? 0 : 1);
  expect(await shown()).toBe(approved ? "approved" : "pending");
  return approved;
}

test("an instance that dies between any two writes of an approval leaves all or nothing; a repeat or the job finishes it", async () => {
  // Four writes and the commit: what comes after them is the provider's part.
  const decided = (writes: number) => writes >= 5;
  await dieAtEveryWrite(
    server,
    async () => {
      const request = await decision("approve");
      return {
        request,
        async check(_died, writes) {
          expect(await state()).toBe(decided(writes));
          await becomeDue();
          if (decided(writes)) await writeRoles();
          else expect(await decide(server, admin, id, "approve")).toMatchObject(approved);
          await expectFinished();
        },
      };
    },
    (writes) => (decided(writes) ? 200 : 500),
  );
}, 60_000);

/** A new application, and the request that decides on it. */
async function decision(path: "approve" | "reject") {
  await startAnew();
  return requestBy(admin, "PATCH", `/api/admin/educator-applications/${id}/${path}`);
}

test("an instance that dies between any two writes of a rejection leaves all or nothing", async () => {
  await dieAtEveryWrite(server, async () => {
    const request = await decision("reject");
    return {
      request,
      async check(died) {
        expect({ status: await shown(), audited: await audited() }).toEqual(
          died ? { status: "pending", audited: [] } : { status: "rejected", audited: ["application.reject"] },
        );
        expect(await decide(server, admin, id, "reject")).toMatchObject({ status: 200 });
        expect(await audited()).toEqual(["application.reject"]);
      },
    };
  });
}, 60_000);

test("an administrator by an event that meets the approval half-way stays one", async () => {
  const door = await startDatabaseProxy(server.databaseUri);
  onTestFinished(() => door.close());
  const slow = await server.another({ MONGODB_URI: door.uri });
  // The role record has been looked for, nothing is written yet.
  const held = door.holdAfter(0);
  const approval = decide(slow, admin, id, "approve");
  await held;
  const identity = identityOf(server.emulators);
  await identity.updateUser(user.id, { role: "admin" });
  await identity.settled();
  door.release();
  expect(await approval).toMatchObject({ status: 409, body: { message: "Applicant is an administrator." } });
  expect(await shown()).toBe("pending");
  expect((await server.get("/api/admin/stats", user.token)).status).toBe(200);
  expect(await audited()).toEqual([]);
});

test("contradicting decisions and events about the role, all at once on two instances, leave one decision", async () => {
  const other = await server.another();
  const identity = identityOf(server.emulators);
  for (let round = 0; round < 6; round += 1) {
    await startAnew();
    const answers = await Promise.all([
      decide(server, admin, id, "approve"),
      decide(other, admin, id, "reject"),
      decide(other, admin, id, "approve"),
      decide(server, admin, id, "reject"),
      identity.updateUser(user.id, { firstName: `Round ${round}` }),
    ]);
    await identity.settled();
    const statuses = answers.slice(0, 4).map((answer) => (answer as { status: number }).status);
    const rejected = (await shown()) === "rejected";
    expect(statuses).toEqual(rejected ? [409, 200, 409, 200] : [200, 409, 200, 409]);
    expect(await teaches()).toBe(!rejected);
    expect(await audited()).toEqual(rejected ? ["application.reject"] : ["application.approve", "role.change"]);
  }
});

test("a crash after the provider was told tells it again and ends the same", async () => {
  await crashBeforeProvider();
  await server.deps.identity.setRole(user.id, "educator");
  await writeRoles();
  await expectFinished();
});

test("two instances that find the same work do it once", async () => {
  const other = await server.another();
  await crashBeforeProvider();
  await Promise.all([writeRoles(), writeRoles(other), writeRoles(), writeRoles(other)]);
  await expectFinished();
  expect(await told()).toBe(1);
});

test("while the provider fails the role is in force all the same; it is told when it works again", async () => {
  const { faults } = identityOf(server.emulators);
  faults.add({ kind: "error", status: 503, on: "users.metadata" });
  expect(await decide(server, admin, id, "approve")).toMatchObject(approved);
  expect(await shown()).toBe("approved");
  expect(await teaches()).toBe(true);

  await becomeDue();
  await writeRoles();
  expect(await stored()).toMatchObject({ status: "approving", attempts: 2 });
  faults.clear();
  await writeRoles(); // not due yet
  expect(providerRole(server, user.id)).toBeUndefined();
  await becomeDue();
  await writeRoles();
  await expectFinished();
});

test("the log of a provider that fails does not repeat what it says", async () => {
  const lines: { cause?: string }[] = [];
  const log = pino({ base: null }, { write: (line: string) => void lines.push(JSON.parse(line)) });
  const leaky = await startWebServer((_req, res) => {
    res.writeHead(500, { "content-type": "application/json" });
    res.end(JSON.stringify({ errors: [{ code: "internal", message: "no metadata of asha.rao@example.com" }] }));
  });
  const identity = createIdentity({ ...server.deps.config.identity, apiUrl: leaky.url });
  await crashBeforeProvider();
  await becomeDue();
  await writeRoles({ deps: { ...server.deps, identity, log } });
  expect(lines).toMatchObject([{ cause: "Error: the identity provider answered 500" }]);
});

test("a provider that does not answer does not hold up the approval", async () => {
  // Longer than the two seconds that an approval waits for it, and than the requests after it.
  identityOf(server.emulators).faults.add({ kind: "slow", ms: 3_500, on: "users.metadata", times: 1 });
  expect(await decide(server, admin, id, "approve")).toMatchObject(approved);
  expect(await shown()).toBe("approved");
  expect(providerRole(server, user.id)).toBeUndefined();
  await expect.poll(stored).toMatchObject({ status: "approved" });
  await expectFinished();
});

test("profile events with the former role do not undo an approval that the provider does not know yet", async () => {
  const identity = identityOf(server.emulators);
  identity.faults.add({ kind: "error", status: 503, on: "users.metadata" });
  expect(await decide(server, admin, id, "approve")).toMatchObject(approved);
  await identity.updateUser(user.id, { lastName: "Iyer", role: "student" });
  await identity.settled();
  expect(await teaches()).toBe(true);
  await identity.updateUser(user.id, { lastName: "Nair", role: null });
  await identity.settled();
  expect([await teaches(), await shown()]).toEqual([true, "approved"]);
  const now = Date.now();
  identity.faults.clear();
  await becomeDue();
  await writeRoles();
  await expectFinished();
  // Sent before the provider knew, and late.
  const late = userData(user.id, "asha@example.com", { updated_at: now, public_metadata: { role: "student" } });
  expect(await deliverIdentity(server, late, "user.updated")).toBe(200);
  await identity.settled();
  await expectFinished();
  // A later decision of the provider counts.
  await identity.updateUser(user.id, { role: "student" });
  await identity.settled();
  expect(await teaches()).toBe(false);
});

test("a role that changes at the provider while it is told of the approval is written over before the approval counts as done", async () => {
  await crashBeforeProvider();
  const { identity } = server.deps;
  // Right after the provider wrote the role it is changed there, and the event comes before the reply.
  const changed: Identity = {
    async setRole(userId, role) {
      const writtenAt = await identity.setRole(userId, role);
      await identityOf(server.emulators).updateUser(userId, { role: "student" });
      await identityOf(server.emulators).settled();
      return writtenAt;
    },
  };
  await writeRoles({ deps: { ...server.deps, identity: changed } });
  expect(await stored()).toMatchObject({ status: "approving", attempts: 1 });
  expect([await teaches(), providerRole(server, user.id)]).toEqual([true, "student"]);
  await becomeDue();
  await writeRoles();
  await expectFinished();
});

test("profile events and attempts at the provider, all at once on two instances, end in the role on both sides", async () => {
  const other = await server.another();
  const identity = identityOf(server.emulators);
  for (let round = 0; round < 4; round += 1) {
    await startAnew();
    await crashBeforeProvider();
    const rename = async () => {
      for (let n = 0; n < 3; n += 1) await identity.updateUser(user.id, { firstName: `${round}.${n}` });
    };
    await Promise.all([rename(), writeRoles(), rename(), writeRoles(other), rename()]);
    await identity.settled();
    await becomeDue();
    await writeRoles();
    await identity.settled();
    expect(await stored()).toMatchObject({ status: "approved" });
    expect([await teaches(), providerRole(server, user.id)]).toEqual([true, "educator"]);
  }
});

test("an applicant whom the provider made an administrator in the meantime stays one, and the application is pending", async () => {
  await crashBeforeProvider();
  const identity = identityOf(server.emulators);
  await identity.updateUser(user.id, { role: "admin" });
  await identity.settled();
  await writeRoles();
  expect(await stored()).toMatchObject({ status: "pending" });
  expect(providerRole(server, user.id)).toBe("admin");
  expect(await teaches()).toBe(false);
  expect((await server.get("/api/admin/stats", user.token)).status).toBe(200);
  const refused = { status: 409, body: { message: "Applicant is an administrator." } };
  expect(await decide(server, admin, id, "approve")).toMatchObject(refused);
  // A role that is taken back meanwhile leaves an applicant like any other.
  await identity.updateUser(user.id, { role: null });
  await identity.settled();
  expect((await server.get("/api/admin/stats", user.token)).status).toBe(403);
  expect(await decide(server, admin, id, "approve")).toMatchObject(approved);
  expect([await teaches(), await shown(), providerRole(server, user.id)]).toEqual([true, "approved", "educator"]);
});

test("an account that no longer exists does not keep the job busy", async () => {
  await crashBeforeProvider();
  await identityOf(server.emulators).deleteUser(user.id);
  await identityOf(server.emulators).settled();
  await writeRoles();
  expect(await stored()).toMatchObject({ status: "approved" });
});

test("an approval that a role record from an earlier event precedes puts the new role in force", async () => {
  const later = new Date(Date.now() + 60_000);
  await server.deps.db.RoleRecord.create({ _id: user.id, role: "student", writtenAt: later });
  expect(await decide(server, admin, id, "approve")).toMatchObject(approved);
  await expectFinished();
  const { entries } = (await server.get("/api/admin/audit", admin.token)).body;
  const change = { before: { role: "student" }, after: { role: "educator" } };
  expect(entries.slice(0, 2)).toContainEqual(expect.objectContaining(change));
});
