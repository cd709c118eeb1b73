import { BSONRegExp } from "bson";
import { check, DatabaseError, notSupported } from "../errors.js";

/**
 * Translates MongoDB's (PCRE) pattern with the options i, m, s, u into a JavaScript expression.
 * @throws DatabaseError 51091 for an unusable pattern.
 */
export function compileRegex({ pattern, options }: BSONRegExp): RegExp {
  const has = (flag: string) => options.includes(flag);
  // Matches an escape, a class in brackets, a repeat count, or one character.
  const tokens = pattern.match(/\\.?|\[(?:\\.?|[^\\\]])*(?:\]|$)|\{\d+(?:,\d*)?\}|./gs) ?? [];
  const endless = repeatsRepetition(tokens);
  check(!endless, 51091, "Regular expression is not served: what is repeated repeats or branches, and might never end");
  const translated = (token: string) => {
    // The Unicode mode refuses the other constructs of PCRE.
    check(!/^(\\[uv]|\[\^?\])/.test(token), 51091, `Regular expression is not served: ${token}`);
    if (token === "." && !has("s")) return "[^\\n]";
    if (token === "$" && !has("m")) return "(?=\\n?(?![^]))";
    // Unicode mode allows an escape only for special characters, and for a hyphen only within brackets.
    const escaped = token.replace(/\\([^\w\s^$\\.*+?()[\]{}|/-])/g, "$1");
    return escaped === "\\-" ? "-" : escaped;
  };
  const source = tokens.map(translated).join("");
  if (has("x")) throw notSupported("the option x of a regular expression");
  try {
    return new RegExp(source, `u${[..."ims"].filter(has).join("")}`);
  } catch (error) {
    throw new DatabaseError(51091, `Regular expression is invalid: ${String(error)}`);
  }
}

/** True when a group that repeats, branches or holds a group is itself repeated. */
function repeatsRepetition(tokens: readonly string[]): boolean {
  const open: boolean[] = [];
  let closed = false;
  for (const token of tokens) {
    if (closed && /^[+*]|^\{\d+,/.test(token)) return true;
    closed = token === ")" && open.pop() === true;
    if (token === "(") open.push(false);
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
