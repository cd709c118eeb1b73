/** An escaped character, a lone backslash, or a character with a meaning. */
const marks = /\\[\\:#={}~n]|[\\:#={}~]/g;

/** The places of the unescaped characters of `wanted`, in order. */
function placesOf(text: string, wanted: string): number[] {
  return [...text.matchAll(marks)].flatMap(({ 0: mark, index }) => (wanted.includes(mark) ? [index] : []));
}

/** Escapes the line breaks and unescaped characters of a text, except its braces. */
const escapeText = (text: string): string =>
  text
    .trim()
    .replace(marks, (mark) => (mark.length > 1 || mark === "{" || mark === "}" ? mark : `\\${mark}`))
    .split("\n")
    .map((line) => line.trimEnd())
    .join("\\n");
const escapeBraces = (text: string): string => text.replace(/\\.|[{}]/gs, (mark) => mark.padStart(2, "\\"));

/** The weight of a choice, in percent. Some programs write a decimal comma. */
const weight = /^%(-?\d{1,3})(?:[.,](\d*))?%/;
/** Maximum number of answers of a question, because the parser is slow with more. */
const maxAnswers = 100;
const withoutFeedback = (text: string): string => text.slice(0, placesOf(text, "#")[0]).trim();

/**
 * Rewrites a question for a strict parser of GIFT, so that the parser reads what Moodle reads: it escapes characters that
 * have no meaning where they stand, and drops empty answers and the feedback to single ones. The cost is linear.
 * @param splitsWords whether an `=` within a word begins an answer, as for Moodle.
 */
export function toStrictGift(source: string, { splitsWords }: { splitsWords: boolean }): string {
  const { title, text } = splitTitle(source.trim());
  const [start, end] = [placesOf(text, "{")[0], placesOf(text, "}")[0]];
  if (start === undefined && end === undefined) return `${title}${escapeText(text)}`;
  if (start === undefined || end === undefined || end < start) return `${title}${text}`;
  const [before, after] = [text.slice(0, start), text.slice(end + 1)];
  // Moodle puts a blank in the place of answers that do not end the question.
  const prompt = after.trim() === "" ? before : `${before}_____${after}`;
  const body = text.slice(start + 1, end).trim();
  const feedbackAt = placesOf(body, "#").findLast((at) => body.startsWith("####", at));
  const answers = strictAnswers(body.slice(0, feedbackAt).trim(), splitsWords);
  const feedback = feedbackAt === undefined ? "" : escapeBraces(escapeText(body.slice(feedbackAt + 4)));
  const inside = [answers, feedback && `####${feedback}`].filter(Boolean).join("\n");
  return `${title}${escapeText(prompt)} {${inside}}`;
}

function splitTitle(source: string): { title: string; text: string } {
  const end = source.startsWith("::")
    ? placesOf(source, ":").find((at) => at > 1 && source[at + 1] === ":")
    : undefined;
  if (end === undefined) return { title: "", text: source };
  const title = escapeBraces(escapeText(source.slice(2, end)));
  return { title: title && `::${title}::`, text: source.slice(end + 2).trim() };
}

function strictAnswers(answers: string, splitsWords: boolean): string {
  const isNumber = answers.startsWith("#");
  const list = isNumber ? answers.slice(1).trim() : answers;
  const write = (text: string): string => (isNumber ? text.replace(/\s+/g, "") : escapeBraces(escapeText(text)));
  const signs = placesOf(list, "=~").filter(
    (at) => splitsWords || list[at] === "~" || /^[\s~]?$/.test(list[at - 1] ?? ""),
  );
  const choices = signs.slice(0, maxAnswers).flatMap((at, i) => {
    const text = withoutFeedback(list.slice(at + 1, signs[i + 1]));
    const [percent = "", whole = "", decimals = ""] = weight.exec(text) ?? [];
    const answer = write(text.slice(percent.length));
    // Without a format, a percent sign would begin a weight.
    const format = !isNumber && answer.startsWith("%") ? "[moodle]" : "";
    return answer ? [`${list[at]}${percent && `%${whole}.${decimals || 0}%`}${format}${answer}`] : [];
  });
  const alone = write(withoutFeedback(list.slice(0, signs[0])));
  const sign = choices.length === 0 ? "" : !isNumber && list.includes("~") ? "~" : "=";
  return `${isNumber ? "#" : ""}${[...(alone ? [sign + alone] : []), ...choices].join("\n")}`;
}
