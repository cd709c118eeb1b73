import { describe, expect, test } from "vitest";
import { refusal } from "../../assertions/refusal.js";
import { applicant, application, apply, decide, providerRole } from "../../factories/applications.js";
import { identityOf } from "../../server/emulators.js";
import { type SignedIn, startTestServer } from "../../server/test-server.js";

const server = await startTestServer();
const admin = await server.signedIn("admin", "Nisha");
/** Another one, with the limit of requests to themselves. */
const auditor = await server.signedIn("admin");

const submit = (user: SignedIn, body: unknown = application()) => server.post("/api/educator/apply", body, user.token);
const status = async (user: SignedIn) =>
  (await server.get("/api/educator/application-status", user.token)).body.application;
const listed = async (query: string) =>
  (await server.get(`/api/admin/educator-applications${query}`, admin.token)).body.applications;

const submitted = "Application submitted successfully. We will review it shortly.";
const approved = { status: 200, body: { success: true, message: "Application approved. Educator role granted." } };
const rejected = { status: 200, body: { success: true, message: "Application rejected." } };
const reviewed = refusal(409, "Application has already been reviewed.");

describe("applying", () => {
  test("an application is pending, and its applicant can read it", async () => {
    const user = await server.signedIn();
    expect(await status(user)).toBeNull();
    expect((await submit(user)).body).toEqual({ success: true, message: submitted });
    expect(await status(user)).toEqual({
      _id: expect.stringMatching(/^[0-9a-f]{24}$/),
      status: "pending",
      rejectionReason: "",
      ...application(),
    });
  });

  test("a second one is refused while the first is pending, and once it was approved", async () => {
    const user = await applicant(server);
    const id = await apply(server, user);
    expect(await submit(user)).toMatchObject(refusal(409, "You already have a pending application."));
    await decide(server, admin, id, "approve");
    expect(await submit(user)).toMatchObject(refusal(409, "Your application has already been approved."));
  });

  test("six at once leave one record, and five hear that it is pending", async () => {
    const user = await server.signedIn();
    const answers = await Promise.all(Array.from({ length: 6 }, () => submit(user)));
    expect(answers.filter((answer) => answer.body.message === submitted)).toHaveLength(1);
    expect(answers.filter((answer) => answer.status === 409)).toHaveLength(5);
    expect(await server.deps.db.EducatorApplication.countDocuments({ userId: user.id })).toBe(1);
  });

  test("after a rejection the same record is pending again, without its reason", async () => {
    const user = await server.signedIn();
    const id = await apply(server, user);
    expect(await decide(server, admin, id, "reject", { reason: "  Too short  " })).toMatchObject(rejected);
    expect(await status(user)).toMatchObject({ _id: id, status: "rejected", rejectionReason: "Too short" });
    const again = await submit(user, application({ bio: "Longer.", linkedinUrl: undefined }));
    expect(again.body).toEqual({ success: true, message: "Application resubmitted successfully." });
    expect(await status(user)).toEqual({
      ...application({ bio: "Longer.", linkedinUrl: "" }),
      _id: id,
      status: "pending",
      rejectionReason: "",
    });
  });

  const missing = "Please fill in all required fields.";
  const unfit = "Invalid request data";
  const cases: [string, Record<string, unknown>, string][] = [
    ["no title", { professionalTitle: undefined }, missing],
    ["a blank title", { professionalTitle: " \n " }, missing],
    ["a blank bio", { bio: "" }, missing],
    ["no expertise", { expertise: undefined }, missing],
    ["an empty list of expertise", { expertise: [] }, missing],
    ["a blank bio beside a title of the wrong type", { bio: "", professionalTitle: 5 }, missing],
    ["a title of 121", { professionalTitle: "x".repeat(121) }, unfit],
    ["a bio of 3001", { bio: "x".repeat(3_001) }, unfit],
    ["a bio that is an operator", { bio: { $gt: "" } }, unfit],
    ["expertise as text", { expertise: "Design" }, unfit],
    ["blank expertise", { expertise: ["Design", " "] }, unfit],
    ["expertise of 61", { expertise: ["x".repeat(61)] }, unfit],
    ["21 kinds of expertise", { expertise: Array.from({ length: 21 }, (_, i) => `Skill ${i}`) }, unfit],
    ["a javascript: link", { linkedinUrl: "javascript:alert('linkedin.com')" }, unfit],
    ["a link of 301", { linkedinUrl: `https://linkedin.com/${"x".repeat(280)}` }, unfit],
    ["a link that is no text", { linkedinUrl: null }, unfit],
  ];
  test.each(cases)("is refused with %s", async (_name, fields, message) => {
    const user = await server.signedIn();
    expect(await submit(user, application(fields))).toMatchObject(refusal(400, message));
    expect(await status(user)).toBeNull();
  });

  test("the longest values in Unicode, and any web address, are fine", async () => {
    const user = await server.signedIn();
    const linkedinUrl = `http://127.0.0.1:8080/~asha/${"x".repeat(272)}`;
    const fields = application({ professionalTitle: "𝒳".repeat(120), linkedinUrl });
    expect((await submit(user, fields)).status).toBe(200);
    expect(await status(user)).toMatchObject(fields);
  });
});

