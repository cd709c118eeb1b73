import { isDeepStrictEqual } from "node:util";
import type { QuestionContent } from "../kinds/question-kind.js";
import { type KindName, questionKinds } from "../question-kinds.js";
import { extraFieldsMark, giftText } from "./gift-text.js";
import { defaultId, readBlock } from "./read-gift.js";

/**
 * Writes a question in the format GIFT, with a blank line behind it. It reads the text back, and adds a comment with the
 * fields that differ. So an import gives the same question, whatever GIFT cannot hold.
 * @returns a comment for a question of a kind that GIFT cannot hold.
 */
export function writeGift(content: QuestionContent): string {
  const { kind, prompt, explanation, tags } = content;
  const { gift } = questionKinds[kind as KindName];
  if (!gift) return `// Left out, because GIFT has no questions of the kind ${kind}: ${commentText(prompt)}\n\n`;
  const feedback = explanation ? `\n####${giftText(explanation)}` : "";
  const body = `[markdown]${giftText(prompt)} {\n${gift.write(content)}${feedback}\n}`;
  const named = tags.filter((tag) => !/[\p{Cc}[\]]/u.test(tag));
  const comment = named.length > 0 ? `// ${named.map((tag) => `[tag:${tag}]`).join(" ")}\n` : "";
  const lines = [...comment.split("\n"), ...body.split("\n")].filter(Boolean);
  const ids = idsOf(content);
  const missing = missingFields(content, [...extraFieldsLine({ ids }), ...lines]);
  return `${[...extraFieldsLine({ ids, ...missing }), ...lines].join("\n")}\n\n`;
}

/** The fields that are not read back as they are. */
function missingFields(content: QuestionContent, lines: readonly string[]): Record<string, unknown> {
  const read = readBlock(lines);
  const found: Record<string, unknown> = "question" in read ? read.question : {};
  return Object.fromEntries(
    Object.entries(content).filter(([field, value]) => !isDeepStrictEqual(value, found[field])),
  );
}

/** The ids of the options, unless a file without ids gives the same. */
function idsOf({ options }: QuestionContent): string[] | undefined {
  const ids = (options as readonly { id: string }[] | undefined)?.map(({ id }) => id);
  return ids?.every((id, index) => id === defaultId(index)) ? undefined : ids;
}

/** A comment with JSON, whose brackets are escaped, because other programs look for tags in comments. */
function extraFieldsLine(fields: Record<string, unknown>): string[] {
  const json = JSON.stringify(fields);
  return json === "{}" ? [] : [extraFieldsMark + json.replace(/\[(?=tag:|id:)/g, "\\u005b")];
}

const maxCommentLength = 80;
const commentText = (text: string): string => text.replace(/\s+/g, " ").slice(0, maxCommentLength);
