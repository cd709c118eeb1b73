import { randomUUID } from "node:crypto";
import { expect, test } from "vitest";
import { backgroundJobs } from "../../../src/jobs/index.js";
import { refusal } from "../../assertions/refusal.js";
import { storageOf } from "../../server/emulators.js";
import { runJob } from "../../server/run-job.js";
import { startTestServer } from "../../server/test-server.js";
import { wrongFigures } from "../learners/classroom.js";
import { certificateRoom } from "./certified.js";

const server = await startTestServer({ own: "runs jobs over all certificates" });
const { db } = server.deps;
const room = await certificateRoom(server);
const discard = () => runJob(server, "discard-certificates");
const missing = refusal(404, "Certificate not found");
const reason = "Misspelt";

test("a learner reissues a certificate with the name of the profile, three times", async () => {
  const learner = await room.learner();
  const id = await room.complete(learner);
  const [first] = await room.list(learner);
  expect(first).toMatchObject({ certificateId: id, state: "valid", edition: 1, canReissue: false, canRenew: false });
  expect(await room.own(learner, id, "reissue")).toMatchObject(refusal(409, "Nothing to change"));
  await room.rename(learner, " \u3164");
  expect(await room.own(learner, id, "reissue")).toMatchObject(refusal(409, "Nothing to change"));
  for (const edition of [2, 3, 4]) {
    await room.rename(learner, `Asha Rao ${edition}`);
    expect((await room.list(learner))[0]).toMatchObject({ canReissue: true });
    const { status, body } = await room.own(learner, id, "reissue");
    expect(status).toBe(200);
    expect(body.certificate).toMatchObject({
      studentName: `Asha Rao ${edition}`,
      edition,
      reissuedAt: expect.any(String),
    });
    expect(body.certificate.pdfUrl).not.toBe(first?.pdfUrl);
    await discard();
    expect(room.filesOf(id)).toEqual([expect.stringContaining(`${id}-${edition}-`)]);
  }
  await room.rename(learner, "Asha Rao 5");
  expect(await room.own(learner, id, "reissue")).toMatchObject(refusal(409, "Certificate was reissued too often"));
  const { studentName, formerEditions } = await room.rowOf(id);
  expect(studentName).toBe("Asha Rao 4");
  expect(formerEditions?.map((former) => [former.edition, former.studentName])).toEqual([
    ...[1, 2, 3].map((edition) => [edition, edition === 1 ? "Asha Rao" : `Asha Rao ${edition}`]),
  ]);
  const { body } = await room.verify(id);
  expect(body.certificate).toMatchObject({ studentName: "Asha Rao 4", reissuedAt: expect.any(String) });
  await db.User.deleteOne({ _id: learner.id });
  expect(await room.own(learner, id, "reissue")).toMatchObject(refusal(404, "User not found"));
});

test("of ten equal reissues at once, by learner and staff on two instances, one makes an edition", async () => {
  const learner = await room.learner();
  const id = await room.complete(learner);
  await room.rename(learner, "Asha Corrected");
  const second = await server.another();
  const answers = await Promise.all(
    Array.from({ length: 10 }, (_, n) => {
      const instance = n % 2 ? second : server;
      return n % 3 === 0
        ? instance.post(`/api/user/certificates/${id}/reissue`, {}, learner.token)
        : instance.post(room.path(`certificates/${id}/reissue`), { reason }, room.educator.token);
    }),
  );
  expect(answers.map(({ status }) => status).sort()).toEqual([200, ...Array(9).fill(409)]);
  expect(await room.rowOf(id)).toMatchObject({ studentName: "Asha Corrected", edition: 2 });
  await discard();
  expect(room.filesOf(id)).toHaveLength(1);
});