describe("deciding", () => {
  test("the same token is refused before the approval and served right after it", async () => {
    const user = await applicant(server);
    const id = await apply(server, user);
    const refused = refusal(403, "Unauthorized Access");
    expect(await server.get("/api/educator/courses", user.token)).toMatchObject(refused);
    expect(await decide(server, admin, id, "approve")).toMatchObject(approved);
    expect(await server.get("/api/educator/courses", user.token)).toMatchObject({ status: 200 });
    expect(await status(user)).toMatchObject({ status: "approved", rejectionReason: "" });
    expect(providerRole(server, user.id)).toBe("educator");
  });

  test("repeating a decision answers 200 and changes nothing; contradicting it is a conflict", async () => {
    const one = await applicant(server);
    const yes = await apply(server, one);
    expect(await decide(server, admin, yes, "approve")).toMatchObject(approved);
    expect(await decide(server, admin, yes, "approve", { ignored: true })).toMatchObject(approved);
    expect(await decide(server, admin, yes, "reject", { reason: "no" })).toMatchObject(reviewed);
    expect(await status(one)).toMatchObject({ status: "approved", rejectionReason: "" });

    const other = await server.signedIn();
    const no = await apply(server, other);
    expect(await decide(server, admin, no, "reject")).toMatchObject(rejected);
    expect(await decide(server, admin, no, "reject", { reason: "second thoughts" })).toMatchObject(rejected);
    expect(await decide(server, admin, no, "approve")).toMatchObject(reviewed);
    expect(await status(other)).toMatchObject({ status: "rejected", rejectionReason: "" });
    expect(await server.get("/api/educator/courses", other.token)).toMatchObject({ status: 403 });
  });

  test("an administrator is never made an educator, be it by record or by token", async () => {
    const conflict = refusal(409, "Applicant is an administrator.");
    const byRecord = await server.signedIn("admin");
    const id = await apply(server, byRecord);
    expect(await decide(server, admin, id, "approve")).toMatchObject(conflict);

    const user = await server.signedIn();
    const byToken = { ...user, token: identityOf(server.emulators).issueToken(user.id, { role: "admin" }) };
    const own = await apply(server, byToken);
    expect(await decide(server, byToken, own, "approve")).toMatchObject(conflict);

    for (const one of [byRecord, byToken]) {
      expect((await server.get("/api/admin/stats", one.token)).status).toBe(200);
      expect(await status(one)).toMatchObject({ status: "pending" });
    }
    expect(await decide(server, admin, id, "reject")).toMatchObject(rejected);
  });

  test("what does not exist is 404, a bad reason is 400", async () => {
    const nowhere = "665f1c2ab7e4d90012ab34cd";
    for (const decision of ["approve", "reject"] as const) {
      const absent = await decide(server, admin, nowhere, decision);
      expect(absent).toMatchObject(refusal(404, "Application not found."));
    }
    const id = await apply(server, await server.signedIn());
    for (const reason of ["x".repeat(501), 5, null, { $ne: "" }]) {
      const answer = await decide(server, admin, id, "reject", { reason });
      expect(answer).toMatchObject(refusal(400, "Invalid request data"));
    }
    expect(await decide(server, admin, id, "reject", { reason: "𝒳".repeat(500) })).toMatchObject(rejected);
  });
});

