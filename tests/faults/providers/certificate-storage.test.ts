import { randomUUID } from "node:crypto";
import { Types } from "mongoose";
import { afterEach, describe, expect, test } from "vitest";
import { certificateRoom } from "../../api/certificates/certified.js";
import { pathRoom } from "../../api/paths/path-room.js";
import { buildChapters } from "../../factories/course-content.js";
import { buildCourse, enroll } from "../../factories/courses.js";
import { runCommand } from "../../server/compiled.js";
import { dieAtEveryWrite, requestBy } from "../../server/dying-instance.js";
import { storageOf } from "../../server/emulators.js";
import { runJob } from "../../server/run-job.js";
import { type SignedIn, startTestServer } from "../../server/test-server.js";

const server = await startTestServer({ own: "runs a job over all certificates" });

const storage = () => storageOf(server.emulators);
afterEach(() => storage().faults.clear());

async function enrolled() {
  const learner = await server.signedIn();
  const course = await buildCourse(server, { courseContent: buildChapters(1, 1) });
  await enroll(server, learner.id, course._id);
  return { learner, courseId: String(course._id) };
}
const complete = (learner: SignedIn, courseId: string) =>
  server.post("/api/user/update-course-progress", { courseId, lectureId: "ch1-l1" }, learner.token);
const generate = (learner: SignedIn, courseId: string) =>
  server.post(`/api/user/certificate/generate/${courseId}`, {}, learner.token);
const exists = async (learner: SignedIn, courseId: string): Promise<boolean> =>
  (await server.get(`/api/user/certificate/check/${courseId}`, learner.token)).body.certificateExists;
const rowOf = (learner: SignedIn) => server.deps.db.Certificate.findOne({ userId: learner.id }).lean();
const storedFor = async (learner: SignedIn) => {
  const { certificateId = "none" } = (await rowOf(learner)) ?? {};
  return storage()
    .assets()
    .filter(({ publicId }) => publicId.includes(certificateId));
};
const produce = () => runJob(server, "produce-certificates");
const pauseIsOver = (learner: SignedIn) =>
  server.deps.db.Certificate.updateOne({ userId: learner.id }, { $set: { nextAttemptAt: new Date() } });

const withoutPdf = {
  status: 200,
  body: { success: true, message: "Progress Updated", isCourseCompleted: true, certificateAvailable: false },
};

describe("while the media storage is down", () => {
  test.each(["error", "cut", "lost-reply", "garbled"] as const)(
    "%s: progress is kept, and the next progress call after it is back produces the certificate",
    async (kind) => {
      const { learner, courseId } = await enrolled();
      storage().faults.add({ kind, on: "upload" });
      expect(await complete(learner, courseId)).toMatchObject(withoutPdf);
      expect(await complete(learner, courseId)).toMatchObject(withoutPdf);
      expect(await exists(learner, courseId)).toBe(false);
      storage().faults.clear();
      expect((await complete(learner, courseId)).body.certificateAvailable).toBe(true);
      expect(await storedFor(learner)).toHaveLength(1);
    },
  );

  test("generate says that it failed, and works once the storage is back", async () => {
    const { learner, courseId } = await enrolled();
    storage().faults.add({ kind: "error", on: "upload" });
    await complete(learner, courseId);
    expect(await generate(learner, courseId)).toMatchObject({
      status: 500,
      body: { success: false, message: "An unexpected error occurred" },
    });
    storage().faults.clear();
    expect(await generate(learner, courseId)).toMatchObject({ status: 200, body: { created: true } });
    expect(await storedFor(learner)).toHaveLength(1);
  });

  test("the background job produces the certificate once the storage is back and its pause is over", async () => {
    const { learner, courseId } = await enrolled();
    storage().faults.add({ kind: "error", on: "upload" });
    await complete(learner, courseId);
    storage().faults.clear();
    await produce();
    expect(await exists(learner, courseId)).toBe(false);
    await pauseIsOver(learner);
    await produce();
    expect(await exists(learner, courseId)).toBe(true);
    expect(await storedFor(learner)).toHaveLength(1);
  });
});

test("certificates that go on failing do not delay new ones", async () => {
  const { Certificate } = server.deps.db;
  const old = Array.from({ length: 120 }, (_, n) => ({
    ...{ userId: `user_gone_${n}`, courseId: new Types.ObjectId(), certificateId: randomUUID(), courseTitle: "x" },
    ...{ completionDate: new Date(), status: "pending", attempts: 9, nextAttemptAt: new Date(n) },
  }));
  await Certificate.insertMany(old);
  const { learner, courseId } = await enrolled();
  storage().faults.add({ kind: "error", on: "upload" });
  await complete(learner, courseId);
  storage().faults.clear();
  await pauseIsOver(learner);
  await produce();
  expect(await exists(learner, courseId)).toBe(true);
  await Certificate.deleteMany({ userId: /^user_gone_/ });
});

test("the certificates of one course delay no others, nor those that version 1.0 has left", async () => {
  const { Certificate } = server.deps.db;
  const { _id: courseId } = await buildCourse(server);
  const waiting = (userId: string) => ({
    ...{ userId, courseId, certificateId: randomUUID(), studentName: "Asha Rao", courseTitle: "x" },
    ...{ completionDate: new Date(), status: "pending" as const, nextAttemptAt: new Date(1) },
  });
  const itemId = String(courseId);
  await Certificate.insertMany(Array.from({ length: 60 }, (_, n) => ({ ...waiting(`user_many_${n}`), itemId })));
  await Certificate.collection.insertOne({ _id: new Types.ObjectId(), ...waiting("user_former") });
  const room = await pathRoom(server);
  await room.complete(0);
  await room.complete(1);
  const [stop, issued] = [new AbortController(), { status: "issued" as const }];
  const running = runJob(server, "produce-certificates", stop.signal);
  const others = { $or: [{ pathId: room.path._id }, { userId: "user_former" }] };
  await expect.poll(() => Certificate.countDocuments({ ...others, ...issued }), { timeout: 20_000 }).toBe(2);
  stop.abort();
  await running;
  expect(await Certificate.countDocuments({ courseId, ...issued })).toBeLessThan(10);
  await Certificate.deleteMany({ courseId });
});

