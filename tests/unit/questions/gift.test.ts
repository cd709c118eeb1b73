import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { readGift } from "../../../src/services/questions/gift/read-gift.js";
import { writeGift } from "../../../src/services/questions/gift/write-gift.js";
import {
  gradeAnswer,
  kindNames,
  questionContent,
  questionKinds,
} from "../../../src/services/questions/question-kinds.js";
import { answersOf, questionOf } from "../../factories/questions.js";

const held = kindNames.filter((kind) => questionKinds[kind].gift);

describe.each(held)("%s", (kind) => {
  test("an export that is imported again is the same question, and grades the same", async () => {
    const property = fc.asyncProperty(questionOf(kind), fc.nat(), async (fields, seed) => {
      const { explanation, ...rest } = questionContent.parse(fields);
      const question = explanation ? { ...rest, explanation } : rest;
      const { questions, skipped } = await readGift(writeGift(question));
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
