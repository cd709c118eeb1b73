import { readdirSync, readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import jsTokens from "js-tokens";
import { check } from "recheck";
import { describe, expect, test } from "vitest";

/* Whatever a client sends is matched in time in proportion to its length. */

const src = resolve("src");
/** The emulators never run in production, and nothing that an API client sends reaches the command that shows a tour. */
const skipped = /^(sandbox\/|cli\/tour\.ts$)/;
const files = readdirSync(src, { recursive: true, encoding: "utf8" }).filter(
  (file) => file.endsWith(".ts") && !skipped.test(file),
);
const sources = new Map(files.map((file) => [file, [...jsTokens(readFileSync(join(src, file), "utf8"))]]));

const literals = [...sources].flatMap(([file, tokens]) =>
  tokens.flatMap(({ type, value }) => (type === "RegularExpressionLiteral" ? [{ file, literal: value }] : [])),
);

/** @returns how a pattern behaves on the worst text for it. */
async function judge(literal: string): Promise<string> {
  const end = literal.lastIndexOf("/");
  const found = await check(literal.slice(1, end), literal.slice(end + 1), { timeout: 20_000 });
  if (found.status === "safe") return "linear";
  return found.status === "vulnerable" ? found.complexity.summary : "unknown";
}

test("the check knows a pattern that takes quadratic time", async () => {
  expect(await judge(String.raw`/^\s*(${"```"}|~~~).*$/gm`)).toBe("2nd degree polynomial");
});

describe.each([...new Set(literals.map(({ literal }) => literal))])("%s", (literal) => {
  test("takes time in proportion to the text", { timeout: 30_000 }, async () => {
    expect(await judge(literal)).toBe("linear");
  });
});

test("patterns are literals, except for one that the database matches and one of the configuration's own words", () => {
  const made = [...sources].flatMap(([file, tokens]) => {
    const words = tokens.filter(({ type }) => type !== "WhiteSpace").map(({ value }) => value);
    return words.some((word, n) => word === "RegExp" && words[n + 1] === "(") ? [file] : [];
  });
  expect(made.sort()).toEqual(["api/community/find-posts.ts", "process.ts"]);
});
