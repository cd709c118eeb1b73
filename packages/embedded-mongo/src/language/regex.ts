import { BSONRegExp } from "bson";
import { check, DatabaseError, notSupported } from "../errors.js";

/** An escape, a class in brackets, a repeat count, the head of a group, or one character. */
const TOKENS = /\\.?|\[(?:\\.?|[^\\\]])*(?:\]|$)|\{\d+(?:,\d*)?\}|\(\?(?:<?[=!]|:)|./gs;
/** An escape, with the general category of a property. Other properties are named differently in JavaScript. */
const ESCAPES = /\\(?:[pP](?:\{[A-Z][a-z]?\})?|.?)/gs;
/** Escapes that JavaScript accepts with another meaning: a backreference to an unset group, for example, matches. */
const OTHER_ESCAPES = /^\\([uv1-9k]|[pP]$)/;
/** PCRE2 in MongoDB 7 accepts a look-behind of a fixed length only. */
const VARIABLE_LENGTH = /^([*+?(]|\{\d+,)/;
/** JavaScript takes these two letters for s and k when it ignores case, and then also for `\w` and `\b`. */
const FOLDED_LETTERS = /[\u017f\u212a]/;

/**
 * Translates MongoDB's (PCRE2) pattern with the options i, m, s, u into a test by a JavaScript expression.
 * @throws DatabaseError 51091 for an unusable pattern.
 */
export function compileRegex({ pattern, options }: BSONRegExp): (text: string) => boolean {
  const has = (flag: string) => options.includes(flag);
  const tokens = pattern.match(TOKENS) ?? [];
  const unusable = unusablePart(pattern, tokens, has("i"));
  check(unusable === undefined, 51091, `Regular expression is not served: ${unusable}`);
  if (has("x")) throw notSupported("the option x of a regular expression");
  const flags = `u${[..."is"].filter(has).join("")}`;
  let expression: RegExp;
  try {
    // The check of the classes comes first, because a translated one can hide an invalid range.
    for (const token of tokens) if (token.startsWith("[")) new RegExp(unescaped(token), flags);
    expression = new RegExp(tokens.map((token) => translate(token, has)).join(""), flags);
  } catch (error) {
    throw new DatabaseError(51091, `Regular expression is invalid: ${String(error)}`);
  }
  const ascii = has("i") && /\\[wWbB]/.test(pattern);
  return (text) => {
    if (ascii && FOLDED_LETTERS.test(text)) throw notSupported("\\w or \\b with the option i on ſ or the Kelvin sign");
    return expression.test(text);
  };
}

/** Unicode mode allows an escape only for special characters, and for a hyphen only within brackets. */
const unescaped = (token: string) => token.replace(/\\([^\w\s^$\\.*+?()[\]{}|/-])/g, "$1");

/** A line ends before `\n` alone, and `\s` is ASCII. */
function translate(token: string, has: (flag: string) => boolean): string {
  if (token === "." && !has("s")) return "[^\\n]";
  if (token === "$") return has("m") ? "(?=\\n|$)" : "(?=\\n?$)";
  if (token === "^" && has("m")) return "(?<=^|\\n(?!$))";
  if (token === "\\-") return "-";
  // Without the condition, V8 also finds this place between the two halves of a character.
  if (token === "\\B") return "(?=[^]|$)\\B";
  if (/^\\s$/i.test(token)) return token === "\\s" ? "[ \\t-\\r]" : "[^ \\t-\\r]";
  if (!token.startsWith("[")) return unescaped(token);
  return unescaped(token).replace(/\\(.)/gs, (whole, letter) => {
    return letter === "s" ? " \\t-\\r" : letter === "S" ? "\\0-\\x08\\x0e-\\x1f!-\\u{10ffff}" : whole;
  });
}

/** Finds a part that PCRE2 refuses, that JavaScript understands differently, or that can take forever. */
function unusablePart(pattern: string, tokens: readonly string[], ignoresCase: boolean): string | undefined {
  for (const [escaped] of pattern.matchAll(ESCAPES)) {
    if (OTHER_ESCAPES.test(escaped) || (ignoresCase && /^\\p/i.test(escaped))) return escaped;
  }
  let behind = false;
  for (const [at, token] of tokens.entries()) {
    if (token === "(" && tokens[at + 1] === "?") return "a group that is named or has options";
    const isPosix = /^\[.*\[[:.=]/s.test(token) && /[:.=]\]$/.test(token);
    if (isPosix || /^\[\^?\]$/.test(token)) return token;
    if (behind && VARIABLE_LENGTH.test(token)) return "a look-behind without a fixed length";
    behind = token.startsWith("(?<") || (behind && token !== ")");
  }
  return repeatsRepetition(tokens) ? "what is repeated repeats or branches, and might never end" : undefined;
}

/** True when a group that repeats, branches or holds a group is itself repeated. */
function repeatsRepetition(tokens: readonly string[]): boolean {
  const open: boolean[] = [];
  let closed = false;
  for (const token of tokens) {
    if (closed && /^[+*]|^\{\d+,/.test(token)) return true;
    closed = token === ")" && open.pop() === true;
    if (token.startsWith("(")) open.push(false);
    else if (open.length > 0 && /^[+*|)]$|,\}$/.test(token)) open[open.length - 1] = true;
  }
  return false;
}

/** Combines `$regex` and `$options`. @throws DatabaseError 2, 51075 for options in both, 51108 for unknown ones. */
export function regexOf(operand: unknown, options: unknown = ""): BSONRegExp {
  const { pattern, options: own } = operand instanceof BSONRegExp ? operand : { pattern: operand, options: "" };
  check(typeof pattern === "string" && typeof options === "string", 2, "$regex and $options have to be strings");
  check(own === "" || options === "", 51075, "options set in both $regex and $options");
  check(/^[imsxu]*$/.test(options), 51108, `invalid flag in regex options: ${options}`);
  return new BSONRegExp(pattern, [...own, ...options].sort().join(""));
}

/**
 * Returns the text that every match starts with. It returns undefined when the pattern is not anchored or ignores case.
 */
export function anchoredPrefix({ pattern, options }: BSONRegExp): string | undefined {
  if (options !== "" || !pattern.startsWith("^") || pattern.includes("|")) return undefined;
  const literal = /^\^((?:[^\\^$.*+?()[\]{}|]|\\[^a-zA-Z0-9])*)/.exec(pattern)?.[1] ?? "";
  const quantified = /^[*?{]/.test(pattern.slice(1 + literal.length));
  const kept = quantified ? literal.replace(/\\?.$/su, "") : literal;
  return kept === "" ? undefined : kept.replace(/\\(.)/gsu, "$1");
}
