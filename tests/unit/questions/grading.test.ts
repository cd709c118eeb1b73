import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { z } from "zod";
import {
  gradeAnswer,
  kindNames,
  openQuestion,
  questionContent,
  reviewedQuestion,
  showQuestion,
} from "../../../src/services/questions/question-kinds.js";
import { answersOf, questionOf, rightAnswer } from "../../factories/questions.js";

const parse = (fields: object) => questionContent.parse({ prompt: "x", ...fields });
const options = ["a", "b", "c"].map((id) => ({ id, text: id }));
const items = options;
const grade = (fields: object, answer: unknown) => gradeAnswer(parse(fields), answer);

const single = { kind: "single", options, correct: "b" };
const all = { kind: "multiple", options, correct: ["a", "b"] };
const partial = { ...all, partial: true };
const third = { kind: "number", correct: 0.3, tolerance: 0.1 };
const city = { kind: "text", accepted: ["New  Delhi", "Café"] };
const exactly = { ...city, caseSensitive: true };
const typed = { kind: "text", accepted: [`it's a "two-part" test`], caseSensitive: true };
const order = { kind: "order", items };

describe("an answer earns its part of the points", () => {
  test.each([
    [single, "b", 1],
    [single, "a", 0],
    [single, "nothing", 0],
    [single, ["b"], 0],
    [single, undefined, 0],
    [{ ...single, points: 2.5 }, "b", 2.5],
    [all, ["b", "a"], 1],
    [all, ["a", "a", "b"], 1],
    [all, ["a"], 0],
    [all, ["a", "b", "c"], 0],
    [all, ["a", "b", "unknown"], 0],
    [all, "a", 0],
    [partial, ["a"], 0.5],
    [partial, ["a", "b"], 1],
    [partial, ["a", "b", "c"], 0.5],
    [partial, ["a", "c"], 0],
    [partial, ["c"], 0],
    [partial, ["a", "unknown"], 0],
    [partial, [], 0],
    [{ kind: "boolean", correct: false }, false, 1],
    [{ kind: "boolean", correct: false }, true, 0],
    [{ kind: "boolean", correct: false }, null, 0],
    [{ kind: "boolean", correct: false }, 0, 0],
    [third, 0.4, 1],
    [third, 0.2, 1],
    [third, 0.400001, 0],
    [third, "0.3", 0],
    [{ kind: "number", correct: 7 }, 7, 1],
    [{ kind: "number", correct: 7 }, 7.000001, 0],
    [{ kind: "number", correct: 1e308 }, -1e308, 0],
    [city, " new delhi ", 1],
    [city, "NEW\n DELHI", 1],
    [city, "cafe\u0301", 1],
    [city, "Newdelhi", 0],
    [city, "x".repeat(1_001), 0],
    [typed, "it\u2019s a \u201ctwo\u2011part\u201d te\u00adst\u200b", 1],
    [typed, "it\u02bcs a \u00abtwo\u2013part\u00bb test", 1],
    [typed, "its a two part test", 0],
    [{ kind: "text", accepted: ["5\u2212\u20603"] }, "5-3", 1],
    [exactly, "New Delhi", 1],
    [exactly, "new delhi", 0],
    [order, ["a", "b", "c"], 1],
    [order, ["a", "c", "b"], 0],
    [order, ["a", "b"], 0],
    [order, ["a", "b", "c", "c"], 0],
  ])("%j answered by %j: %d", (fields, answer, points) => {
    expect(grade(fields, answer)).toBe(points);
  });
});

describe.each(kindNames)("%s", (kind) => {
  const anyAnswer = fc.oneof(fc.anything(), fc.array(fc.string()), fc.double(), fc.boolean());

  test("points stay between 0 and those of the question, whatever the answer", () => {
    fc.assert(
      fc.property(questionOf(kind), anyAnswer, fc.nat(), (fields, strange, seed) => {
        const question = questionContent.parse(fields);
        for (const answer of [strange, ...answersOf(question, seed)]) {
          const points = gradeAnswer(question, answer);
          expect(points).toBeGreaterThanOrEqual(0);
          expect(points).toBeLessThanOrEqual(question.points);
        }
      }),
    );
  });

  test("the right answer earns all points", () => {
    fc.assert(
      fc.property(questionOf(kind), (fields) => {
        const question = questionContent.parse(fields);
        expect(gradeAnswer(question, rightAnswer(question))).toBe(question.points);
      }),
    );
  });

  test("the order of options, and of the ids in an answer to `multiple`, never matters", () => {
    fc.assert(
      fc.property(questionOf(kind), fc.nat(), (fields, seed) => {
        const question = questionContent.parse(fields);
        const turned =
          "options" in question ? { ...question, options: (question.options as []).toReversed() } : question;
        for (const answer of answersOf(question, seed)) {
          expect(gradeAnswer(turned, answer)).toBe(gradeAnswer(question, answer));
          if (kind === "multiple")
            expect(gradeAnswer(question, (answer as []).toReversed())).toBe(gradeAnswer(question, answer));
        }
      }),
    );
  });

  test("a learner sees nothing of the right answer", () => {
    fc.assert(
      fc.property(questionOf(kind), (fields) => {
        const shown = showQuestion(questionContent.parse(fields), (list) => list.toReversed());
        const open = ["kind", "prompt", "points", "options", "items", "partial"];
        expect(Object.keys(shown).filter((field) => !open.includes(field))).toEqual([]);
        const { items } = shown as { items?: { id: string }[] };
        const right = rightAnswer(questionContent.parse(fields)) as string[];
        if (items) expect(items.map(({ id }) => id)).toEqual(right.toReversed());
      }),
    );
  });
});

test("the documentation says which items are in the right order", () => {
  const described = (schema: z.ZodType) => JSON.stringify(z.toJSONSchema(schema)).match(/in (the right|random) order/g);
  expect(described(openQuestion)).toEqual(["in random order"]);
  expect(described(reviewedQuestion)).toEqual(["in the right order"]);
});