test("the administrators' list is newest first and filters by the shown state", async () => {
  const [first, second, third] = [await applicant(server), await server.signedIn(), await server.signedIn()];
  const ids = [await apply(server, first), await apply(server, second), await apply(server, third)];
  await decide(server, admin, ids[0] ?? "", "approve");
  await decide(server, admin, ids[1] ?? "", "reject", { reason: "Not yet" });
  const ours = (applications: { _id: string }[]) => applications.map(({ _id }) => _id).filter((id) => ids.includes(id));
  expect(ours(await listed(""))).toEqual([...ids].reverse());
  expect(ours(await listed("?status=all"))).toEqual([...ids].reverse());
  expect(ours(await listed("?status=approved"))).toEqual([ids[0]]);
  expect(ours(await listed("?status=rejected"))).toEqual([ids[1]]);
  expect(ours(await listed("?status=pending"))).toEqual([ids[2]]);
  expect(await listed("?status=approving")).toEqual([]);
  expect(await listed("?status=nonsense")).toEqual([]);
  const [shown] = await listed("?status=rejected");
  expect(shown).toEqual({
    ...application(),
    _id: ids[1],
    userId: second?.id,
    status: "rejected",
    rejectionReason: "Not yet",
    createdAt: expect.stringMatching(/Z$/),
    updatedAt: expect.stringMatching(/Z$/),
  });
});

describe("the audit trail", () => {
  test("holds who decided what, once, and the change of role, with the request's id", async () => {
    const user = await applicant(server);
    const id = await apply(server, user);
    const path = `/api/admin/educator-applications/${id}/approve`;
    const headers = { "x-request-id": "approve-1" };
    await server.call("PATCH", path, { token: admin.token, headers });
    await server.call("PATCH", path, { token: admin.token, headers: { "x-request-id": "approve-2" } });
    const { entries } = (await server.get("/api/admin/audit?limit=200", auditor.token)).body;
    const about = entries.filter((entry: any) => [id, user.id].includes(entry.targetId));
    const by = { actorId: admin.id, requestId: "approve-1", createdAt: expect.stringMatching(/Z$/) };
    expect(about).toEqual([
      expect.objectContaining({ ...by, action: "role.change", before: { role: null }, after: { role: "educator" } }),
      expect.objectContaining({
        ...by,
        action: "application.approve",
        before: { status: "pending" },
        after: { status: "approved" },
      }),
    ]);
  });

  test("is paged newest first without gaps or repeats", async () => {
    for (let n = 0; n < 4; n += 1) {
      await decide(server, admin, await apply(server, await server.signedIn()), "reject", { reason: `${n}` });
    }
    const all = (await server.get("/api/admin/audit?limit=200", auditor.token)).body;
    expect(all.nextBefore).toBeNull();
    const paged: unknown[] = [];
    let before = "";
    do {
      const page = (await server.get(`/api/admin/audit?limit=3${before && `&before=${before}`}`, auditor.token)).body;
      paged.push(...page.entries);
      before = page.nextBefore;
    } while (before);
    expect(paged).toEqual(all.entries);
    const times = all.entries.map((entry: any) => entry.createdAt);
    expect(times).toEqual([...times].sort().reverse());
  });

  test("refuses page sizes out of bounds; an unknown place in it is the end", async () => {
    for (const limit of ["0", "201", "x", "1.5"]) {
      expect((await server.get(`/api/admin/audit?limit=${limit}`, auditor.token)).status).toBe(400);
    }
    for (const before of ["nonsense", "665f1c2ab7e4d90012ab34cd"]) {
      const answer = await server.get(`/api/admin/audit?before=${before}`, auditor.token);
      expect(answer.body).toEqual({ success: true, entries: [], nextBefore: null });
    }
  });
});
