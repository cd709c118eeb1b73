import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { Types } from "mongoose";
import { pino } from "pino";
import { beforeEach, expect, onTestFinished, test, vi } from "vitest";
import { grantRoles } from "../../src/jobs/grant-roles.js";
import { createIdentity } from "../../src/services/identity.js";
import { applicant, apply, decide, providerRole } from "../support/applications.js";
import { identityOf, type SignedIn, startTestServer } from "../support/server.js";

const server = await startTestServer();
let admin: SignedIn;
let person: SignedIn;
let id: string;
beforeEach(async () => {
  identityOf(server.sandbox).faults.clear();
  // What an earlier test left behind is none of the job's business here.
  await server.deps.db.EducatorApplication.deleteMany({});
  admin = await server.signedIn("admin");
  person = await applicant(server);
  id = await apply(server, person);
});

const approved = { status: 200, body: { success: true, message: "Application approved. Educator role granted." } };
const shown = async () => (await server.get("/api/educator/application-status", person.token)).body.application.status;
const teaches = async () => (await server.get("/api/educator/courses", person.token)).status === 200;
const stored = () => server.deps.db.EducatorApplication.findById(id).lean();
const runJob = (on = server) => grantRoles(on.deps).run(new AbortController().signal);
const becomeDue = () =>
  server.deps.db.EducatorApplication.updateOne({ _id: id }, { $set: { nextAttemptAt: new Date(0) } });
const audited = async () =>
  (await server.get("/api/admin/audit", admin.token)).body.entries
    .filter(({ actorId }: any) => actorId === admin.id)
    .map(({ action }: any) => action)
    .sort();
/** How often the provider was told: it announces each change of metadata. */
const told = async () => {
  const identity = identityOf(server.sandbox);
  await identity.settled();
  return identity.deliveries().filter((delivery) => JSON.stringify(delivery).includes(person.id)).length;
};

/** The state that a crash right after the first write of an approval leaves. */
async function crashAfterDecision(): Promise<void> {
  const decision = { outcome: "approved", submission: 1, by: admin.id, at: new Date(), requestId: "crashed" };
  await server.deps.db.EducatorApplication.updateOne(
    { _id: id },
    { $set: { status: "approving", decision, unaudited: true, nextAttemptAt: new Date(0) } },
  );
}

/** The state after the second write. */
async function crashAfterRole(): Promise<void> {
  await crashAfterDecision();
  await server.deps.db.RoleRecord.create({
    _id: person.id,
    role: "educator",
    writtenAt: new Date(),
    grantedFor: id,
  });
}

async function expectFinished(): Promise<void> {
  expect(await shown()).toBe("approved");
  expect(await teaches()).toBe(true);
  expect(providerRole(server, person.id)).toBe("educator");
  expect(await stored()).toMatchObject({ status: "approved", unaudited: false });
  expect(await audited()).toEqual(["application.approve", "role.change"]);
}

test("a crash right after the decision shows a pending application; the job finishes the approval", async () => {
  await crashAfterDecision();
  expect(await shown()).toBe("pending");
  expect(await teaches()).toBe(false);
  const { pendingApplications } = (await server.get("/api/admin/stats", admin.token)).body.stats;
  expect(pendingApplications).toBe(1);
  await runJob();
  await expectFinished();
});

test("a crash after the role record shows an approved application; the job tells the provider", async () => {
  await crashAfterRole();
  expect(await shown()).toBe("approved");
  expect(await teaches()).toBe(true);
  const listed = await server.get("/api/admin/educator-applications?status=approved", admin.token);
  expect(listed.body.applications).toMatchObject([{ _id: id, status: "approved" }]);
  await runJob();
  await expectFinished();
});

test("a crash after the provider was told tells it again and ends the same", async () => {
  await crashAfterRole();
  await server.deps.identity.setRole(person.id, "educator");
  await runJob();
  await expectFinished();
});

test("repeating the request after a crash finishes it as well, and rejecting is too late", async () => {
  await crashAfterDecision();
  expect(await decide(server, admin, id, "reject")).toMatchObject({ status: 409 });
  expect(await decide(server, admin, id, "approve")).toMatchObject(approved);
  await expectFinished();
});

test("a crash before a rejection is audited is made good", async () => {
  const decision = { outcome: "rejected", submission: 1, reason: "no", by: admin.id, at: new Date(), requestId: null };
  await server.deps.db.EducatorApplication.updateOne(
    { _id: id },
    { $set: { status: "rejected", rejectionReason: "no", decision, unaudited: true } },
  );
  await runJob();
  await runJob();
  expect(await audited()).toEqual(["application.reject"]);
});

test("two instances that find the same work do it once", async () => {
  const other = await server.another();
  await crashAfterDecision();
  await Promise.all([runJob(), runJob(other), runJob(), runJob(other)]);
  await expectFinished();
  expect(await told()).toBe(1);
});

