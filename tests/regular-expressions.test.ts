import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import jsTokens from "js-tokens";
import { check } from "recheck";
import { describe, expect, test } from "vitest";

/* Whatever a client sends is matched in time in proportion to its length. */

const folders = ["src", "development", ...readdirSync("packages").map((name) => join("packages", name, "src"))];
const files = folders.flatMap((folder) =>
  readdirSync(folder, { recursive: true, encoding: "utf8" })
    .filter((file) => file.endsWith(".ts"))
    .map((file) => join(folder, file)),
);
const sources = new Map(files.map((file) => [file, [...jsTokens(readFileSync(file, "utf8"))]]));

const literals = [...sources].flatMap(([file, tokens]) =>
  tokens.flatMap(({ type, value }) => (type === "RegularExpressionLiteral" ? [{ file, literal: value }] : [])),
);

/** @returns how a pattern behaves on the worst text for it. */
async function judge(literal: string): Promise<string> {
  const end = literal.lastIndexOf("/");
  const found = await check(literal.slice(1, end), literal.slice(end + 1), { timeout: 60_000, randomSeed: 1 });
  if (found.status === "safe") return "linear";
  return found.status === "vulnerable" ? found.complexity.summary : "unknown";
}

test("the check knows a pattern that takes quadratic time", async () => {
  expect(await judge(String.raw`/^\s*(${"```"}|~~~).*$/gm`)).toBe("2nd degree polynomial");
});

describe.each([...new Set(literals.map(({ literal }) => literal))])("%s", (literal) => {
  test("takes time in proportion to the text", { timeout: 90_000 }, async () => {
    expect(await judge(literal)).toBe("linear");
  });
});

test("patterns are literals, except for five of which no client chooses the text, or the database is asked", () => {
  const made = [...sources].flatMap(([file, tokens]) => {
    const words = tokens.filter(({ type }) => type !== "WhiteSpace").map(({ value }) => value);
    return words.some((word, n) => word === "RegExp" && words[n + 1] === "(") ? [file] : [];
  });
  expect(made.sort()).toEqual([
    "packages/embedded-mongo/src/errors.ts",
    "packages/embedded-mongo/src/language/regex.ts",
    "src/http/limits/overload.ts",
    "src/lib/text-pattern.ts",
    "src/process.ts",
  ]);
});
