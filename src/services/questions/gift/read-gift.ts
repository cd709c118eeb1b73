import { setImmediate as nextTurn } from "node:timers/promises";
import { type GIFTQuestion, parse } from "gift-pegjs";
import { z } from "zod";
import type { QuestionContent } from "../kinds/question-kind.js";
import { questionContent, questionKinds } from "../question-kinds.js";
import { extraFieldsMark, type GiftReading, plainOf } from "./gift-text.js";

/** A question that was left out of an import, and why. */
export interface SkippedQuestion {
  /** From 1. */
  readonly line: number;
  readonly message: string;
}

export interface GiftFile {
  readonly questions: QuestionContent[];
  readonly skipped: SkippedQuestion[];
  /** Whether some part of the file is GIFT, also when no kind holds it. */
  readonly isReadable: boolean;
}

/** Questions of one file. They are stored in one transaction. */
const maxQuestions = 5_000;
/** Characters of one question without its comments. The longest question of the bank fits, with every character escaped. */
const maxQuestionLength = 48_000;
const maxMessageLength = 200;

/**
 * Reads a file in the format GIFT. Blank lines separate its questions, so that a broken one does not stop the others.
 * Other requests are served between two questions, because the parser takes up to a tenth of a second for a long one.
 */
export async function readGift(text: string): Promise<GiftFile> {
  const questions: QuestionContent[] = [];
  const skipped: SkippedQuestion[] = [];
  let isReadable = false;
  for (const { line, lines } of blocksOf(text)) {
    if (questions.length + skipped.length >= maxQuestions) {
      skipped.push({ line, message: `the rest of the file is not read: more than ${maxQuestions} questions` });
      break;
    }
    const read = readBlock(lines);
    isReadable ||= "question" in read || read.isGift;
    if ("question" in read) questions.push(read.question);
    else skipped.push({ line, message: read.reason });
    await nextTurn();
  }
  return { questions, skipped, isReadable };
}

interface Block {
  /** Of its first line that is no comment; from 1. */
  readonly line: number;
  readonly lines: readonly string[];
}

const isComment = (line: string): boolean => /^\s*\/\//.test(line);

/** Cuts a file at its blank lines. Blocks of comments are left out. */
function* blocksOf(text: string): Generator<Block> {
  let lines: string[] = [];
  let first = 0;
  for (const [index, line] of [...text.split(/\r\n|\r|\n/), ""].entries()) {
    if (!/^[ \t]*$/.test(line)) {
      if (!isComment(line) && !first) first = index + 1;
      lines.push(line);
      continue;
    }
    if (first) yield { line: first, lines };
    lines = [];
    first = 0;
  }
}

type Read = { readonly question: QuestionContent } | { readonly reason: string; readonly isGift: boolean };

/** Reads one question. Its comments hold the fields that GIFT does not know, which come before the fields of the text. */
export function readBlock(lines: readonly string[]): Read {
  const text = lines.filter((line) => !isComment(line)).join("\n");
  if (text.length > maxQuestionLength) return { reason: "the question is too long", isGift: false };
  const { ids, ...extra } = extraFieldsOf(lines);
  const parsed = parseQuestion(text);
  const read = "failure" in parsed ? undefined : readQuestion(parsed.question, ids);
  const isWhole = "kind" in extra;
  if (!isWhole && "failure" in parsed) return { reason: parsed.failure, isGift: false };
  if (!isWhole && read && "reason" in read) return { reason: read.reason, isGift: true };
  const fields = read && "fields" in read ? read.fields : {};
  const { success, data, error } = questionContent.safeParse({ tags: tagsOf(lines), ...fields, ...extra });
  return success ? { question: data } : { reason: faultOf(error), isGift: true };
}

function parseQuestion(text: string): { question: GIFTQuestion } | { failure: string } {
  try {
    const [question, ...others] = parse(text);
    if (!question || others.length > 0) return { failure: "blank lines separate questions" };
    return { question };
  } catch (error) {
    return {
      failure: `not GIFT: ${String(error instanceof Error ? error.message : error).slice(0, maxMessageLength)}`,
    };
  }
}

const optionIds = "abcdefghijklmnopqrstuvwxyz";
/** The id of an option in a file without ids. */
export const defaultId = (index: number): string => optionIds[index] ?? String(index + 1);

function readQuestion(question: GIFTQuestion, ids: readonly string[] | undefined): GiftReading {
  const idAt = (index: number) => ids?.[index] ?? defaultId(index);
  for (const { name, gift } of Object.values(questionKinds)) {
    const read = gift?.read(question, idAt);
    if (read === undefined) continue;
    return "reason" in read ? read : { fields: { kind: name, ...commonFieldsOf(question), ...read.fields } };
  }
  return { reason: `no kind of question holds ${nameOf(question)}` };
}

function commonFieldsOf(question: GIFTQuestion): Record<string, unknown> {
  const { title, ...rest } = question;
  const prompt = "stem" in rest ? plainOf(rest.stem) : "";
  const explanation = "globalFeedback" in rest && rest.globalFeedback ? plainOf(rest.globalFeedback) : undefined;
  return { prompt: prompt || title || "", ...(explanation ? { explanation } : {}) };
}

const nameOf = ({ type }: GIFTQuestion): string =>
  ({ Matching: "a matching", Essay: "an essay", Description: "a description", Category: "a category" })[
    type as string
  ] ?? "this question";

const tagsOf = (lines: readonly string[]): string[] =>
  lines
    .filter((line) => isComment(line) && !line.startsWith(extraFieldsMark))
    .flatMap((line) => [...line.matchAll(/\[tag:([^\p{Cc}[\]]+)\]/gu)].map(([, tag = ""]) => tag));

const extraFields = z.looseObject({ ids: z.array(z.string()).optional() });

function extraFieldsOf(lines: readonly string[]): z.output<typeof extraFields> {
  const line = lines.find((text) => text.startsWith(extraFieldsMark));
  if (line === undefined) return {};
  try {
    return extraFields.safeParse(JSON.parse(line.slice(extraFieldsMark.length))).data ?? {};
  } catch {
    return {};
  }
}

const faultOf = ({ issues: [issue] }: z.ZodError): string =>
  `${issue?.path.join(".") || "question"}: ${issue?.message ?? "not accepted"}`.slice(0, maxMessageLength);
