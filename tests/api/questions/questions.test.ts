import { describe, expect, test } from "vitest";
import { kindNames } from "../../../src/services/questions/question-kinds.js";
import { refusal } from "../../assertions/refusal.js";
import { storeQuestion } from "../../factories/questions.js";
import { startTestServer } from "../../server/test-server.js";

const server = await startTestServer();
const bank = "/api/educator/questions";
const unknownId = "665f1c2ab7e4d90012ab34cd";
const notFound = refusal(404, "Question not found");
const invalid = refusal(400, "Invalid request data");

const options = [
  { id: "a", text: "Lisbon" },
  { id: "b", text: "Porto" },
];
/** A question of each kind, with all of its fields. */
const samples = {
  single: { options, correct: "a" },
  multiple: { options, correct: ["a", "b"], partial: true },
  boolean: { correct: false },
  number: { correct: 3.5, tolerance: 0.25 },
  text: { accepted: ["Lisbon", "Lisboa"], caseSensitive: true },
  order: { items: options },
};
const usual = { prompt: "Which **town**?", points: 2.5, explanation: "By the Tagus.", tags: ["towns", "maps"] };
const invalidOf = ({ headers }: { headers: Headers }) => headers.get("x-invalid");

test.each(kindNames)("a question of the kind %s is answered as it was sent", async (kind) => {
  const { token } = await server.signedIn("educator");
  const sent = { kind, ...usual, ...samples[kind] };
  const created = await server.post(bank, sent, token);
  expect(created).toMatchObject({ status: 200 });
  const { question } = created.body;
  expect(created.body).toEqual({ success: true, question: { _id: expect.stringMatching(/^[0-9a-f]{24}$/), ...sent } });
  expect((await server.get(`${bank}/${question._id}`, token)).body).toEqual({ success: true, question });
  expect((await server.get(bank, token)).body).toEqual({ success: true, questions: [question], nextCursor: null });
});

test("what is absent has its default", async () => {
  const educator = await server.signedIn("educator");
  const { _id, ...question } = await storeQuestion(server, educator, { kind: "number", correct: 7 });
  const defaults = { points: 1, tags: [], tolerance: 0 };
  expect(question).toEqual({ kind: "number", prompt: "The earth is round.", correct: 7, ...defaults });
});

describe("a wrong shape is refused, and the header says why", () => {
  const asked = (fields: object) => ({ prompt: "x", ...fields });
  const one = { kind: "single", ...samples.single };
  test.each([
    [{}, "body.kind: not one of single, multiple, boolean, number, text, order"],
    [asked({ kind: "essay" }), "body.kind: not one of single, multiple, boolean, number, text, order"],
    [{ ...one }, "body.prompt: required"],
    [asked({ ...one, prompt: " " }), "body.prompt: not 1 to 4000 characters"],
    [asked({ ...one, prompt: "x".repeat(4_001) }), "body.prompt: not 1 to 4000 characters"],
    [asked({ ...one, points: 0.2 }), "body.points: under 0.25"],
    [asked({ ...one, points: 101 }), "body.points: over 100"],
    [asked({ ...one, explanation: "x".repeat(4_001) }), "body.explanation: over 4000 characters"],
    [asked({ ...one, tags: Array.from({ length: 11 }, String) }), "body.tags: over 10 items"],
    [asked({ ...one, options: options.slice(1) }), "body.options: under 2 items"],
    [asked({ ...one, options: [options[0], options[0]] }), "body.options: two have one id"],
    [asked({ ...one, options: [options[0], { id: "b", text: "" }] }), "body.options[1].text: not 1 to 1000 characters"],
    [asked({ ...one, correct: "c" }), "body: correct is no option"],
    [asked({ ...one, correct: ["a"] }), "body.correct: not a string"],
    [asked({ kind: "multiple", options, correct: [] }), "body.correct: under 1 items"],
    [asked({ kind: "multiple", options, correct: ["a", "c"] }), "body: correct is no option"],
    [asked({ kind: "multiple", options, correct: ["a", "a"] }), "body: correct repeats an id"],
    [asked({ kind: "boolean", correct: "true" }), "body.correct: not a boolean"],
    [asked({ kind: "number", correct: 1, tolerance: -1 }), "body.tolerance: under 0"],
    [asked({ kind: "text", accepted: [] }), "body.accepted: under 1 items"],
    [asked({ kind: "text", accepted: ["x".repeat(201)] }), "body.accepted[0]: not 1 to 200 characters"],
    [asked({ kind: "order", items: [options[0], options[0]] }), "body.items: two have one id"],
  ])("%j", async (body, why) => {
    const { token } = await server.signedIn("educator");
    const answer = await server.post(bank, body, token);
    expect(answer).toMatchObject(invalid);
    expect(invalidOf(answer)).toContain(why);
  });
});

test("the bank is paged newest first, and searched by tag, kind and text", async () => {
  const educator = await server.signedIn("educator");
  await storeQuestion(server, await server.signedIn("educator"), { tags: ["towns"] });
  const [first, second, third] = [
    await storeQuestion(server, educator, { prompt: "Is 100% a lot (of it)?", tags: ["sums"] }),
    await storeQuestion(server, educator, { prompt: "How MUCH?", kind: "number", correct: 2, tags: ["sums", "towns"] }),
    await storeQuestion(server, educator, { prompt: "Much ado", tags: ["towns"] }),
  ];
  const find = async (query: string) => {
    const { status, body } = await server.get(`${bank}?${query}`, educator.token);
    expect(status).toBe(200);
    return body;
  };
  const page = await find("limit=2");
  expect(page.questions).toEqual([third, second]);
  expect(await find(`limit=2&after=${page.nextCursor}`)).toMatchObject({ questions: [first], nextCursor: null });
  expect((await find("tag=sums")).questions).toEqual([second, first]);
  expect((await find("kind=number")).questions).toEqual([second]);
  expect((await find("tag=towns&kind=boolean")).questions).toEqual([third]);
  expect((await find("q=much")).questions).toEqual([third, second]);
  expect((await find(`q=${encodeURIComponent("100% a lot (")}`)).questions).toEqual([first]);
  expect((await find("tag=none&q=x")).questions).toEqual([]);
  for (const query of ["kind=essay", "tag[$ne]=x", `q=${"x".repeat(201)}`])
    expect(await server.get(`${bank}?${query}`, educator.token)).toMatchObject(invalid);
});

