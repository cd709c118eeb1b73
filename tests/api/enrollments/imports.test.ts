import { expect, test } from "vitest";
import { backgroundJobs } from "../../../src/jobs/index.js";
import { expectRecount } from "../../assertions/recount.js";
import { refusal } from "../../assertions/refusal.js";
import { buildCourse } from "../../factories/courses.js";
import { csvForm } from "../../factories/csv-form.js";
import { signUp } from "../../factories/identity-events.js";
import { activeCourses } from "../../factories/purchases.js";
import { buy } from "../../factories/sales.js";
import { runJob } from "../../server/run-job.js";
import { type SignedIn, startTestServer } from "../../server/test-server.js";

const server = await startTestServer({ own: "recounts all rows" });
const admin = await server.signedIn("admin");
const { db } = server.deps;

const adminPath = "/api/admin/enrollments/import";
const run = () => runJob(server, "import-enrollments");

const send = (content: string | Uint8Array<ArrayBuffer>, path = adminPath, { token } = admin) =>
  server.call("POST", path, { token, body: csvForm(content) });
const shown = async (importId: string) =>
  (await server.get(`/api/admin/enrollments/imports/${importId}`, admin.token)).body.import;
const resultOf = async (importId: string) =>
  (await server.get(`/api/admin/enrollments/imports/${importId}/result.csv`, admin.token)).body as string;
const inDays = (days: number) => new Date(Date.now() + days * 86_400_000).toISOString();

test("each row gets its own outcome, and bad rows do not stop good ones", async () => {
  const [course, other] = [await buildCourse(server), await buildCourse(server)];
  const known = await signUp(server, "known@example.com");
  const owner = await signUp(server, "owner@example.com");
  await buy(server, owner, course._id);
  const expiresAt = inDays(3);
  const rows = [
    ["Known@Example.com", course._id, expiresAt],
    ["new@example.com", course._id, ""],
    ["NEW@example.com", course._id, ""],
    ["owner@example.com", course._id, ""],
    ["owner@example.com", other._id, "2031-01-31"],
    ["nonsense", course._id, ""],
    ["late@example.com", course._id, inDays(-1)],
    ["odd@example.com", course._id, "soon"],
    ["lost@example.com", "665f1c2ab7e4d90012ab34cd", ""],
    ["lost@example.com", "nonsense", ""],
    ["many@example.com", course._id, "", "more"],
    ["few@example.com", course._id],
  ];
  const sent = await send(["email,courseId,expiresAt,", ...rows.map((row) => row.join(","))].join("\n"));
  const { importId } = sent.body;
  expect(sent).toMatchObject({ status: 200, body: { success: true } });
  expect(importId).toMatch(/^[0-9a-f]{24}$/);
  expect(await shown(importId)).toMatchObject({ state: "running", total: 12, granted: 0, finishedAt: null });
  expect(await resultOf(importId)).toContain(`2,Known@Example.com,${course._id},${expiresAt},,\r\n`);
  expect(await run()).toBe("12 rows of enrollments imported");
  expect(await run()).toBeUndefined();
  expect(await shown(importId)).toEqual({
    ...{ state: "done", total: 12, granted: 2, waiting: 2, skipped: 2, failed: 6 },
    ...{ startedAt: expect.stringMatching(/Z$/), finishedAt: expect.stringMatching(/Z$/) },
  });
  const outcomes = (await resultOf(importId))
    .trim()
    .split("\r\n")
    .slice(1)
    .map((line) => line.split(",").slice(-2));
  expect(outcomes).toEqual([
    ["granted", ""],
    ["waiting", "Waits for this e-mail address"],
    ["skipped", "Named by an earlier row"],
    ["skipped", "Already enrolled"],
    ["granted", ""],
    ["failed", "Not an e-mail address"],
    ["failed", "expiresAt is over"],
    ["failed", "expiresAt is not a date"],
    ["failed", "Course not found"],
    ["failed", "Course not found"],
    ["failed", "Wrong number of cells"],
    ["waiting", "Waits for this e-mail address"],
  ]);
  expect(await activeCourses(server, known)).toEqual([String(course._id)]);
  const endOf = async (userId: string) =>
    (await db.Enrollment.findOne({ userId, active: true, kind: "grant" }).lean())?.expiresAt;
  expect(await endOf(known.id)).toEqual(new Date(expiresAt));
  // A date without a time is the end of that day in UTC.
  expect(await endOf(owner.id)).toEqual(new Date("2031-01-31T23:59:59.999Z"));
  const late = await signUp(server, "new@example.com");
  expect(await activeCourses(server, late)).toEqual([String(course._id)]);
  const audited = await db.AuditEntry.find({ "after.importId": importId }).lean();
  expect(audited.map(({ actorId, action }) => `${actorId} ${action}`)).toEqual(
    Array.from({ length: 4 }, () => `${admin.id} enrollment.grant`),
  );
  await expectRecount(server);
});