test("staff correct a name, revoke a certificate and give it back", async () => {
  const learner = await room.learner();
  const id = await room.complete(learner);
  const act = (action: string, body: object, role?: "admin") => room.post(`certificates/${id}/${action}`, body, role);
  expect(await act("reissue", { reason })).toMatchObject(refusal(409, "Nothing to change"));
  expect((await act("reissue", { studentName: "A", reason: "" })).status).toBe(400);
  const { body: corrected } = await act("reissue", { studentName: "Āśā Rāo", reason });
  expect(corrected.certificate).toEqual({
    ...{ kind: "course", courseId: room.courseId, pathId: null },
    ...{ certificateId: id, userId: learner.id, studentName: "Āśā Rāo", state: "valid", edition: 2 },
    ...{ completionDate: expect.any(String), issuedAt: expect.any(String) },
    ...{ expiresAt: null, revokedAt: null, reason: null },
  });

  const { body: revoked } = await act("revoke", { reason: "Copied work" }, "admin");
  expect(revoked.certificate).toMatchObject({ state: "revoked", reason: "Copied work", revokedAt: expect.any(String) });
  expect(await act("revoke", { reason })).toMatchObject(refusal(409, "Certificate was revoked"));
  expect(await room.own(learner, id, "reissue")).toMatchObject(refusal(409, "Certificate was revoked"));
  expect(await room.own(learner, id, "renew")).toMatchObject(refusal(409, "Certificate was revoked"));
  expect((await room.list(learner))[0]).toMatchObject({
    ...{ state: "revoked", pdfUrl: null, linkedinUrl: null, canReissue: false, canRenew: false },
  });
  await discard();
  expect(room.filesOf(id)).toEqual([]);
  const path = (name: string) => `/api/user/certificate/${name}${room.courseId}`;
  expect((await server.get(path("check/"), learner.token)).body).toMatchObject({ certificateExists: false });
  expect(await server.get(path(""), learner.token)).toMatchObject(refusal(404, "Certificate was revoked"));
  expect(await server.post(path("generate/"), {}, learner.token)).toMatchObject(
    refusal(404, "Certificate was revoked"),
  );
  const again = { courseId: room.courseId, lectureId: "ch1-l1" };
  const { body: progress } = await server.post("/api/user/update-course-progress", again, learner.token);
  expect(progress).toMatchObject({ isCourseCompleted: true, certificateAvailable: false });
  expect((await room.verify(id)).body).toEqual({
    ...{ success: true, valid: false },
    certificate: {
      ...{ certificateId: id, courseTitle: room.course.courseTitle, state: "revoked" },
      ...{ issuedAt: expect.any(String), revokedAt: expect.any(String) },
    },
  });

  const { body: back } = await act("reissue", { reason: "A mistake" });
  // The profile's name comes before the present one.
  expect(back.certificate).toMatchObject({ state: "valid", edition: 3, studentName: "Asha Rao", reason: null });
  expect((await room.verify(id)).body).toMatchObject({ valid: true, certificate: { state: "valid" } });
  const entries = await db.AuditEntry.find({ targetKind: "certificate", targetId: id }).sort({ _id: 1 }).lean();
  expect(entries.map(({ action, actorId, after }) => [action, actorId, (after as { reason: string }).reason])).toEqual([
    ["certificate.reissue", room.educator.id, reason],
    ["certificate.revoke", room.admin.id, "Copied work"],
    ["certificate.reissue", room.educator.id, "A mistake"],
  ]);
  const events = await db.Event.find({ "data.certificateId": id }).sort({ _id: 1 }).lean();
  expect(events.map(({ type, data }) => [type, data.edition])).toEqual([
    ["certificate.issued", 1],
    ["certificate.reissued", 2],
    ["certificate.revoked", undefined],
    ["certificate.reissued", 3],
  ]);
  expect(JSON.stringify(events)).not.toMatch(/Copied|mistake|Asha/);
});