test("while the provider fails the role is in force all the same; it is told when it has healed", async () => {
  const { faults } = identityOf(server.sandbox);
  faults.add({ kind: "error", status: 503, on: "users.metadata" });
  expect(await decide(server, admin, id, "approve")).toMatchObject(approved);
  expect(await shown()).toBe("approved");
  expect(await teaches()).toBe(true);

  const pauses: number[] = [];
  for (let attempt = 2; attempt <= 9; attempt += 1) {
    await becomeDue();
    const before = Date.now();
    await runJob();
    const after = await stored();
    expect(after).toMatchObject({ status: "approving", attempts: attempt });
    pauses.push(Math.round(((after?.nextAttemptAt?.getTime() ?? 0) - before) / 1000));
  }
  expect(pauses).toEqual([4, 8, 16, 32, 60, 60, 60, 60]);
  expect(providerRole(server, person.id)).toBeUndefined();

  faults.clear();
  await runJob(); // not due yet
  expect(providerRole(server, person.id)).toBeUndefined();
  await becomeDue();
  await runJob();
  await expectFinished();
});

test("a provider that goes on failing is in the log now and then, without what it says", async () => {
  const lines: { msg: string; attempt?: number; cause?: string }[] = [];
  const log = pino({ base: null }, { write: (line: string) => void lines.push(JSON.parse(line)) });
  const leaky = createServer((_req, res) => {
    res.writeHead(500, { "content-type": "application/json" });
    res.end(JSON.stringify({ errors: [{ code: "internal", message: "no metadata of asha.rao@example.com" }] }));
  }).listen(0, "127.0.0.1");
  await once(leaky, "listening");
  onTestFinished(() => void leaky.close());
  const apiUrl = `http://127.0.0.1:${(leaky.address() as AddressInfo).port}`;
  const identity = createIdentity({ secretKey: "key", apiUrl });
  await crashAfterDecision();
  for (let attempt = 1; attempt <= 12; attempt += 1) {
    await becomeDue();
    await grantRoles({ db: server.deps.db, identity, log }).run(new AbortController().signal);
  }
  expect(await stored()).toMatchObject({ status: "approving", attempts: 12 });
  expect(lines).toMatchObject([{ attempt: 1 }, { attempt: 10 }]);
  for (const { cause } of lines) expect(cause).toBe("Error: the identity provider answered 500");
});

test("the running server finishes by itself when the provider comes back", async () => {
  identityOf(server.sandbox).faults.add({ kind: "error", on: "users.metadata", times: 1 });
  expect(await decide(server, admin, id, "approve")).toMatchObject(approved);
  const { startJobs } = await import("../../src/jobs/scheduler.js");
  const jobs = startJobs([grantRoles(server.deps)], server.deps.db, server.deps.log);
  await vi.waitFor(async () => expect((await stored())?.status).toBe("approved"), { timeout: 15_000, interval: 100 });
  await jobs.stop();
  await expectFinished();
});

test("a provider that does not answer does not hold up the approval", async () => {
  identityOf(server.sandbox).faults.add({ kind: "slow", ms: 3_500, on: "users.metadata", times: 1 });
  expect(await decide(server, admin, id, "approve")).toMatchObject(approved);
  expect(await shown()).toBe("approved");
  expect(providerRole(server, person.id)).toBeUndefined();
  await vi.waitFor(async () => expect((await stored())?.status).toBe("approved"), { timeout: 15_000, interval: 100 });
  await expectFinished();
});

test.each(["admin", "student"] as const)(
  "a role of %s that the provider gave in the meantime is not undone",
  async (role) => {
    await crashAfterRole();
    const identity = identityOf(server.sandbox);
    await identity.updateUser(person.id, { role });
    await identity.settled();
    await runJob();
    expect(await stored()).toMatchObject({ status: "approved" });
    expect(providerRole(server, person.id)).toBe(role);
    expect(await teaches()).toBe(false);
    expect((await server.get("/api/admin/stats", person.token)).status).toBe(role === "admin" ? 200 : 403);
  },
);

test("somebody who became an administrator before the role was written stays one, and the application is pending", async () => {
  await crashAfterDecision();
  await server.deps.db.RoleRecord.create({ _id: person.id, role: "admin", writtenAt: new Date() });
  await runJob();
  expect(await shown()).toBe("pending");
  expect((await server.get("/api/admin/stats", person.token)).status).toBe(200);
  expect(await decide(server, admin, id, "approve")).toMatchObject({
    status: 409,
    body: { message: "Applicant is an administrator." },
  });
});

test("an account that no longer exists does not keep the job busy", async () => {
  await crashAfterRole();
  await identityOf(server.sandbox).deleteUser(person.id);
  await identityOf(server.sandbox).settled();
  await runJob();
  expect(await stored()).toMatchObject({ status: "approved" });
});

test("an approval that a role record from an earlier event precedes puts the new role in force", async () => {
  const later = new Date(Date.now() + 60_000);
  await server.deps.db.RoleRecord.create({ _id: person.id, role: "student", writtenAt: later });
  expect(await decide(server, admin, id, "approve")).toMatchObject(approved);
  await expectFinished();
  const { entries } = (await server.get("/api/admin/audit", admin.token)).body;
  const change = { before: { role: "student" }, after: { role: "educator" } };
  expect(entries.slice(0, 2)).toContainEqual(expect.objectContaining(change));
});

test("applications of others are left alone", async () => {
  expect(await runJob()).toBeUndefined();
  expect(await shown()).toBe("pending");
  expect(await decide(server, admin, String(new Types.ObjectId()), "approve")).toMatchObject({ status: 404 });
  expect(await teaches()).toBe(false);
});
