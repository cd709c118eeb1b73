import { setImmediate as nextTurn } from "node:timers/promises";
import { type GIFTQuestion, parse } from "gift-pegjs";
import { z } from "zod";
import type { QuestionContent } from "../kinds/question-kind.js";
import { maxTagLength, maxTags, questionContent, questionKinds } from "../question-kinds.js";
import { extraFieldsMark, type GiftReading, markdownOf } from "./gift-text.js";
import { toStrictGift } from "./moodle-gift.js";

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

/** Characters of one question without its comments. The longest question of the bank fits, with every character escaped. */
const maxQuestionLength = 48_000;
/** Lines of one question with its comments. The rest is not read. */
const maxLines = 10_000;
const maxMessageLength = 200;

/** Longest time for which other requests wait while lines are read. */
const turnMs = 10;

/**
 * Reads a file in the format GIFT as Moodle does. Blank lines separate its questions, so that a broken one does not stop
 * the others. Other requests are served between two questions, because the parser takes up to a tenth of a second for a
 * long one.
 * @returns undefined for more questions than `most`, or more of them broken.
 */
export async function readGift(text: string, most: number): Promise<GiftFile | undefined> {
  const questions: QuestionContent[] = [];
  const skipped: SkippedQuestion[] = [];
  let isReadable = false;
  let category: string | undefined;
  let turnAt = performance.now();
  for (const { line, lines } of blocksOf(text)) {
    if (performance.now() - turnAt > turnMs) {
      await nextTurn();
      turnAt = performance.now();
    }
    if (lines.length === 0) continue;
    const named = categoryLine.exec(lines[0] ?? "")?.[1];
    if (named !== undefined) {
      category = tagOfCategory(named);
      isReadable = true;
      continue;
    }
    const read = readBlock(lines, category);
    isReadable ||= "question" in read || read.isGift;
    if ("question" in read) questions.push(read.question);
    else skipped.push({ line, message: read.reason });
    if (questions.length > most || skipped.length > most) return undefined;
  }
  return { questions, skipped, isReadable };
}

/** The last part of the path of a category. Moodle doubles a slash within a name. */
function tagOfCategory(path: string): string | undefined {
  const parts = path.split(/(?<!\/)\/(?!\/)/).map((part) => part.replaceAll("//", "/").trim());
  const last = parts.findLast((part) => part !== "") ?? "";
  const isName = !/^(?:\$.*\$|top)$/.test(last);
  return isName ? [...last].slice(0, maxTagLength).join("").trim() : undefined;
}

interface Block {
  /** Of its first line that is no comment; from 1. */
  readonly line: number;
  readonly lines: readonly string[];
}

const categoryLine = /^\s*\$CATEGORY:(.*)/;
const isComment = (line: string): boolean => /^\s*\/\//.test(line);

const nothing: Block = { line: 0, lines: [] };

/** Cuts a file at its blank lines, and before and behind the line of a category. Blocks of comments are empty. */
function* blocksOf(text: string): Generator<Block> {
  let lines: string[] = [];
  let first = 0;
  let number = 0;
  const file = `${text.replace(/^\ufeff/, "")}\n\n`;
  let start = 0;
  for (const { 0: lineBreak, index } of file.matchAll(/\r\n|[\r\n]/g)) {
    const line = file.slice(start, index);
    start = index + lineBreak.length;
    number += 1;
    const isCategory = categoryLine.test(line);
    if (line.trim() !== "" && !isCategory) {
      if (!isComment(line) && !first) first = number;
      if (lines.length < maxLines) lines.push(line);
      else yield nothing;
      continue;
    }
    yield first ? { line: first, lines } : nothing;
    if (isCategory) yield { line: number, lines: [line] };
    lines = [];
    first = 0;
  }
}

type Read = { readonly question: QuestionContent } | { readonly reason: string; readonly isGift: boolean };

/** Reads one question. Its comments hold the fields that GIFT does not know, which come before the fields of the text. */
export function readBlock(lines: readonly string[], category?: string): Read {
  const text = lines.filter((line) => !isComment(line)).join("\n");
  if (text.length > maxQuestionLength) return { reason: "the question is too long", isGift: false };
  const { ids, ...extra } = extraFieldsOf(lines);
  const strict = toStrictGift(text, { splitsWords: true });
  const first = readText(strict, ids);
  // Where Moodle finds no question, because a choice has several right options, `=` within a word is text.
  const whole = toStrictGift(text, { splitsWords: false });
  const read = "fields" in first || whole === strict ? first : (usable(readText(whole, ids)) ?? first);
  if (!("kind" in extra) && "reason" in read) return read;
  const fields = "fields" in read ? read.fields : {};
  const tags = [...new Set([...tagsOf(lines), ...(category ? [category] : [])])].slice(0, maxTags);
  const { success, data, error } = questionContent.safeParse({ tags, ...fields, ...extra });
  return success ? { question: data } : { reason: faultOf(error), isGift: true };
}

type TextReading = { readonly fields: Record<string, unknown> } | { readonly reason: string; readonly isGift: boolean };

const usable = (read: TextReading): TextReading | undefined => ("fields" in read ? read : undefined);

function readText(strict: string, ids: readonly string[] | undefined): TextReading {
  const parsed = parseQuestion(strict);
  if ("failure" in parsed) return { reason: parsed.failure, isGift: false };
  const read = readQuestion(parsed.question, ids);
  return "reason" in read ? { ...read, isGift: true } : read;
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
  const prompt = "stem" in rest ? markdownOf(rest.stem) : "";
  const explanation = "globalFeedback" in rest && rest.globalFeedback ? markdownOf(rest.globalFeedback) : undefined;
  return { prompt: prompt || title || "", ...(explanation ? { explanation } : {}) };
}

const nameOf = ({ type }: GIFTQuestion): string =>
  ({ Matching: "a matching", Essay: "an essay", Description: "a description" })[type as string] ?? "this question";

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
