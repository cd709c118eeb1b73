import { z } from "zod";
import { id } from "../../lib/fields.js";
import { boolean } from "./kinds/boolean.js";
import { multiple } from "./kinds/multiple.js";
import { number } from "./kinds/number.js";
import { order } from "./kinds/order.js";
import { lines, type QuestionContent, type QuestionKind, type Shuffle } from "./kinds/question-kind.js";
import { single } from "./kinds/single.js";
import { text } from "./kinds/text.js";

/** The table of question kinds. Routes, documentation and tests read it. A new kind is a file and its entry here. */
const table = { single, multiple, boolean, number, text, order };

export type KindName = keyof typeof table;
export const questionKinds: Readonly<Record<KindName, QuestionKind>> = table;
export const kindNames = Object.keys(table) as KindName[];

export const questionTag = lines(1, 60);

/** Fields of every question. */
const common = {
  prompt: lines(1, 4_000).meta({ description: "Markdown" }),
  points: z.number().min(0.25).max(100).default(1),
  explanation: lines(0, 4_000).optional(),
  tags: z
    .array(questionTag)
    .max(10)
    .overwrite((tags) => [...new Set(tags)])
    .default([]),
};

/** Fields of every question, none of them required, for changes. */
export const commonChanges = {
  kind: z.enum(kindNames).optional(),
  prompt: common.prompt.optional(),
  points: common.points.unwrap().optional(),
  explanation: common.explanation,
  tags: common.tags.unwrap().optional(),
};

type Union = readonly [z.ZodObject, ...z.ZodObject[]];
const kinds = Object.values(questionKinds);

const contentOf = (kind: QuestionKind) =>
  z.object({ kind: z.literal(kind.name), ...common, ...kind.fields }).superRefine((content, context) => {
    const fault = kind.findFault?.(content as QuestionContent);
    if (fault) context.addIssue({ code: "custom", message: fault, path: [] });
  });

/** A question as an educator writes it. */
export const questionContent = z.discriminatedUnion(
  "kind",
  kinds.map(contentOf) as unknown as Union,
) as unknown as z.ZodType<QuestionContent & { kind: KindName }>;

const titled = (name: string): string => name.charAt(0).toUpperCase() + name.slice(1);

/** A question as its educator sees it. */
export const questionView = z.discriminatedUnion(
  "kind",
  kinds.map((kind) =>
    z
      .object({ _id: id, kind: z.literal(kind.name), ...common, ...kind.fields })
      .meta({ id: `${titled(kind.name)}Question`, description: `An answer is right when ${kind.rightWhen}.` }),
  ) as unknown as Union,
) as unknown as z.ZodType<QuestionContent & { _id: string }, QuestionContent & { _id: { toString(): string } }>;

const kindOf = (content: QuestionContent): QuestionKind => questionKinds[content.kind as KindName];

/**
 * Grades one answer. A missing answer, an answer of the wrong type and an answer with unknown ids score 0.
 * @returns points from 0 to `content.points`.
 */
export function gradeAnswer(content: QuestionContent, answer: unknown): number {
  const kind = kindOf(content);
  const parsed = kind.answer.safeParse(answer);
  return parsed.success ? kind.score(content, parsed.data) * content.points : 0;
}

/** Returns the fields of a question that a learner may see while an attempt is open: nothing of the right answer. */
export function showQuestion(content: QuestionContent, shuffle: Shuffle): object {
  const { kind, prompt, points } = content;
  return { kind, prompt, points, ...kindOf(content).show(content, shuffle) };
}