test("an edit makes a new version, and the former one stays as it was", async () => {
  const educator = await server.signedIn("educator");
  const { _id, ...before } = await storeQuestion(server, educator, { explanation: "Seen from space.", tags: ["a"] });
  const edit = (changes: object) => server.patch(`${bank}/${_id}`, changes, educator.token);
  const common = { _id, prompt: before.prompt, points: 1, tags: ["a"] };
  const first = await edit({ correct: false, explanation: "" });
  expect(first.body.question).toEqual({ ...common, kind: "boolean", correct: false });
  const versions = await server.deps.db.Question.find({ questionId: _id }).sort({ version: 1 }).lean();
  expect(versions).toMatchObject([
    { version: 1, isCurrent: false, explanation: "Seen from space.", fields: { correct: true } },
    { version: 2, isCurrent: true, fields: { correct: false } },
  ]);
  // A change of the kind drops the fields of the former kind.
  expect(await edit({ kind: "number" })).toMatchObject(invalid);
  const changed = await edit({ kind: "number", correct: 5 });
  expect(changed.body.question).toEqual({ ...common, kind: "number", correct: 5, tolerance: 0 });
  const refused = await edit({ tolerance: -1 });
  expect(refused).toMatchObject(invalid);
  expect(invalidOf(refused)).toBe("body.tolerance: under 0");
  expect(await edit({ points: 0 })).toMatchObject(invalid);
});

test("edits at once make one version each, and the newest one is in force", async () => {
  const educator = await server.signedIn("educator");
  const { _id } = await storeQuestion(server, educator);
  const other = await server.another();
  const points = [1, 2, 3, 4, 5, 6];
  const answers = await Promise.all(
    points.map((n) => (n % 2 ? server : other).patch(`${bank}/${_id}`, { points: n }, educator.token)),
  );
  expect(answers.map(({ status }) => status)).toEqual(points.map(() => 200));
  const versions = await server.deps.db.Question.find({ questionId: _id }).sort({ version: 1 }).lean();
  expect(versions.map(({ version }) => version)).toEqual([1, 2, 3, 4, 5, 6, 7]);
  expect(versions.filter(({ isCurrent }) => isCurrent)).toMatchObject([{ version: 7 }]);
});

test("of an edit and a deletion at once, the question never comes back", async () => {
  const educator = await server.signedIn("educator");
  for (let n = 0; n < 5; n += 1) {
    const { _id } = await storeQuestion(server, educator);
    const [edited, deleted] = await Promise.all([
      server.patch(`${bank}/${_id}`, { points: 2 }, educator.token),
      server.delete(`${bank}/${_id}`, educator.token),
    ]);
    expect([200, 404]).toContain(edited.status);
    expect(deleted).toMatchObject({ status: 200 });
    expect(await server.get(`${bank}/${_id}`, educator.token)).toMatchObject(notFound);
  }
});

test("a deleted question is not found, its versions stay; nor is another educator's, or an unknown one", async () => {
  const [educator, other] = [await server.signedIn("educator"), await server.signedIn("educator")];
  const { _id } = await storeQuestion(server, educator);
  const remove = (id = _id, { token } = educator) => server.delete(`${bank}/${id}`, token);
  const isNotFound = async (id: string, who = educator) => {
    expect(await server.get(`${bank}/${id}`, who.token)).toMatchObject(notFound);
    expect(await server.patch(`${bank}/${id}`, { points: 2 }, who.token)).toMatchObject(notFound);
    expect(await remove(id, who)).toMatchObject(notFound);
  };
  await isNotFound(_id, other);
  await isNotFound(unknownId);
  expect(await server.get(`${bank}/x`, educator.token)).toMatchObject(refusal(500, "An unexpected error occurred"));
  expect(await remove()).toMatchObject({ status: 200, body: { success: true } });
  await isNotFound(_id);
  expect((await server.get(bank, educator.token)).body.questions).toEqual([]);
  expect(await server.deps.db.Question.countDocuments({ questionId: _id })).toBe(1);
});

test("bodies may have 512 kB here, and 100 kB elsewhere", async () => {
  const { token } = await server.signedIn("educator");
  const filled = (bytes: number) => ({ kind: "boolean", prompt: "x", correct: true, filling: "x".repeat(bytes) });
  const { body } = await server.post(bank, filled(500_000), token);
  expect(body.question).toMatchObject({ prompt: "x" });
  expect(await server.patch(`${bank}/${body.question._id}`, filled(500_000), token)).toMatchObject({ status: 200 });
  expect(await server.post(bank, filled(524_288), token)).toMatchObject(refusal(413, "Request body too large"));
  expect(await server.post(`${bank}/`, filled(500_000), token)).toMatchObject({ status: 200 });
  expect(await server.post("/api/educator/apply", filled(200_000), token)).toMatchObject({ status: 413 });
});
