import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { transformSync } from "esbuild";
import { expect, test } from "vitest";
import { guards } from "./guards.js";

test("the text of every guard occurs once in its file, and the code without it compiles", () => {
  const wrong = guards.flatMap(({ id, file, find, replace }) => {
    const path = join("src", file);
    const source = existsSync(path) ? readFileSync(path, "utf8") : "";
    const times = source.split(find).length - 1;
    if (times !== 1) return [`${id}: ${times} times in ${path}`];
    if (find === replace) return [`${id}: nothing is taken away`];
    try {
      transformSync(
        source.replace(find, () => replace),
        { loader: "ts" },
      );
      return [];
    } catch (error) {
      return [`${id}: ${String(error).split("\n", 2)[1]}`];
    }
  });
  expect(wrong).toEqual([]);
});

test("every guard has an id of its own and tests that exist", () => {
  expect(new Set(guards.map(({ id }) => id)).size).toBe(guards.length);
  const files = guards.flatMap(({ id, tests }) => tests.map((file) => ({ id, file })));
  expect(files.filter(({ file }) => !existsSync(join("tests", file)))).toEqual([]);
  expect(guards.filter(({ tests }) => tests.length === 0)).toEqual([]);
});

test("where a guard names tests, there is one of that name", () => {
  const missing = guards.filter(({ tests, only }) => {
    const texts = tests.map((file) =>
      existsSync(join("tests", file)) ? readFileSync(join("tests", file), "utf8") : "",
    );
    return only !== undefined && !texts.some((text) => text.includes(only));
  });
  expect(missing.map(({ id, only }) => `${id}: ${only}`)).toEqual([]);
});
