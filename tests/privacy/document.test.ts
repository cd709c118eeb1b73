import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { withCollectionTable } from "../../development/cli/document-tables.js";
import { collections, userOwnedCollections } from "../../src/models/index.js";

test.each(["docs/privacy.md", "docs/architecture.md"] as const)("the collections in %s are up to date", (file) => {
  const text = readFileSync(file, "utf8");
  expect(text, "npm run docs").toBe(withCollectionTable(file, text));
});

test("a user's rows are found by an index", () => {
  const notIndexed = userOwnedCollections.filter(({ name, owner, where = {} }) => {
    const fields = [owner, ...Object.keys(where)];
    const isUsable = collections[name].schema.indexes().some(([keys, options]) => {
      const first = Object.keys(keys).slice(0, fields.length);
      return fields.every((field) => first.includes(field)) && !options?.partialFilterExpression;
    });
    return owner !== "_id" && !isUsable;
  });
  expect(notIndexed.map(({ name }) => name)).toEqual([]);
});
