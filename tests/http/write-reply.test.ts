import fc from "fast-check";
import { Types } from "mongoose";
import { Registry } from "prom-client";
import { expect, test } from "vitest";
import { z } from "zod";
import { apiGroups } from "../../src/app.js";
import { compileReply } from "../../src/http/replies/write-reply.js";
import { id, timestamp } from "../../src/lib/fields.js";
import { startTestServer } from "../server/test-server.js";

const server = await startTestServer();
const routes = apiGroups({ ...server.deps, metrics: new Registry() }).flatMap(({ base, routes }) =>
  routes.map(({ method, path, reply, write }) => ({ name: `${method} ${base}${path}`, reply, write })),
);

type Part = z.ZodType & { _zod: { def: Record<string, any> } };

/** Text as it comes: quotes, control characters, half characters, long ones. */
const text = fc.oneof(
  fc.string({ unit: "binary", maxLength: 60 }),
  fc.string({ maxLength: 8 }),
  fc.constantFrom("\ud800", "a\udc00b", '"', "\\", "\u2028", "é😀", "x".repeat(300)),
);
const anything = fc.oneof(
  text,
  fc.constantFrom(null, undefined, Number.NaN, Number.POSITIVE_INFINITY, new Date(Number.NaN), [], {}),
  fc.boolean(),
  fc.double(),
);
const extra = fc.dictionary(fc.constantFrom("__v", "secret", "voters", "toJSON"), fc.anything(), { maxKeys: 3 });

/** Values of a schema, with more fields than it names; where `wild`, now and then one that does not fit. */
function values(part: Part, wild: boolean): fc.Arbitrary<unknown> {
  const fitting = fittingValues(part, wild);
  return wild ? fc.oneof({ weight: 40, arbitrary: fitting }, { weight: 1, arbitrary: anything }) : fitting;
}

function fittingValues(part: Part, wild: boolean): fc.Arbitrary<unknown> {
  const { def } = part._zod;
  switch (def.type) {
    case "object": {
      const fields = Object.entries(def.shape as Record<string, Part>);
      const named = Object.fromEntries(fields.map(([key, inner]) => [key, values(inner, wild)]));
      return fc.tuple(extra, fc.record(named)).map(([more, own]) => ({ ...more, ...own }));
    }
    case "array":
      return fc.array(values(def.element, wild), { maxLength: 4 });
    case "optional":
      return fc.option(values(def.innerType, wild), { nil: undefined });
    case "nullable":
      return fc.option(values(def.innerType, wild), { nil: null });
    case "pipe":
      return values(def.in, wild);
    case "custom":
      return fc.oneof(
        text,
        fc.constant(null).map(() => new Types.ObjectId()),
      );
    case "string":
      return text;
    case "number":
      return fc.oneof(fc.integer({ min: 0, max: 100 }), fc.double({ noNaN: true, noDefaultInfinity: true }));
    case "boolean":
      return fc.boolean();
    case "date":
      return fc.date({ noInvalidDate: true });
    case "enum":
      return fc.constantFrom(...Object.values(def.entries));
    case "literal":
      return fc.constantFrom(...def.values);
    case "unknown":
      return fc.jsonValue();
    default:
      throw new Error(`a reply has a ${def.type}: say what its values are`);
  }
}

/** The text, or that there is none. */
function outcome(write: () => string): string {
  try {
    return write();
  } catch {
    return "refused";
  }
}

test.each(routes)("$name is written as parsing and stringifying would write it", ({ reply, write }) => {
  fc.assert(
    fc.property(
      fc.boolean().chain((wild) => values(reply as unknown as Part, wild)),
      (value) => {
        const expected = outcome(() => JSON.stringify({ success: true, ...reply.parse(value) }));
        expect(outcome(() => write(value))).toBe(expected);
      },
    ),
    { numRuns: 60 },
  );
});

test("fields that a reply does not name never leave, at any depth", () => {
  const write = compileReply(z.object({ user: z.object({ _id: id, list: z.array(z.object({ at: timestamp })) }) }));
  const at = new Date(0);
  const value = { user: { _id: "u1", password: "x", list: [{ at, voters: ["u2"] }] }, __v: 1 };
  expect(write(value)).toBe('{"success":true,"user":{"_id":"u1","list":[{"at":"1970-01-01T00:00:00.000Z"}]}}');
});

test("fields that may be absent leave no comma behind", () => {
  const shape = { a: z.string().optional(), b: z.number().optional(), c: z.boolean().optional() };
  for (const reply of [
    z.object(shape),
    z.object({ ...shape, d: z.literal("x") }),
    z.object({ d: z.null(), ...shape }),
  ]) {
    const write = compileReply(reply);
    fc.assert(
      fc.property(fc.record({ a: text, b: fc.integer(), c: fc.boolean() }, { requiredKeys: [] }), (some) => {
        for (const value of [some, { ...some, d: "x" }, { ...some, d: null }]) {
          const expected = outcome(() => JSON.stringify({ success: true, ...reply.parse(value) }));
          expect(outcome(() => write(value))).toBe(expected);
        }
      }),
    );
  }
});

test("a list is no object, not even of an empty reply", () => {
  expect(() => compileReply(z.object({}))([])).toThrow(z.ZodError);
});

test("a value of the wrong type is refused with the path of what is wrong", () => {
  const write = compileReply(z.object({ course: z.object({ title: z.string() }) }));
  expect(() => write({ course: { title: 5 } })).toThrow(/"course",\s+"title"/);
});
