import { readFile } from "node:fs/promises";
import { Types } from "mongoose";
import { expect, test } from "vitest";
import { chunk } from "../../../src/lib/chunk.js";
import { refusal } from "../../assertions/refusal.js";
import { storeQuestion } from "../../factories/questions.js";
import { type SignedIn, startTestServer } from "../../server/test-server.js";

const server = await startTestServer();
const bank = "/api/educator/questions";
const sample = await readFile(new URL("sample.gift", import.meta.url), "utf8");

const send = (text: string, { token }: SignedIn, type = "text/plain", on = server) =>
  on.post(`${bank}/import`, text, token, { "content-type": type });
async function exported({ token }: SignedIn): Promise<string> {
  const { status, headers, body } = await server.get(`${bank}/export.gift`, token);
  expect(status).toBe(200);
  expect(headers.get("content-type")).toBe("text/plain; charset=utf-8");
  expect(headers.get("content-disposition")).toBe('attachment; filename="questions.gift"');
  return body as unknown as string;
}
/** The questions of an educator without their ids, oldest first. */
async function questionsOf({ token }: SignedIn) {
  const { body } = await server.get(`${bank}?limit=100`, token);
  return body.questions.map(({ _id, ...question }: { _id: string }) => question).toReversed();
}
const option = (id: string, text: string) => ({ id, text });
const defaults = { points: 1, tags: ["rivers"] };

test("a sample file is imported, and what has no kind is skipped with its line and a reason", async () => {
  const educator = await server.signedIn("educator");
  const { status, body } = await send(sample, educator);
  const lineOf = (text: string) => sample.split("\n").findIndex((line) => line.includes(text)) + 1;
  const skipped = [
    ["Match the rivers", "no kind of question holds a matching"],
    ["Describe how", "no kind of question holds an essay"],
    ["Rivers are not only", "no kind of question holds a description"],
    ["Half right", "these weights of options cannot be kept"],
    ["Two right answers", "a choice of one needs one right option"],
    ["never closed", expect.stringMatching(/^not GIFT: Expected/)],
    ["near pi", "a number needs one right answer, without others"],
  ].map(([text, message]) => ({ line: lineOf(text), message }));
  expect({ status, body }).toEqual({ status: 200, body: { success: true, imported: 10, skipped } });
  const rivers = ["Rhine", "Elbe", "Po", "Tiber"];
  const asian = ["Lena", "Loire", "Ob", "Mekong"];
  const lettered = (texts: string[]) => texts.map((text, index) => option("abcd".charAt(index), text));
  expect(await questionsOf(educator)).toEqual([
    {
      ...{ kind: "single", prompt: "Which river meets the sea at Lisbon?", points: 1, tags: ["rivers", "Europe"] },
      ...{ options: lettered(["Tagus", "Douro", "Ebro"]), correct: "a" },
    },
    { kind: "boolean", prompt: "The Danube flows into the Black Sea.", ...defaults, correct: true },
    {
      ...{ kind: "boolean", prompt: "The Rhine <b>rises</b> in Norway.", ...defaults, correct: false },
      explanation: "It rises in the Alps.",
    },
    {
      ...{ kind: "multiple", prompt: "Which two rivers pass through Germany?", ...defaults },
      ...{ options: lettered(rivers), correct: ["a", "b"], partial: false },
    },
    {
      ...{ kind: "multiple", prompt: "Which three cross Asia?", ...defaults },
      ...{ options: lettered(asian), correct: ["a", "c", "d"], partial: true },
    },
    {
      ...{ kind: "text", prompt: "The longest river of Africa is the _____ by most measures.", ...defaults },
      ...{ accepted: ["Nile", "nile river"], caseSensitive: false },
    },
    { kind: "number", prompt: "How many countries does the Danube pass?", ...defaults, correct: 10, tolerance: 0 },
    { kind: "number", prompt: "How deep is the Congo at most, in metres?", ...defaults, correct: 220, tolerance: 10 },
    {
      ...{ kind: "number", prompt: "What share of fresh water is in rivers, in percent?", ...defaults },
      ...{ correct: 0.0002, tolerance: 0.0001 },
    },
    {
      ...{ kind: "single", prompt: "Which braces does GIFT escape?", ...defaults },
      ...{ options: lettered(["{ and }", "= alone", "none : at all"]), correct: "a" },
    },
  ]);
});

test("an empty bank is an empty file; an export of the sample, imported by another educator, is the same bank", async () => {
  const [first, second] = [await server.signedIn("educator"), await server.signedIn("educator")];
  expect(await exported(first)).toBe("");
  await send(sample, first);
  const file = await exported(first);
  expect((await send(file, second)).body).toEqual({ success: true, imported: 10, skipped: [] });
  expect(await questionsOf(second)).toEqual(await questionsOf(first));
  expect(await exported(second)).toBe(file);
});

