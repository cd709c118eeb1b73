import type { GIFTQuestion } from "gift-pegjs";
import { z } from "zod";
import { text } from "../../../lib/fields.js";
import type { GiftReading } from "../gift/gift-text.js";

/** The content of a question: the common fields, and those of its kind. */
export interface QuestionContent {
  readonly kind: string;
  /** Markdown. */
  readonly prompt: string;
  readonly points: number;
  readonly explanation?: string | undefined;
  readonly tags: readonly string[];
  readonly [field: string]: unknown;
}

/** Puts the items of a list in another order. */
export type Shuffle = <T>(items: readonly T[]) => T[];

/** How GIFT writes a kind. */
interface GiftOf<F> {
  /** The answers of a question, between braces. */
  write(fields: F): string;
  /**
   * Reads the answers of a parsed question.
   * @param idAt returns the id of an option by its place.
   * @returns undefined for a question of another kind.
   */
  read(question: GIFTQuestion, idAt: (index: number) => string): GiftReading | undefined;
}

/**
 * One kind of question: its fields, its answer, its grading, and its text in GIFT. The table of all kinds leaves the types
 * of fields and answers open.
 */
export interface QuestionKind<Name extends string = string, F = QuestionContent, Answer = unknown> {
  readonly name: Name;
  /** When an answer is right, for the documentation. */
  readonly rightWhen: string;
  /** Fields beside the common ones. */
  readonly fields: z.ZodRawShape;
  /** A rule between the fields. @returns the broken rule. */
  findFault?(fields: F): string | undefined;
  /** Fields that a learner sees before the answers are shown. */
  readonly shown: readonly (keyof F & string)[];
  /** The shown list whose order does not matter, or is the answer. */
  readonly shuffled?: keyof F & string;
  /** Set when the list is in the right order, so that learners never see that order. */
  readonly isAlwaysShuffled?: true;
  /** The type of an answer. An answer of another type scores 0. */
  readonly answer: z.ZodType<Answer>;
  /** The part of the points that an answer earns, from 0 to 1. */
  score(fields: F, answer: Answer): number;
  /** Absent for a kind that GIFT cannot hold. */
  readonly gift?: GiftOf<F>;
}

export function defineKind<Name extends string, Shape extends z.ZodRawShape, Answer>(
  kind: QuestionKind<Name, z.output<z.ZodObject<Shape>>, Answer> & { readonly fields: Shape },
): QuestionKind<Name> {
  return kind as unknown as QuestionKind<Name>;
}

/** Text of `min` to `max` characters, whose lines end alike on all systems. */
export const lines = (min: number, max: number) => text(min, max).overwrite((value) => value.replace(/\r\n?/g, "\n"));

/** A number of JSON, without the negative zero, which JSON cannot write. */
export const finiteNumber = z.number().overwrite((value) => value + 0);