test("while the media storage is slow, progress answers without the certificate, whose production goes on", async () => {
  const { learner, courseId } = await enrolled();
  // Longer than the four seconds that progress waits for it, and than the request after it.
  storage().faults.add({ kind: "slow", ms: 5_500, on: "upload" });
  const answers = await Promise.all([complete(learner, courseId), complete(learner, courseId)]);
  for (const answer of answers) expect(answer).toMatchObject(withoutPdf);
  expect(await exists(learner, courseId)).toBe(false);
  await expect.poll(() => exists(learner, courseId)).toBe(true);
  expect(await storedFor(learner)).toHaveLength(1);
});

test("after a crash in the middle of a production, generate waits for the lease to expire and produces the certificate", async () => {
  const { learner, courseId } = await enrolled();
  storage().faults.add({ kind: "error", on: "upload" });
  await complete(learner, courseId);
  storage().faults.clear();
  const name = `certificate:${(await rowOf(learner))?.certificateId}`;
  await server.deps.db.Lease.create({ _id: name, holder: "dead", expiresAt: new Date(Date.now() + 300) });
  expect(await generate(learner, courseId)).toMatchObject({ status: 200, body: { created: true } });
  expect(await storedFor(learner)).toHaveLength(1);
});

test.each(["application/json", "text/html"])(
  "while the database is away, verification as %s answers 500 and claims nothing",
  async (type) => {
    const instance = await server.another();
    await instance.deps.database.close();
    const id = "1b4e28ba-2fa1-41d2-883f-0016d3cca427";
    const answer = await instance.get(`/api/certificate/verify/${id}`, undefined, { accept: type });
    expect(answer.status).toBe(500);
    expect(answer.headers.get("content-type")).toContain(type);
    expect(answer.headers.get("vary")).toContain("Accept");
    if (type === "application/json") {
      expect(answer.body).toEqual({ success: false, valid: false, message: "An unexpected error occurred" });
    } else {
      expect(answer.body).toContain("could not be checked");
    }
  },
);

test("an instance that dies at any write of a reissue or revocation leaves the former edition or the next one", async () => {
  for (const action of ["reissue", "revoke"] as const) {
    const committed = new Set<number>();
    await dieAtEveryWrite(
      server,
      async () => {
        const room = await certificateRoom(server);
        const learner = await room.learner();
        const id = await room.complete(learner);
        const [before] = await room.list(learner);
        const body = { reason: "Misspelt", ...(action === "reissue" && { studentName: "Asha Corrected" }) };
        const path = room.path(`certificates/${id}/${action}`);
        return {
          request: requestBy(room.educator, "POST", path, body),
          async check(died, writes) {
            const [now] = await room.list(learner);
            const isChanged = now?.edition !== 1 || now.state !== "valid";
            if (isChanged) committed.add(writes);
            if (died && !isChanged) expect(now).toEqual(before);
            else expect(now).toMatchObject(action === "reissue" ? { edition: 2 } : { state: "revoked" });
            await server.deps.db.DiscardedPdf.updateMany({ certificateId: id }, { discardAt: new Date() });
            await runJob(server, "discard-certificates");
            expect(room.filesOf(id)).toHaveLength(now?.state === "revoked" ? 0 : 1);
            if (now?.state !== "revoked") expect((await fetch(String(now?.pdfUrl))).status).toBe(200);
          },
        };
      },
      (writes) => (committed.has(writes) ? 200 : 500),
    ); // the last write releases the lease
  }
});

test("an operator reads what is known of one certificate", async () => {
  const { learner, courseId } = await enrolled();
  storage().faults.add({ kind: "error", on: "upload" });
  await complete(learner, courseId);
  storage().faults.clear();
  const look = (...ids: string[]) => {
    const variables = { ...server.emulators.env, MONGODB_URI: server.databaseUri };
    return runCommand("ops/certificate.ts", ids, variables);
  };
  const row = await rowOf(learner);
  const { code, stdout } = await look(learner.id, courseId);
  expect([code, stdout.split("\n")]).toEqual([0, expect.arrayContaining(["state: pending", "profile: present"])]);
  expect(stdout).toContain(`next attempt: ${row?.nextAttemptAt.toISOString()}`);
  expect(stdout).toContain(`file: certificates/${row?.certificateId}.pdf`);
  const { body } = await generate(learner, courseId);
  await server.deps.db.User.deleteOne({ _id: learner.id });
  const issued = (await look(learner.id, courseId)).stdout.split("\n");
  expect(issued).toEqual(
    expect.arrayContaining(["state: valid", "profile: missing", "next attempt: none", `address: ${body.pdfUrl}`]),
  );
  const { courseId: other } = await enrolled();
  const none = { code: 1, stdout: "", stderr: expect.stringContaining("no certificate") };
  expect(await look(learner.id, other)).toMatchObject(none);
  const usage = "Usage: npm run certificate -- <user id> <course id>\n";
  expect(await look(learner.id, "no-id")).toMatchObject({ code: 1, stderr: usage });
});
