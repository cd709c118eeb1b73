import { z } from "zod";
import { id, list } from "../../lib/fields.js";
import { boolean } from "./kinds/boolean.js";
import { multiple } from "./kinds/multiple.js";
import { number } from "./kinds/number.js";
import type { Option } from "./kinds/options.js";
import { order } from "./kinds/order.js";
import { lines, type QuestionContent, type QuestionKind, type Shuffle } from "./kinds/question-kind.js";
import { single } from "./kinds/single.js";
import { typedText } from "./kinds/typed-text.js";

/** The table of question kinds. Routes, documentation and tests read it. See "Add a kind of question" in CONTRIBUTING.md. */
const table = { single, multiple, boolean, number, text: typedText, order };

export type KindName = keyof typeof table;
export const questionKinds: Readonly<Record<KindName, QuestionKind>> = table;
export const kindNames = Object.keys(table) as KindName[];

export const maxTags = 10;
export const maxTagLength = 60;
export const questionTag = lines(1, maxTagLength);

/** Fields of every question. */
const common = {
  prompt: lines(1, 4_000).meta({ description: "Markdown" }),
  points: z.number().min(0.25).max(100).default(1),
  explanation: lines(0, 4_000).optional(),
  tags: list(questionTag, maxTags)
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

const kinds = Object.values(questionKinds);

/** A union of one object for each kind. The compiler cannot follow the table, so the caller names the type. */
const unionOf = <T extends z.ZodType>(objectOf: (kind: QuestionKind) => z.ZodObject): T =>
  z.discriminatedUnion("kind", kinds.map(objectOf) as unknown as [z.ZodObject, ...z.ZodObject[]]) as unknown as T;

/** A question as an educator writes it. */
export const questionContent = unionOf<z.ZodType<QuestionContent & { kind: KindName }>>((kind) =>
  z.object({ kind: z.literal(kind.name), ...common, ...kind.fields }).superRefine((content, context) => {
    const fault = kind.findFault?.(content as QuestionContent);
    if (fault) context.addIssue({ code: "custom", message: fault, path: [] });
  }),
);

const idOf = (prefix: string, { name }: QuestionKind): string =>
  `${prefix}${name.charAt(0).toUpperCase()}${name.slice(1)}Question`;

/** A question as its educator sees it. */
export const questionView = unionOf<
  z.ZodType<QuestionContent & { _id: string }, QuestionContent & { _id: { toString(): string } }>
>((kind) =>
  z
    .object({ _id: id, kind: z.literal(kind.name), ...common, ...kind.fields })
    .meta({ id: idOf("", kind), description: `An answer is right when ${kind.rightWhen}.` }),
);

const learnerView = (prefix: string, fieldsOf: (kind: QuestionKind) => z.ZodRawShape) =>
  unionOf<z.ZodType<object>>((kind) => {
    const { prompt, points } = common;
    const fields = { _id: id, kind: z.literal(kind.name), prompt, points, ...fieldsOf(kind) };
    return z.object(fields).meta({ id: idOf(prefix, kind) });
  });

/** A question as a learner sees it in an open attempt. */
export const openQuestion = learnerView("Open", ({ fields, shown, shuffled, isAlwaysShuffled }) =>
  Object.fromEntries(
    Object.entries(fields)
      .filter(([field]) => shown.includes(field))
      .map(([field, schema]) => {
        const isMixed = isAlwaysShuffled && field === shuffled;
        return [field, isMixed ? (schema as z.ZodType).meta({ description: "in random order" }) : schema];
      }),
  ),
);

/** A question as a learner sees it in a review. */
export const reviewedQuestion = learnerView("Reviewed", ({ fields }) => ({
  explanation: common.explanation,
  ...fields,
}));

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
  const { shown, shuffled } = kindOf(content);
  const own = shown.map((field) => {
    const value = content[field];
    return [field, field === shuffled ? shuffle(value as unknown[]) : value];
  });
  return { kind, prompt, points, ...Object.fromEntries(own) };
}

/** The options or items of a question, and whether a learner never sees them in the stored order. */
export function itemsOf(content: QuestionContent): { items: readonly Option[]; isAlwaysShuffled: boolean } {
  const { shuffled, isAlwaysShuffled = false } = kindOf(content);
  return { items: shuffled ? (content[shuffled] as Option[]) : [], isAlwaysShuffled };
}

/** Replaces the ids of options or items, also in `correct`, by the ids at the same positions. */
export function withIds(content: QuestionContent, ids: readonly string[]): QuestionContent {
  const { shuffled } = kindOf(content);
  if (!shuffled) return content;
  const items = content[shuffled] as Option[];
  const correct = "correct" in content ? { correct: replaceIds(content.correct, items, ids) } : {};
  return { ...content, [shuffled]: items.map((item, i) => ({ ...item, id: ids[i] })), ...correct };
}

/** Replaces the ids in an answer by the ids at the same positions. */
export function replaceIds(answer: unknown, items: readonly Option[], ids: readonly string[]): unknown {
  if (Array.isArray(answer)) return answer.map((one) => replaceIds(one, items, ids));
  return ids[items.findIndex(({ id }) => id === answer)] ?? answer;
}

/** Longest JSON of an answer that earns points: a text of 1,000 characters, or ten ids. */
const maxAnswerLength = 8_192;

/** Returns the answer to a question of a kind as it is stored; null when its type is wrong. */
export function readAnswer(kind: string, answer: unknown): unknown {
  const { success, data } = questionKinds[kind as KindName].answer.safeParse(answer);
  return success && JSON.stringify(data).length <= maxAnswerLength ? data : null;
}