test("a certificate of somebody else, a pending one and none are not found", async () => {
  const [learner, other] = [await room.learner(), await room.learner()];
  const id = await room.complete(learner);
  await db.Certificate.updateOne({ certificateId: await room.complete(other) }, { status: "pending", pdfUrl: null });
  const pending = (await db.Certificate.findOne({ userId: other.id }).orFail().lean()).certificateId;
  for (const action of ["reissue", "renew"] as const) {
    expect(await room.own(other, id, action)).toMatchObject(missing);
    expect(await room.own(other, pending, action)).toMatchObject(missing);
    expect(await room.own(other, "none", action)).toMatchObject(missing);
  }
  for (const action of ["reissue", "revoke"]) {
    expect(await room.post(`certificates/${pending}/${action}`, { reason })).toMatchObject(missing);
    expect(await room.post(`certificates/${randomUUID()}/${action}`, { reason })).toMatchObject(missing);
  }
  const elsewhere = await certificateRoom(server);
  expect(await elsewhere.post(`certificates/${id}/revoke`, { reason }, "admin")).toMatchObject(missing);
  expect((await room.list(other))[0]).toMatchObject({ state: "pending", studentName: null, edition: 1, pdfUrl: null });
});

test("renewal begins the course again, once, and the next completion makes a further certificate", async () => {
  const learner = await room.learner();
  const id = await room.complete(learner);
  const tooEarly = refusal(409, "Certificate does not expire soon");
  expect(await room.own(learner, id, "renew")).toMatchObject(tooEarly);
  await room.endIn(id, 91);
  expect(await room.own(learner, id, "renew")).toMatchObject(tooEarly);
  await room.endIn(id, 89);
  expect((await room.list(learner))[0]).toMatchObject({ canRenew: true });
  await db.Enrollment.updateOne({ userId: learner.id }, { active: false });
  expect(await room.own(learner, id, "renew")).toMatchObject(refusal(403, "Course not purchased"));
  await db.Enrollment.updateOne({ userId: learner.id }, { active: true });
  const both = await Promise.all([room.own(learner, id, "renew"), room.own(learner, id, "renew")]);
  expect(both.map(({ status, body }) => [status, body])).toEqual(Array(2).fill([200, { success: true }]));
  expect(await db.CourseProgress.countDocuments({ userId: learner.id })).toBe(0);
  expect((await room.list(learner))[0]).toMatchObject({ state: "valid", canRenew: false });

  const further = await room.complete(learner);
  expect(further).not.toBe(id);
  expect((await room.list(learner)).map(({ certificateId }) => certificateId)).toEqual([further, id]);
  expect(await room.own(learner, id, "renew")).toMatchObject(tooEarly);
  // Staff reset the course: with a running certificate nothing further is made.
  await room.post(`learners/${learner.id}/reset`, { reason });
  expect(await room.complete(learner)).toBe(further);
  expect(await wrongFigures(server)).toEqual([]);
});

test("the learner is told of staff's changes and of the end, once, and never why", async () => {
  const learner = await room.learner();
  const id = await room.complete(learner);
  const notices = async () => {
    for (const job of ["number-events", "make-notices"]) await runJob(server, job);
    const found = await db.Notice.find({ userId: learner.id, type: /^certificate/ })
      .sort({ _id: 1 })
      .lean();
    expect(JSON.stringify(found)).not.toContain("secret");
    return found.map(({ type }) => type);
  };
  await room.rename(learner, "Asha Own");
  await room.own(learner, id, "reissue");
  expect(await notices()).toEqual(["certificate_issued"]);
  await room.post(`certificates/${id}/reissue`, { studentName: "Asha Staff", reason: "secret" });
  await room.post(`certificates/${id}/revoke`, { reason: "secret" });
  expect((await notices()).slice(1).sort()).toEqual(["certificate_reissued", "certificate_revoked"]);
  const ends = { expiresAt: new Date(Date.now() + 1_000_000), noticeDueAt: new Date() };
  await db.Certificate.updateOne({ certificateId: id }, ends);
  expect(await notices()).toHaveLength(3);
  await room.post(`certificates/${id}/reissue`, { reason: "secret" });
  await db.Certificate.updateOne({ certificateId: id }, ends);
  expect((await notices()).slice(-1)).toEqual(["certificate_expires_soon"]);
  await db.Certificate.updateOne({ certificateId: id }, ends);
  expect(await notices()).toHaveLength(5);
});

