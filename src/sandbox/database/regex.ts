import type { BSONRegExp } from "bson";
import { DatabaseError } from "./errors.js";

/**
 * A JavaScript expression for MongoDB's (PCRE) pattern and the options i, m, s, x, u.
 * @throws DatabaseError 51091 for a pattern, 51108 for an option, that cannot be used.
 */
export function compileRegex(pattern: string, options: string): RegExp {
  const inline = /^\(\?([imsx]+)\)/.exec(pattern);
  const flags = new Set(options + (inline?.[1] ?? ""));
  let source = inline ? pattern.slice(inline[0].length) : pattern;
  for (const flag of flags) {
    if (!"imsxu".includes(flag)) {
      throw new DatabaseError(51108, `invalid flag in regex options: ${flag}`);
    }
  }
  if (flags.has("x")) {
    source = source.replace(/(\\.|\[(?:\\.|[^\]])*\])|\s+|#[^\n]*/gs, "$1");
  }
  try {
    return new RegExp(source, [...flags].filter((flag) => "ims".includes(flag)).join(""));
  } catch (error) {
    throw new DatabaseError(
      51091,
      `Regular expression is invalid: ${error instanceof Error ? error.message : pattern}`,
    );
  }
}

/** The plain text every match begins with, or undefined when the pattern is not anchored or ignores case. */
export function anchoredPrefix({ pattern, options }: BSONRegExp): string | undefined {
  if (options !== "" || !pattern.startsWith("^") || pattern.includes("|")) {
    return undefined;
  }
  const literal = /^\^((?:[^\\^$.*+?()[\]{}|]|\\[^a-zA-Z0-9])*)/.exec(pattern)?.[1] ?? "";
  const quantified = /^[*?{]/.test(pattern.slice(1 + literal.length));
  const kept = quantified ? literal.replace(/\\?.$/su, "") : literal;
  return kept === "" ? undefined : kept.replace(/\\(.)/gsu, "$1");
}
