import mongoose, { Types } from "mongoose";
import { expect, test } from "vitest";
import { z } from "zod";
import { timestamp } from "../../src/lib/fields.js";
import { exportedRow, objectIdField, rowTimes, schemaOf, uncast, withDefault } from "../../src/models/row.js";

const row = z.object({
  _id: objectIdField,
  name: z.string(),
  kind: z.enum(["a", "b"]),
  shade: z.enum(["light", "dark"]).nullable(),
  kinds: z.array(z.enum(["a", "b"])),
  courseIds: z.array(objectIdField).nullable(),
  count: withDefault(z.number(), 3),
  double: withDefault(z.number(), function (this: { count: number }) {
    return this.count * 2;
  }),
  note: z.string().exactOptional(),
  tags: z.array(z.string()).exactOptional(),
  part: z.object({ text: z.string(), at: timestamp.nullable(), size: withDefault(z.number(), 1) }).exactOptional(),
  parts: withDefault(z.array(z.object({ _id: objectIdField, text: z.string() })), []),
  pair: uncast(z.object({ b: z.number(), a: z.number() })).exactOptional(),
  ...rowTimes,
});
const Model = new mongoose.Mongoose().model("Row", schemaOf(row, {}));
const required = { name: "n", kind: "a", kinds: ["b"] };

/** What Mongoose stores of a new row. */
const stored = (fields: object) => new Model(fields).toObject();

test("a new row gets its defaults, null where a field is nullable, and nothing where it is optional", () => {
  const { _id, ...rest } = stored(required);
  expect(_id).toBeInstanceOf(Types.ObjectId);
  expect(rest).toEqual({ ...required, shade: null, courseIds: null, count: 3, double: 6, parts: [] });
});

test("values are cast to the types of the fields, also in parts", () => {
  const id = "665f1c2ab7e4d90012ab34cd";
  const { courseIds, part, parts } = stored({ courseIds: [id], part: { text: 1 }, parts: [{ text: "x" }] });
  expect(courseIds).toEqual([new Types.ObjectId(id)]);
  expect(part).toEqual({ text: "1", at: null, size: 1 });
  expect(parts).toEqual([{ _id: expect.any(Types.ObjectId), text: "x" }]);
});

test("an uncast object keeps its values and the order of its fields", () => {
  expect(JSON.stringify(stored({ pair: { a: "1", b: 2 } }).pair)).toBe('{"a":"1","b":2}');
});

test.each([
  [{}, ["kind", "name"]],
  [{ ...required, name: "" }, ["name"]],
  [{ ...required, kind: "c", shade: "grey", kinds: ["c"] }, ["kind", "kinds.0", "shade"]],
  [{ ...required, shade: null, part: { text: "" } }, []],
])("Mongoose refuses %j for %j", async (fields, wrong) => {
  const error: unknown = await new Model(fields).validate().catch((thrown: unknown) => thrown);
  const errors = error instanceof mongoose.Error.ValidationError ? error.errors : {};
  expect(Object.keys(errors).toSorted()).toEqual(wrong);
});

test("a row of fields that have no stored type is refused", () => {
  expect(() => schemaOf(z.object({ count: z.bigint() }), {})).toThrow("a row has a field of a type that is not stored");
});

test("the times of a row are written by Mongoose, and its other dates are not", () => {
  expect(schemaOf(row, {}).get("timestamps")).toEqual({ createdAt: true, updatedAt: true });
  const created = z.object({ createdAt: rowTimes.createdAt });
  expect(schemaOf(created, {}).get("timestamps")).toEqual({ createdAt: true, updatedAt: false });
  const own = schemaOf(z.object({ createdAt: timestamp }), {});
  expect(own.get("timestamps")).toBe(false);
  expect(own.path("createdAt").isRequired).toBe(true);
});

test("an export accepts rows of older versions", () => {
  const exported = exportedRow(row, ["name", "kind", "shade", "count", "tags", "createdAt"], {
    tags: z.number().optional(),
  });
  expect(Object.keys(exported.shape)).toEqual(["name", "kind", "shade", "count", "tags", "createdAt"]);
  expect(exported.parse({ name: "n", kind: "former", tags: 1, secret: 2 })).toEqual({
    name: "n",
    kind: "former",
    tags: 1,
  });
  expect(exported.parse({ name: "n", kind: "a", shade: null, createdAt: new Date(0) })).toEqual({
    name: "n",
    kind: "a",
    shade: null,
    createdAt: "1970-01-01T00:00:00.000Z",
  });
  expect(exported.safeParse({ kind: "a" }).success).toBe(false);
});