test("lists have states, names and pages; ends and links are shown", async () => {
  const here = await certificateRoom(server);
  const ids: Record<string, string> = {};
  for (const [name, days] of Object.entries({ Lasting: null, Expiring: 10, Expired: -1, Revoked: 5, "Far End": 100 })) {
    const learner = await here.learner(name);
    const id = await here.complete(learner);
    ids[name] = id;
    if (days !== null) await here.endIn(id, days);
    if (name === "Revoked") await here.post(`certificates/${id}/revoke`, { reason });
    if (name === "Expiring") {
      const [{ linkedinUrl, verifyUrl } = {}] = await here.list(learner);
      const { searchParams } = new URL(String(linkedinUrl));
      expect(Object.fromEntries(searchParams)).toMatchObject({
        ...{ startTask: "CERTIFICATION_NAME", name: here.course.courseTitle, certId: id, certUrl: verifyUrl },
        ...{ issueMonth: String(new Date().getUTCMonth() + 1), expirationYear: expect.stringMatching(/^\d{4}$/) },
      });
    }
    if (name === "Expired") {
      expect((await here.list(learner))[0]).toMatchObject({ state: "expired", linkedinUrl: null, canRenew: true });
      expect((await here.verify(id)).body).toMatchObject({
        success: true,
        valid: false,
        certificate: { state: "expired" },
      });
      await here.rename(learner, "Expired Renamed");
      expect((await here.own(learner, id, "reissue")).body.certificate).toMatchObject({ state: "expired", edition: 2 });
    }
  }
  const found = async (query: string, role?: "admin") =>
    (await here.get(`certificates?${query}`, role)).body.certificates.map(
      ({ studentName }: { studentName: string }) => studentName,
    );
  expect(await found("state=valid")).toEqual(["Far End", "Expiring", "Lasting"]);
  expect(await found("state=expiring", "admin")).toEqual(["Expiring"]);
  expect(await found("state=expired")).toEqual(["Expired Renamed"]);
  expect(await found("state=revoked")).toEqual(["Revoked"]);
  expect(await found("state=pending")).toEqual([]);
  expect(await found("q=expir")).toEqual(["Expired Renamed", "Expiring"]);
  expect((await here.get("certificates?state=other")).status).toBe(400);
  const { body: page } = await here.get("certificates?limit=2");
  const { body: next } = await here.get(`certificates?limit=9&after=${page.nextCursor}`);
  expect([...page.certificates, ...next.certificates]).toHaveLength(5);
  expect(next.nextCursor).toBeNull();
  const stranger = await server.signedIn("educator");
  expect(await server.get(here.path("certificates"), stranger.token)).toMatchObject(refusal(403, "Not authorized"));
});

test("after a failed production nothing has changed, and its file goes", async () => {
  const learner = await room.learner();
  const id = await room.complete(learner);
  const before = await room.rowOf(id);
  await room.rename(learner, "Asha Corrected");
  const { faults } = storageOf(server.emulators);
  faults.add({ kind: "error", on: "upload", times: 5 });
  expect(await room.own(learner, id, "reissue")).toMatchObject(refusal(500, "An unexpected error occurred"));
  faults.clear();
  expect(await room.rowOf(id)).toEqual(before);
  await db.DiscardedPdf.updateMany({ certificateId: id }, { discardAt: new Date() });
  await discard();
  expect(room.filesOf(id)).toEqual([`certificates/${id}.pdf`]);
  expect((await room.own(learner, id, "reissue")).status).toBe(200);
  const job = backgroundJobs(server.deps).find(({ name }) => name === "discard-certificates");
  await discard();
  expect(await job?.backlog()).toMatchObject({ count: 0 });
});
