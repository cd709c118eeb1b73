import { readFile } from "node:fs/promises";
import { expect, test } from "vitest";
import type { QuestionContent } from "../../../src/services/questions/kinds/question-kind.js";
import { gradeAnswer } from "../../../src/services/questions/question-kinds.js";
import { answersOf } from "../../factories/questions.js";
import { type SignedIn, startTestServer } from "../../server/test-server.js";

/* The documented forms of GIFT: each is imported or left out with a reason, and an export of it grades the same. */

const server = await startTestServer();
const bank = "/api/educator/questions";
const sample = await readFile(new URL("documented-forms.gift", import.meta.url), "utf8");

/** Imports a file as a new educator. @returns the reply, and the questions in the order of the file. */
async function imported(text: string) {
  const educator = await server.signedIn("educator");
  const { body } = await server.post(`${bank}/import`, text, educator.token, { "content-type": "text/plain" });
  const { questions } = (await server.get(`${bank}?limit=100`, educator.token)).body;
  return { educator, body, questions: questions.toReversed() as QuestionContent[] };
}
const exported = async ({ token }: SignedIn) => (await server.get(`${bank}/export.gift`, token)).body as string;

/** Right and wrong answers to the questions that have a kind, in the order of the file. */
const answers: readonly [kind: string, right: readonly unknown[], wrong: readonly unknown[]][] = [
  ["boolean", [true], [false]],
  ["boolean", [false], [true]],
  ["single", ["a"], ["b", "c"]],
  ["single", ["c"], ["a", "b", "d"]],
  ["text", ["two", "2", " TWO "], ["three"]],
  ["number", [1, 3, 5], [0.9, 5.1]],
  ["number", [1, 3, 5], [0.9, 5.1]],
  ["multiple", [["b", "c"]], [["b"], ["a", "b", "c"], ["a"]]],
  ["single", ["a"], ["b"]],
  ["number", [1_000], [999]],
  ["single", ["a"], ["b"]],
];
const partsOf = ([, right, wrong]: (typeof answers)[number]) => [...right.map(() => 1), ...wrong.map(() => 0)];

test("the documented forms are imported, or left out with a reason", async () => {
  const { body, questions } = await imported(sample);
  const lineOf = (text: string) => sample.split("\n").findIndex((line) => line.startsWith(text)) + 1;
  const skipped = [
    ["::F06::", "no kind of question holds a matching"],
    ["::F09::", "a number needs one right answer, without others"],
    ["::F10::", "no kind of question holds an essay"],
    ["::F11::", "no kind of question holds a description"],
    ["::F13::", "a part of the points for a text cannot be kept"],
  ].map(([text = "", message]) => ({ line: lineOf(text), message }));
  expect(body).toEqual({ success: true, imported: answers.length, skipped });
  const graded = questions.map((question, n) => {
    const [, right = [], wrong = []] = answers[n] ?? [];
    return [question.kind, [...right, ...wrong].map((answer) => gradeAnswer(question, answer))];
  });
  expect(graded).toEqual(answers.map((row) => [row[0], partsOf(row)]));
  expect(questions.map(({ prompt }) => prompt)).toContain("Two plus _____ equals four.");
  expect(questions[8]).toMatchObject({
    prompt: "<p>Which equation holds for a circle: the area is what?</p>",
    options: [{ text: "= {pi} r~2" }, { text: "2 {pi} r" }],
    explanation: "<p>Areas grow with the <b>square</b>.</p>",
  });
  expect(questions[9]?.tags).toEqual(["units", "second tag", "Forms"]);
});

test("an export of the documented forms is imported whole and grades the same", async () => {
  const first = await imported(sample);
  const file = await exported(first.educator);
  const second = await imported(file);
  expect(second.body).toEqual({ success: true, imported: answers.length, skipped: [] });
  for (const [n, question] of first.questions.entries()) {
    const again = second.questions[n] ?? question;
    const tried = [0, 3, 5, 1_000].flatMap((seed) => answersOf(question, seed));
    const [, right = [], wrong = []] = answers[n] ?? [];
    for (const answer of [...tried, ...right, ...wrong]) {
      expect(gradeAnswer(again, answer), JSON.stringify([question, answer])).toBe(gradeAnswer(question, answer));
    }
  }
  expect(await exported(second.educator)).toBe(file);
});
