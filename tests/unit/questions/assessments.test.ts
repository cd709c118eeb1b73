import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { cooldownEnd, endedAt, endOf, isOver } from "../../../src/services/assessments/attempt-times.js";
import { drawnCount, drawQuestions, randomOrder } from "../../../src/services/assessments/draw-questions.js";
import { gradeAnswers, sumPoints } from "../../../src/services/assessments/grade-answers.js";
import { kindNames, questionContent, readAnswer } from "../../../src/services/questions/question-kinds.js";
import { answersOf, questionOf, rightAnswer } from "../../factories/questions.js";

const randomFrom = (seed: number) => {
  let state = seed;
  return (below: number) => {
    state = (state * 1_103_515_245 + 12_345) % 2_147_483_648;
    return Math.floor((state / 2_147_483_648) * below);
  };
};

const tags = ["a", "b", "c"];
const bank = fc
  .array(fc.subarray(tags, { minLength: 1 }), { maxLength: 12 })
  .map((list) => list.map((own, i) => ({ id: i, tags: own })));
const draws = fc.array(fc.record({ tag: fc.constantFrom(...tags), count: fc.integer({ min: 1, max: 4 }) }), {
  ...{ minLength: 1, maxLength: 3 },
});

/** Hall's theorem: the bank is enough if each set of draws finds as many questions as it needs. */
const isEnough = (questions: { tags: string[] }[], wanted: { tag: string; count: number }[]): boolean =>
  Array.from({ length: 2 ** wanted.length }, (_, set) => wanted.filter((_draw, i) => (set >> i) % 2 === 1)).every(
    (some) =>
      questions.filter((question) => some.some(({ tag }) => question.tags.includes(tag))).length >= drawnCount(some),
  );

describe("a draw", () => {
  test("takes no question twice, only questions with the tag, and all that the bank can give", () => {
    fc.assert(
      fc.property(bank, draws, fc.nat(), (questions, wanted, seed) => {
        const drawn = drawQuestions(questions, wanted, randomFrom(seed));
        expect(new Set(drawn).size).toBe(drawn.length);
        expect(drawn.length === drawnCount(wanted)).toBe(isEnough(questions, wanted));
        if (drawn.length === drawnCount(wanted)) {
          const places = wanted.flatMap(({ tag, count }) => Array.from({ length: count }, () => tag));
          expect(drawn.every((question, i) => question.tags.includes(places[i] ?? ""))).toBe(true);
        }
      }),
    );
  });

  test("gives each order of a list", () => {
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 30 }), fc.nat(), (length, seed) => {
        const order = randomOrder(length, randomFrom(seed));
        expect(order.toSorted((a, b) => a - b)).toEqual([...Array(length).keys()]);
      }),
    );
    const random = randomFrom(7);
    expect(new Set(Array.from({ length: 200 }, () => randomOrder(3, random).join(""))).size).toBe(6);
  });
});

const question = fc
  .constantFrom(...kindNames)
  .chain(questionOf)
  .map((fields) => questionContent.parse(fields));

describe("a grade", () => {
  test("stays within bounds, and passes by the rounded percentage", () => {
    fc.assert(
      fc.property(
        fc.array(question, { maxLength: 5 }),
        fc.nat(),
        fc.integer({ min: 0, max: 100 }),
        (all, seed, pass) => {
          const answered = all.map((content) => {
            const some = [undefined, null, ...answersOf(content, seed)];
            return { content, answer: some[seed % some.length] };
          });
          const { points, totalPoints, percent, passed, group } = gradeAnswers(answered, pass);
          expect(points.every((own, i) => own >= 0 && own <= (all[i]?.points ?? 0))).toBe(true);
          expect(Number.isInteger(percent) && percent >= 0 && percent <= 100).toBe(true);
          expect(sumPoints(points)).toBeLessThanOrEqual(totalPoints);
          expect(passed).toBe(percent >= pass);
          expect(group).toBe(percent <= 40 ? "needs_review" : percent <= 75 ? "on_track" : "mastered");
        },
      ),
    );
  });

  test("is full for right answers, as they are stored", () => {
    fc.assert(
      fc.property(fc.array(question, { minLength: 1, maxLength: 5 }), (all) => {
        const answered = all.map((content) => ({ content, answer: readAnswer(content.kind, rightAnswer(content)) }));
        expect(gradeAnswers(answered, 100)).toMatchObject({ percent: 100, passed: true });
      }),
    );
  });

  test("does not depend on the order of the questions", () => {
    fc.assert(
      fc.property(fc.array(question, { minLength: 1, maxLength: 5 }), fc.nat(), (all, seed) => {
        const answered = all.map((content) => ({ content, answer: answersOf(content, seed)[0] }));
        const { points, ...grade } = gradeAnswers(answered, 50);
        const { points: turned, ...same } = gradeAnswers(answered.toReversed(), 50);
        expect(turned.toReversed()).toEqual(points);
        expect(same).toEqual(grade);
      }),
    );
  });

  test("rounds halves up", () => {
    const statement = questionContent.parse({ kind: "boolean", prompt: "Yes", correct: true });
    for (const [right, all] of [
      [23, 40],
      [29, 200],
      [113, 200],
    ] as const) {
      const answered = Array.from({ length: all }, (_, i) => ({ content: statement, answer: i < right }));
      expect(gradeAnswers(answered, 100).percent).toBe(Math.ceil((right * 1_000) / all / 10));
    }
  });

  test("of nothing is nothing, and decimals add up", () => {
    expect(gradeAnswers([], 0)).toMatchObject({ percent: 0, totalPoints: 0, passed: true });
    expect(sumPoints([0.1, 0.2])).toBe(0.3);
    expect(sumPoints([1 / 3, 2 / 3])).toBe(1);
  });
});

test("an attempt is over half a minute after its end, or with its assessment", () => {
  const start = new Date("2026-01-01T10:00:00Z");
  const at = (ms: number) => new Date(start.getTime() + ms);
  const timed = endOf(start, 10);
  expect(timed).toEqual({ endsAt: at(600_000), gradeAt: at(630_000) });
  expect([629_999, 630_000].map((ms) => isOver(timed, {}, at(ms)))).toEqual([false, true]);
  const untimed = endOf(start, null);
  expect(untimed).toEqual({ endsAt: null });
  expect(isOver(untimed, {}, at(1e12))).toBe(false);
  expect(isOver(untimed, { removedAt: start }, at(1))).toBe(true);
  expect(endedAt(timed, {}, at(5))).toEqual(at(5));
  expect(endedAt(timed, {}, at(700_000))).toEqual(timed.endsAt);
  expect(endedAt(timed, { removedAt: at(3) }, at(5))).toEqual(at(3));
  expect(cooldownEnd(null, { cooldownMinutes: 5 }, start)).toBeNull();
  expect(cooldownEnd({ endedAt: start }, { cooldownMinutes: 5 }, at(299_999))).toEqual(at(300_000));
  expect(cooldownEnd({ endedAt: start }, { cooldownMinutes: 5 }, at(300_000))).toBeNull();
});
