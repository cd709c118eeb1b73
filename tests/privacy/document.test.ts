import { readFileSync } from "node:fs";
import mongoose, { type Schema } from "mongoose";
import { expect, test } from "vitest";
import { createModels } from "../../src/models/index.js";
import { treatments } from "../../src/services/privacy/personal-data.js";
import { sections } from "../../src/services/privacy/read-user-data.js";

const connection = mongoose.createConnection();
const models = Object.entries(createModels(connection));

const [, table = ""] = readFileSync("docs/privacy.md", "utf8").split("## What is stored");
const described = Object.fromEntries(
  [...table.matchAll(/^\| ([A-Z]\w+) +\| (`[^|]+) \| ([^|]+) \| ([^|]+) \|$/gm)].map(
    ([, name = "", fields = "", , retention = ""]) => [
      name,
      { fields: [...fields.matchAll(/`(\w+)`/g)].map(([, field]) => field), retention },
    ],
  ),
);

test("the table names every stored field of every collection", () => {
  const stored = models.map(([name, { schema }]) => [
    name,
    [...new Set(Object.keys(schema.paths).map((path) => path.split(".")[0]))],
  ]);
  const named = Object.entries(described).map(([name, { fields }]) => [name, fields]);
  expect(Object.fromEntries(named)).toEqual(Object.fromEntries(stored));
});

test("the table says what erasing does", () => {
  for (const [name, treatment] of Object.entries(treatments)) {
    const { retention } = described[name] ?? { retention: "" };
    if (treatment.rows === "removed")
      expect({ name, retention }).toMatchObject({ retention: expect.stringContaining("erasure") });
    if (treatment.rows === "anonymised") expect(retention).toMatch(/erasure takes/);
  }
});

test("whatever names a user is in the export, and is found by an index", () => {
  const exported = new Set<string>(Object.values(sections).map(({ model }) => model));
  for (const [name, treatment] of Object.entries(treatments)) {
    const byAddress = ["EmailLock", "EnrollmentImportRow"].includes(name);
    if (treatment.rows !== "kept" && !byAddress)
      expect({ name, exported: exported.has(name) }).toEqual({ name, exported: true });
  }
  for (const { model, owner, ...rest } of Object.values(sections)) {
    const schema: Schema | undefined = models.find(([name]) => name === model)?.[1].schema;
    const fields = [owner, ...Object.keys("where" in rest ? rest.where : {})];
    const usable = schema?.indexes().some(([keys, options]) => {
      const first = Object.keys(keys).slice(0, fields.length);
      return fields.every((field) => first.includes(field)) && !options?.partialFilterExpression;
    });
    expect({ model, indexed: owner === "_id" || usable }).toEqual({ model, indexed: true });
  }
});
