import { type JsonSchema, randomSource, valueFor } from "../contract-fuzz/random-value.js";

/** A place for a text in a value. */
export interface Place {
  readonly name: string;
  /** Longest text that the schema accepts there. */
  readonly max?: number | undefined;
  /** Only the length of the text counts. */
  readonly isList?: boolean | undefined;
  /** The whole value, with the text at its place. */
  fill(text: string): unknown;
}

/** Deepest nesting of a schema that is followed. */
const maxDepth = 8;

const random = randomSource(1);

/** A short value that fits a schema. */
const short = (schema: JsonSchema, name = ""): unknown => schema.example ?? valueFor(schema, random, [], name);

const isFixed = (schema: JsonSchema): boolean => schema.const !== undefined || schema.enum !== undefined;

/**
 * Finds the places of a schema: every string, every key of a dictionary, and every list, which is filled with as many
 * short items as the text is long.
 * @param known fields of a valid value, which stay beside the text.
 */
export function placesIn(schema: JsonSchema, known: Record<string, unknown> = {}, name = "body", depth = 0): Place[] {
  if (depth > maxDepth) return [];
  const choices: JsonSchema[] = [...(schema.anyOf ?? []), ...(schema.oneOf ?? [])];
  if (choices.length > 0) return choices.flatMap((one) => placesIn(one, known, name, depth + 1));
  if (isFixed(schema)) return [];
  const types = [schema.type ?? "string"].flat();
  return [
    ...(types.includes("string") ? [{ name, max: schema.maxLength, fill: (text: string) => text }] : []),
    ...(types.includes("object") ? placesInObject(schema, known, name, depth) : []),
    ...(types.includes("array") ? placesInList(schema, name, depth) : []),
  ];
}

/** Puts each place of a part into the whole. */
const within = (places: readonly Place[], put: (value: unknown) => unknown): Place[] =>
  places.map((place) => ({ ...place, fill: (text) => put(place.fill(text)) }));

function placesInObject(schema: JsonSchema, known: Record<string, unknown>, name: string, depth: number): Place[] {
  const properties = Object.entries<JsonSchema>(schema.properties ?? {});
  const required = properties
    .filter(([field]) => schema.required?.includes(field))
    .map(([field, own]) => [field, isFixed(own) || !(field in known) ? short(own, field) : known[field]]);
  const beside = { ...known, ...Object.fromEntries(required) };
  const others: JsonSchema | undefined =
    typeof schema.additionalProperties === "object" ? schema.additionalProperties : undefined;
  return [
    ...properties.flatMap(([field, own]) =>
      within(placesIn(own, {}, `${name}.${field}`, depth + 1), (value) => ({ ...beside, [field]: value })),
    ),
    ...(others
      ? [
          { name: `${name}{key}`, fill: (text: string) => ({ ...beside, [text]: short(others) }) },
          ...within(placesIn(others, {}, `${name}{}`, depth + 1), (value) => ({ ...beside, x: value })),
        ]
      : []),
  ];
}

function placesInList({ items = {}, minItems = 1 }: JsonSchema, name: string, depth: number): Place[] {
  const item = short(items);
  const bytes = JSON.stringify(item ?? null).length + 1;
  return [
    ...within(placesIn(items, {}, `${name}[]`, depth + 1), (value) => [value, ...Array(minItems - 1).fill(item)]),
    { name: `${name}[…]`, isList: true, fill: ({ length }) => Array(Math.ceil(length / bytes)).fill(item) },
  ];
}

/** Finds the strings of a value. */
export function stringsIn(value: unknown, name = "body"): Place[] {
  if (typeof value === "string") return [{ name, fill: (text) => text }];
  if (typeof value !== "object" || value === null) return [];
  return Object.entries(value).flatMap(([key, part]) =>
    within(stringsIn(part, `${name}.${key}`), (filled) =>
      Array.isArray(value) ? value.with(Number(key), filled) : { ...value, [key]: filled },
    ),
  );
}