test("a waiting grant that is over is not in the way of a row", async () => {
  const { _id } = await buildCourse(server);
  const one = await send(`email,courseId,expiresAt\nover@example.com,${_id},${inDays(1)}\n`);
  await run();
  await db.Grant.updateOne({ email: "over@example.com" }, { expiresAt: new Date(Date.now() - 1) });
  const two = await send(`email,courseId,expiresAt\nover@example.com,${_id},\n`);
  await run();
  for (const { body } of [one, two]) expect(await shown(body.importId)).toMatchObject({ waiting: 1, skipped: 0 });
  const grants = await db.Grant.find({ email: "over@example.com" }).sort({ _id: 1 }).lean();
  expect(grants.map(({ state }) => state)).toEqual(["ended", "waiting"]);
});

test.each([
  [
    "a byte order mark, CRLF and quotes",
    (id: string) => `\uFEFFemail,courseId,expiresAt\r\n"a@example.com","${id}",""\r\n`,
  ],
  ["semicolons and spaces", (id: string) => `email; courseId; expiresAt\n a@example.com ; ${id} ;\n`],
  [
    "mixed line ends, capitals, a line for a spreadsheet and rows without a value",
    (id: string) => `sep=;\r\nEMAIL;CourseID;expiresat\r;;\n" a@example.com ";"${id} ";" "\r\n\r;;\r\n`,
  ],
  ["blank lines and no line at the end", (id: string) => `email,courseId,expiresAt\n\n\na@example.com,${id},`],
])("a table with %s is read", async (_, content) => {
  const course = await buildCourse(server);
  const { importId } = (await send(content(String(course._id)))).body;
  await run();
  expect(await shown(importId)).toMatchObject({ total: 1, waiting: 1, failed: 0 });
  expect(await db.Grant.countDocuments({ courseId: course._id, email: "a@example.com" })).toBe(1);
});

const header = "email,courseId,expiresAt";
const latin1 = (text: string) => Buffer.from(text, "latin1");
const tail = "\na@example.com,665f1c2ab7e4d90012ab34cd,\n";

test.each([
  ["no header", "", 1, `The header must be ${header}`],
  ["another header", `mail,courseId,expiresAt${tail}`, 1, `The header must be ${header}`],
  ["the header of an educator", `email,expiresAt${tail}`, 1, `The header must be ${header}`],
  ["another encoding", latin1(`${header}${tail}b\xe9@x.de,,\n`), 3, "Not UTF-8"],
  [
    "another encoding after rows that were stored",
    latin1(`${header}${tail.trimEnd().repeat(600)}\nb\xe9,,`),
    602,
    "Not UTF-8",
  ],
  ["UTF-16", Buffer.from(`\uFEFF${header}${tail}`, "utf16le"), 1, "Not UTF-8"],
  ["a quotation mark that is never closed", `${header}${tail}"b\n\n,c,`, 3, "Not a CSV table from here on"],
  ["a line for a spreadsheet and another header", `sep=,\r\nmail,courseId${tail}`, 2, `The header must be ${header}`],
])("a file with %s is refused as a whole", async (_, content, row, message) => {
  const stored = () => Promise.all([db.EnrollmentImport.countDocuments(), db.EnrollmentImportRow.countDocuments()]);
  const before = await stored();
  const bytes = typeof content === "string" ? content : new Uint8Array(content);
  const answer = await send(bytes);
  expect(answer.status).toBe(400);
  expect(answer.body).toMatchObject({ message: "Invalid file", errors: [{ row, message }] });
  expect(await stored()).toEqual(before);
});

test("a request without a file, and one that is no form, are refused", async () => {
  const named = await server.call("POST", adminPath, { token: admin.token, body: csvForm("x", "image") });
  expect(named).toMatchObject(refusal(400, "Invalid request data"));
  expect(await server.post(adminPath, {}, admin.token)).toMatchObject(refusal(400, "Invalid request data"));
});

test("an educator imports into courses of their own alone", async () => {
  const [educator, other] = [await server.signedIn("educator"), await server.signedIn("educator")];
  const course = await buildCourse(server, { educatorId: educator.id });
  const path = `/api/educator/courses/${course._id}/enrollments/import`;
  const content = "email,expiresAt\nguest@example.com,\n";
  expect(await send(content, path, other)).toMatchObject(refusal(403, "Not authorized"));
  const nowhere = "/api/educator/courses/665f1c2ab7e4d90012ab34cd/enrollments/import";
  expect(await send(content, nowhere, educator)).toMatchObject(refusal(404, "Course not found"));
  const { importId } = (await send(content, path, educator)).body;
  await run();
  const status = `/api/educator/courses/${course._id}/enrollments/imports/${importId}`;
  expect((await server.get(status, educator.token)).body.import).toMatchObject({ state: "done", waiting: 1 });
  const csv = (await server.get(`${status}/result.csv`, educator.token)).body;
  expect(csv).toContain(`2,guest@example.com,${course._id},,waiting,`);
  expect(await server.get(status, other.token)).toMatchObject(refusal(403, "Not authorized"));
  const foreign = (await send("email,courseId,expiresAt\n")).body.importId;
  const mixed = await server.get(status.replace(importId, foreign), educator.token);
  expect(mixed).toMatchObject(refusal(404, "Import not found"));
});

