import Big from "big.js";
import type { NumericalChoice, NumericalFormat } from "gift-pegjs";
import { z } from "zod";
import { percentOf } from "../gift/gift-text.js";
import { defineKind, finiteNumber } from "./question-kind.js";

/** Decimals, because GIFT knows no exponents. */
const decimals = (value: number): string => new Big(value).toFixed();

/** A number. It is compared in decimals, so that 0.3 ± 0.1 holds 0.4. */
export const number = defineKind({
  name: "number",
  rightWhen: "it differs by no more than `tolerance`",
  fields: { correct: finiteNumber, tolerance: finiteNumber.min(0).default(0) },
  shown: [],
  answer: z.number(),
  score: ({ correct, tolerance }, answer) => (new Big(answer).minus(correct).abs().lte(tolerance) ? 1 : 0),
  gift: {
    write: ({ correct, tolerance }) => `#${decimals(correct)}${tolerance > 0 ? `:${decimals(tolerance)}` : ""}`,
    read(question) {
      if (question.type !== "Numerical") return undefined;
      const { choices } = question;
      const [only, ...others] = Array.isArray(choices) ? choices : [wholeChoice(choices)];
      if (!only || others.length > 0 || percentOf(only) !== 100)
        return { reason: "a number needs one right answer, without others" };
      const { number, range = 0, numberLow = number, numberHigh = number } = only.text;
      if (number !== undefined) return { fields: { correct: number, tolerance: range } };
      if (numberLow === undefined || numberHigh === undefined) return { reason: "the number is missing" };
      if (!Number.isFinite(numberLow) || !Number.isFinite(numberHigh)) return { reason: "the number is too large" };
      const low = new Big(numberLow);
      const half = new Big(numberHigh).minus(low).div(2);
      return { fields: { correct: low.plus(half).toNumber(), tolerance: half.toNumber() } };
    },
  },
});

const wholeChoice = (text: NumericalFormat): NumericalChoice => ({
  isCorrect: true,
  weight: null,
  text,
  feedback: null,
});