test("points, tags, explanation, case, tolerance and ids survive, also where GIFT has no field for them", async () => {
  const [first, second] = [await server.signedIn("educator"), await server.signedIn("educator")];
  const common = { points: 2.5, explanation: "Line 1\n\n// {T} = line 2", tags: ["a b", "[tag:x]", "é"] };
  const options = [option("x y", "p -> q"), option("[html]", "%50%~"), option("3", "&&010\\n")];
  for (const fields of [
    { kind: "single", options, correct: "x y" },
    { kind: "multiple", options, correct: ["3", "x y"], partial: true },
    { kind: "multiple", options, correct: ["x y", "[html]", "3"] },
    { kind: "boolean", correct: false },
    { kind: "number", correct: -1e-9, tolerance: 1e21 },
    { kind: "text", accepted: ["a -> b", "T", "=x"], caseSensitive: true },
  ])
    await storeQuestion(server, first, { prompt: "# Title\n\n* `{=a}` :: b", ...common, ...fields });
  expect((await send(await exported(first), second)).body).toEqual({ success: true, imported: 6, skipped: [] });
  expect(await questionsOf(second)).toEqual(await questionsOf(first));
});

test("a question that GIFT cannot hold is left out and named by a comment", async () => {
  const [first, second] = [await server.signedIn("educator"), await server.signedIn("educator")];
  const items = [option("a", "1"), option("b", "2")];
  await storeQuestion(server, first, { kind: "order", prompt: "Sort\nthem", items });
  await storeQuestion(server, first);
  const file = await exported(first);
  expect(file).toBe(
    "// Left out, because GIFT has no questions of the kind order: Sort them\n\n" +
      "[markdown]The earth is round. {\nTRUE\n}\n\n",
  );
  expect((await send(file, second)).body).toEqual({ success: true, imported: 1, skipped: [] });
});

test("a file that is not GIFT at all is refused, and the header says why", async () => {
  const educator = await server.signedIn("educator");
  for (const [text, why] of [
    ["", "body: line 1: no question"],
    ["\n// nothing\n", "body: line 1: no question"],
    ["\n\nWhat? {=a ~b", "body: line 3: not GIFT: Expected"],
    ["{{{\n\n}}}", "body: line 1: not GIFT: Expected"],
  ] as const) {
    const answer = await send(text, educator);
    expect(answer).toMatchObject(refusal(400, "Invalid request data"));
    expect(answer.headers.get("x-invalid")).toContain(why);
  }
  for (const [type, why] of [
    ["application/json", "body: not an object"],
    ["text/html", "body: not a string"],
  ] as const) {
    const answer = await send('"a {T}"', educator, type);
    expect(answer).toMatchObject(refusal(400, "Invalid request data"));
    expect(answer.headers.get("x-invalid")).toBe(why);
  }
  expect(await send("a {T}", educator, "text/plain; charset=utf-16")).toMatchObject({ status: 415 });
  expect(await questionsOf(educator)).toEqual([]);
});

test("a file may have 8 MiB, and a bank 10,000 questions, also in a race", async () => {
  const server = await startTestServer({ own: "fills a bank" });
  const educator = await server.signedIn("educator");
  const importFile = (text: string) => send(text, educator, "text/plain", server);
  const { Question } = server.deps.db;
  const tooMany = refusal(409, "Too many questions");
  expect(await importFile("x".repeat(8_388_609))).toMatchObject(refusal(413, "Request body too large"));
  // More than one command inserts.
  const { body } = await importFile("a {T}\n\n".repeat(1_001));
  expect(body).toEqual({ success: true, imported: 1_001, skipped: [] });
  const stored = { educatorId: educator.id, isCurrent: true, version: 1 };
  const rows = Array.from({ length: 8_997 }, () => ({ ...stored, questionId: new Types.ObjectId() }));
  for (const some of chunk(rows, 500)) await Question.collection.insertMany(some as never);
  expect(await importFile("a {T}\n\n".repeat(3))).toMatchObject(tooMany);
  const other = await server.another();
  const question = { kind: "boolean", prompt: "a", correct: true };
  const added = await Promise.all(
    [server, other, server, other].map((one) => one.post(bank, question, educator.token)),
  );
  expect(added.map(({ status }) => status).sort()).toEqual([200, 200, 409, 409]);
  expect(await Question.countDocuments({ educatorId: educator.id })).toBe(10_000);
  const { _id } = added.find(({ status }) => status === 200)?.body.question ?? {};
  await server.delete(`${bank}/${_id}`, educator.token);
  expect(await server.post(bank, question, educator.token)).toMatchObject({ status: 200 });
});

test("a question that is too long or breaks a rule of its kind is skipped, and a range that is too large", async () => {
  const educator = await server.signedIn("educator");
  const huge = `1${"0".repeat(310)}`;
  for (const range of [`1..${huge}`, `-${huge}..1`, huge, `1:${huge}`]) {
    const answer = await send(`One {T}\n\nTwo {#${range}}\n\nThree {F}`, educator);
    expect(answer.body).toMatchObject({ success: true, imported: 2, skipped: [{ line: 3 }] });
  }
  const { body } = await send(`${"x".repeat(48_001)} {T}\n\na {=b ~c}\n\n${"x".repeat(4_001)} {F}\n\nd {~e}`, educator);
  expect(body).toEqual({
    ...{ success: true, imported: 1 },
    skipped: [
      { line: 1, message: "the question is too long" },
      { line: 5, message: "prompt: not 1 to 4000 characters" },
      { line: 7, message: "a choice of one needs one right option" },
    ],
  });
});