test("the jobs of two instances at once give each row its outcome once", async () => {
  const fresh = await startTestServer({ own: "recounts all rows" });
  const boss = await fresh.signedIn("admin");
  const courses = await Promise.all(Array.from({ length: 3 }, () => buildCourse(fresh)));
  const { EnrollmentImport, Enrollment, Grant, User } = fresh.deps.db;
  const emails = Array.from({ length: 100 }, (_, i) => `many${i}@example.com`);
  await User.insertMany(emails.slice(50).map((email) => ({ _id: `user_${email}`, email, verifiedEmail: email })));
  const rows = Array.from({ length: 130 }, (_, i) => `${emails[i % 100]},${courses[i % 3]?._id},`);
  const body = csvForm(`email,courseId,expiresAt\n${rows.join("\n")}`);
  const { importId } = (await fresh.call("POST", adminPath, { token: boss.token, body })).body;
  const jobs = [fresh, await fresh.another()].flatMap(({ deps }) => backgroundJobs(deps));
  const importing = jobs.filter(({ name }) => name === "import-enrollments");
  await Promise.all(importing.map((job) => job.run(new AbortController().signal)));
  const done = await EnrollmentImport.findById(importId).orFail().lean();
  expect(done).toMatchObject({ state: "done", total: 130, failed: 0 });
  expect(done.granted + done.waiting + done.skipped).toBe(130);
  expect(await Grant.countDocuments()).toBe(done.granted + done.waiting);
  expect(await Enrollment.countDocuments({ active: true })).toBe(done.granted);
  await expectRecount(fresh);
});

test("a single row of one educator waits for one batch of another's three tables", async () => {
  const [busy, other] = [await server.signedIn("educator"), await server.signedIn("educator")];
  const sendAs = async (educator: SignedIn, emails: string[]) => {
    const { _id } = await buildCourse(server, { educatorId: educator.id });
    const table = ["email,expiresAt", ...emails.map((email) => `${email},`)].join("\n");
    expect(await send(table, `/api/educator/courses/${_id}/enrollments/import`, educator)).toMatchObject({
      status: 200,
    });
  };
  for (let n = 0; n < 3; n += 1)
    await sendAs(
      busy,
      Array.from({ length: 250 }, (_, i) => `busy${i}@example.com`),
    );
  await sendAs(other, ["single@example.com"]);
  expect(await run()).toBe("751 rows of enrollments imported");
  const { _id } = await db.Grant.findOne({ email: "single@example.com" }).orFail().lean();
  expect(await db.Grant.countDocuments({ grantedBy: busy.id, _id: { $lt: _id } })).toBeLessThanOrEqual(100);
});

test("an import that cannot be worked on keeps no later one waiting", async () => {
  const broken = { state: "running" as const, courseId: null, startedAt: new Date(0), requestId: "r1", total: 1 };
  const { _id: importId } = await db.EnrollmentImport.create({ ...broken, requestedBy: admin.id });
  await db.EnrollmentImportRow.collection.insertOne({ importId, row: 2, email: 5, outcome: null } as never);
  const course = await buildCourse(server);
  const later = (await send(`email,courseId,expiresAt\nlater@example.com,${course._id},\n`)).body.importId;
  expect(await run()).toBe("1 rows of enrollments imported");
  expect(await shown(later)).toMatchObject({ state: "done", waiting: 1 });
  expect(await shown(String(importId))).toMatchObject({ state: "running", failed: 0 });
  await db.EnrollmentImport.deleteOne({ _id: importId });
});

test("what an instance received when it died is removed", async () => {
  const begun = { state: "receiving" as const, startedAt: new Date(Date.now() - 7_200_000), requestId: "r2" };
  const { _id: importId } = await db.EnrollmentImport.create({ ...begun, requestedBy: admin.id });
  await db.EnrollmentImportRow.create({ importId, row: 2, email: "a@example.com" });
  expect(await server.get(`/api/admin/enrollments/imports/${importId}`, admin.token)).toMatchObject(
    refusal(404, "Import not found"),
  );
  await run();
  expect(await db.EnrollmentImport.exists({ _id: importId })).toBeNull();
  expect(await db.EnrollmentImportRow.countDocuments({ importId })).toBe(0);
});
