import { z } from "zod";
import { list } from "../../../lib/fields.js";
import { lines } from "./question-kind.js";

export interface Option {
  readonly id: string;
  readonly text: string;
}

/** Most options of a choice, or items of an order. */
export const maxOptions = 10;

export const optionId = lines(1, 32);

/** Options of a choice, or items of an order. */
export const options = list(z.object({ id: optionId, text: lines(1, 1_000) }), maxOptions, 2).refine(
  (items) => new Set(items.map(({ id }) => id)).size === items.length,
  "two have one id",
);

export const idsOf = (items: readonly Option[]): string[] => items.map(({ id }) => id);
