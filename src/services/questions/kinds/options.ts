import { z } from "zod";
import { lines } from "./question-kind.js";

export interface Option {
  readonly id: string;
  readonly text: string;
}

export const optionId = lines(1, 32);

/** Options of a choice, or items of an order. */
export const options = z
  .array(z.object({ id: optionId, text: lines(1, 1_000) }))
  .min(2)
  .max(10)
  .refine((items) => new Set(items.map(({ id }) => id)).size === items.length, "two have one id");

export const idsOf = (items: readonly Option[]): string[] => items.map(({ id }) => id);
