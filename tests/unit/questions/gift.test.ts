import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { markdownToHtml } from "../../../src/services/lessons/markdown-to-html.js";
import { markdownOf } from "../../../src/services/questions/gift/gift-text.js";
import { readGift } from "../../../src/services/questions/gift/read-gift.js";
import { writeGift } from "../../../src/services/questions/gift/write-gift.js";
import {
  gradeAnswer,
  kindNames,
  questionContent,
  questionKinds,
} from "../../../src/services/questions/question-kinds.js";
import { answersOf, questionOf } from "../../factories/questions.js";

/** Reads a file of up to 10 questions. */
async function read(text: string) {
  const file = await readGift(text, 10);
  if (!file) throw new Error("too many questions");
  return file;
}

const held = kindNames.filter((kind) => questionKinds[kind].gift);

describe.each(held)("%s", (kind) => {
  test("an export that is imported again is the same question, and grades the same", async () => {
    const property = fc.asyncProperty(questionOf(kind), fc.nat(), async (fields, seed) => {
      const { explanation, ...rest } = questionContent.parse(fields);
      const question = explanation ? { ...rest, explanation } : rest;
      const { questions, skipped } = await read(writeGift(question));
      expect(skipped).toEqual([]);
      expect(questions).toEqual([question]);
      const [again = question] = questions;
      for (const answer of answersOf(question, seed))
        expect(gradeAnswer(again, answer)).toBe(gradeAnswer(question, answer));
    });
    await fc.assert(property, { numRuns: 60 });
  });
});

test("ordinary questions are written without a comment, as other programs write them", () => {
  const write = (fields: object) => writeGift(questionContent.parse({ prompt: "Which: a = b?", ...fields }));
  const options = ["a", "b", "c"].map((id) => ({ id, text: `Is it ${id}?` }));
  expect(write({ kind: "single", options, correct: "b", explanation: "Because #1." })).toBe(
    "[markdown]Which\\: a \\= b? {\n~Is it a?\n=Is it b?\n~Is it c?\n####Because \\#1.\n}\n\n",
  );
  expect(write({ kind: "multiple", options, correct: ["a", "c"] })).toContain(
    "{\n~%50%Is it a?\n~%-100%Is it b?\n~%50%",
  );
  expect(write({ kind: "number", correct: 0.1, tolerance: 1e-7 })).toContain("{\n#0.1:0.0000001\n}");
  expect(write({ kind: "boolean", correct: false, tags: ["one", "two words"] })).toMatch(
    /^\/\/ \[tag:one\] \[tag:two words\]\n/,
  );
});

const lettered = (...texts: string[]) => texts.map((text, i) => ({ id: "abc".charAt(i), text }));

test.each<[string, object]>([
  ["::T: 1:: Is 2:1 = 4/2, #1? {T}", { kind: "boolean", prompt: "Is 2:1 = 4/2, #1?", correct: true }],
  ["One\r\n  two # three {F#no: = ~#yes\r\n####Because: a = b # c}", { prompt: "One\n two # three", correct: false }],
  ["A {T####Because: a = b # c}", { explanation: "Because: a = b # c" }],
  ["A \\n b {=c\\: d:e # good: = ~f:g}", { prompt: "A \n b", options: lettered("c: d:e", "f:g"), correct: "a" }],
  ["x = ? {=a=1 ~a=2}", { prompt: "x = ?", options: lettered("a=1", "a=2"), correct: "a" }],
  ['L? {~<a href="x">b</a> =<i id="y">c</i>}', { options: lettered('<a href="x">b</a>', '<i id="y">c</i>') }],
  ["Who? {~A ~=B ~C}", { options: lettered("A", "B", "C"), correct: "b" }],
  ["Run? {~%run =%reset {x}", { options: lettered("%run", "%reset {x"), correct: "b" }],
  ["Who? {=A ~%-25%B ~%-25,5%C}", { kind: "single", correct: "a" }],
  ["Who? {~%50%A ~%50%B ~C}", { kind: "multiple", correct: ["a", "b"], partial: true }],
  ["Who? {~%33%A ~%33%B ~%34%C}", { kind: "multiple", correct: ["a", "b", "c"], partial: false }],
  ["Pi? {# 3.14 : 0.01 # near: = }", { kind: "number", correct: 3.14, tolerance: 0.01 }],
  ["Pi? {#=%100%3.1..3.2#yes}", { correct: 3.15, tolerance: 0.05 }],
  ["He is {=no one =nobody}.", { kind: "text", prompt: "He is _____.", accepted: ["no one", "nobody"] }],
  ["\ufeff[html]<p>a: <b>b</b></p>\\n\\n<p>c</p> {T}", { prompt: "<p>a: <b>b</b></p>\n<p>c</p>" }],
  [
    "[plain]1. a_b <c> * [d]\n# e {=f_ ~[markdown]*g* ~[html]<i>h</i>}",
    {
      prompt: "1\\. a\\_b \\<c> \\* \\[d]\\\n\\# e",
      options: lettered("f\\_", "*g*", "<i>h</i>"),
    },
  ],
  ["$CATEGORY: $course$/top/Maths/I//O: a\n\n// [tag:x]\nQ {T}", { tags: ["x", "I/O: a"] }],
  [`$CATEGORY: ${"é".repeat(99)}\nQ {T}`, { tags: ["é".repeat(60)] }],
  ["$CATEGORY: a\n// c\nQ {T}\n$CATEGORY: b\n", { prompt: "Q", tags: ["a"] }],
  ["$CATEGORY: a\n\n$CATEGORY: $course$/top\n\nQ {T}", { tags: [] }],
])("%j is read as Moodle reads it", async (text, question) => {
  expect(await read(text)).toMatchObject({ questions: [question], skipped: [], isReadable: true });
});

test("a plain text is shown as it is", () => {
  fc.assert(
    fc.property(fc.array(fc.constantFrom(...'\\`*_[]()<>&~|#+-=:.!1)/;" a\n'), { maxLength: 40 }), (characters) => {
      const text = characters
        .join("")
        .replace(/\s+/g, (space) => (space.includes("\n") ? "\n" : " "))
        .trim();
      const html = markdownToHtml(markdownOf({ format: "plain", text })) ?? "";
      const shown = html
        .replace(/<br \/>|<\/?p>/g, "")
        .replace(/&(amp|lt|gt|quot);/g, (_all, name) => entities[name] ?? "");
      expect(shown).toBe(text);
    }),
  );
});
const entities: Record<string, string> = { amp: "&", lt: "<", gt: ">", quot: '"' };

test("more questions than a bank holds, or as many broken ones, are refused", async () => {
  expect(await readGift("a {T}\n\n".repeat(3), 2)).toBeUndefined();
  expect(await readGift("a {\n\n".repeat(3), 2)).toBeUndefined();
  expect((await readGift("a {T}\n\na {\n\n".repeat(2), 2))?.questions).toHaveLength(2);
});
