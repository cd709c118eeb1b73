/** A part of an OpenAPI 3.1 schema. */
export type JsonSchema = Record<string, any>;

/** Creates a repeatable source of random numbers (mulberry32). */
export function randomSource(seed: number) {
  let state = seed >>> 0;
  const next = (): number => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
  const below = (limit: number): number => Math.floor(next() * limit);
  const pick = <T>(from: readonly T[]): T => from[below(from.length)] as T;
  const chance = (share: number): boolean => next() < share;
  return { below, pick, chance };
}
export type Random = ReturnType<typeof randomSource>;

/** Values that no field accepts. */
const hostile: readonly unknown[] = [
  { $gt: "" },
  { $where: "sleep(1000)" },
  ["a", "b"],
  null,
  true,
  -1,
  1e308,
  1.5,
  "",
  " ",
  "\u0000",
  "\ud800",
  "__proto__",
  "constructor",
  "../../etc/passwd",
  "<script>alert(1)</script>",
  "'; DROP TABLE users; --",
  "(a+)+$",
  "💥".repeat(300),
  "x".repeat(6_000),
  { toString: "x", __proto__: null },
];

export const hostileValue = (random: Random): unknown => random.pick(hostile);

const words = ["node", "types", "learning", "ünïcödé", "a b c", "1", "Web", "💬"];

/** Generates a value that usually fits a schema. @param ids existing values of any kind. */
export function valueFor(schema: JsonSchema, random: Random, ids: readonly string[], name = ""): unknown {
  if (schema.$ref) return {};
  if (schema.const !== undefined) return schema.const;
  if (schema.enum) return random.pick(schema.enum);
  const choices = schema.anyOf ?? schema.oneOf;
  if (choices) return valueFor(random.pick(choices), random, ids, name);
  const type = Array.isArray(schema.type) ? random.pick(schema.type) : schema.type;
  const between = (min: number, max: number) => min + random.below(Math.max(1, Math.min(max - min + 1, 50)));
  switch (type) {
    case "object": {
      const required: string[] = schema.required ?? [];
      const fields = Object.entries<JsonSchema>(schema.properties ?? {}).filter(
        ([field]) => required.includes(field) || random.chance(0.5),
      );
      return Object.fromEntries(fields.map(([field, own]) => [field, valueFor(own, random, ids, field)]));
    }
    case "array": {
      const length = between(schema.minItems ?? 0, Math.min(schema.maxItems ?? 3, (schema.minItems ?? 0) + 3));
      return Array.from({ length }, () => valueFor(schema.items ?? {}, random, ids, name));
    }
    case "integer":
      return between(schema.minimum ?? 0, schema.maximum ?? 100);
    case "number":
      return between(schema.minimum ?? 0, schema.maximum ?? 100) + (random.chance(0.3) ? 0.25 : 0);
    case "boolean":
      return random.chance(0.5);
    case "null":
      return null;
    case "string": {
      if (/id$/i.test(name) && ids.length > 0) return random.pick(ids);
      const text = random.pick(words).padEnd(schema.minLength ?? 0, "x");
      return schema.format === "date-time" ? new Date(Date.now() + random.below(1e9)).toISOString() : text;
    }
    default:
      return random.pick(words);
  }
}
