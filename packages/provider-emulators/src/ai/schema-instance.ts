import { Seeded } from "./seeded.js";

type Schema = Record<string, unknown>;

const maxDepth = 8;

/**
 * Builds an instance of a JSON schema from `wanted` values and plausible defaults. It supports types, enum, const,
 * $ref, anyOf, oneOf, allOf, bounds and the common string formats.
 * @param wanted values by property name. Nested objects without an entry receive them again.
 */
export function instanceOf(schema: Schema, wanted: unknown, seed: string): unknown {
  return new Instance(schema, wanted, new Seeded(seed)).value(schema, wanted, "answer");
}

class Instance {
  readonly #root: Schema;
  readonly #wanted: unknown;
  readonly #seeded: Seeded;
  /** Number of values around the current one. */
  #depth = 0;

  constructor(root: Schema, wanted: unknown, seeded: Seeded) {
    this.#root = root;
    this.#wanted = wanted;
    this.#seeded = seeded;
  }

  value(given: Schema, wanted: unknown, name: string): unknown {
    this.#depth += 1;
    try {
      return this.#value(given, wanted, name);
    } finally {
      this.#depth -= 1;
    }
  }

  /** Recursive schemas end below this depth with empty lists and null. */
  get #isDeep(): boolean {
    return this.#depth > maxDepth;
  }

  #value(given: Schema, wanted: unknown, name: string): unknown {
    const schema = this.#resolve(given, wanted);
    if ("const" in schema) return schema.const;
    if (Array.isArray(schema.enum)) {
      return schema.enum.includes(wanted) ? wanted : schema.enum[this.#seeded.below(schema.enum.length)];
    }
    switch (typeFor(schema, wanted, this.#isDeep)) {
      case "object":
        return this.#object(schema, wanted);
      case "array":
        return this.#array(schema, wanted, name);
      case "string":
        return this.#string(schema, wanted, name);
      case "integer":
        return this.#number(schema, wanted, true);
      case "number":
        return this.#number(schema, wanted, false);
      case "boolean":
        return typeof wanted === "boolean" ? wanted : this.#seeded.below(2) === 0;
      default:
        return null;
    }
  }

  #object(schema: Schema, wanted: unknown): Record<string, unknown> {
    const properties = Object.entries(isObject(schema.properties) ? schema.properties : {});
    const required = Array.isArray(schema.required) ? schema.required : [];
    const offered = isObject(wanted) ? wanted : {};
    const entries: [string, unknown][] = [];
    for (const [name, property] of properties) {
      if (!isObject(property)) continue;
      const known = Object.hasOwn(offered, name);
      if (!known && !required.includes(name) && isObject(wanted)) continue;
      const wish = known
        ? offered[name]
        : this.#resolve(property, undefined).type === "object"
          ? this.#wanted
          : undefined;
      entries.push([name, this.value(property, wish, name)]);
    }
    return Object.fromEntries(entries);
  }

  #array(schema: Schema, wanted: unknown, name: string): unknown[] {
    if (Array.isArray(schema.prefixItems)) {
      return schema.prefixItems.map((item, at) => this.value(isObject(item) ? item : {}, elementOf(wanted, at), name));
    }
    const items = isObject(schema.items) ? schema.items : {};
    const least = numberOr(schema.minItems, 0);
    const most = numberOr(schema.maxItems, Number.MAX_SAFE_INTEGER);
    const offered = Array.isArray(wanted) ? wanted : typeof wanted === "string" ? wanted.split("\n") : [];
    const length = Math.min(most, Math.max(least, wanted === undefined ? (this.#isDeep ? 0 : 3) : offered.length));
    return Array.from({ length }, (_, at) => this.value(items, offered[at], `${name} ${at + 1}`));
  }

  #string(schema: Schema, wanted: unknown, name: string): string {
    const formatted = typeof schema.format === "string" ? formats[schema.format] : undefined;
    const text = typeof wanted === "string" ? wanted : (formatted ?? sentence(name));
    const longEnough = text.padEnd(numberOr(schema.minLength, 0), ".");
    return [...longEnough].slice(0, numberOr(schema.maxLength, Number.MAX_SAFE_INTEGER)).join("");
  }

  #number(schema: Schema, wanted: unknown, whole: boolean): number {
    const step = numberOr(schema.multipleOf, whole ? 1 : 0.5);
    const least = Math.max(numberOr(schema.minimum, -Infinity), numberOr(schema.exclusiveMinimum, -Infinity) + step);
    const most = Math.min(numberOr(schema.maximum, Infinity), numberOr(schema.exclusiveMaximum, Infinity) - step);
    const from = Number.isFinite(least) ? least : Math.min(0, most);
    const span = Math.min(Number.isFinite(most) ? most : from + 100, from + 100) - from;
    const made = Math.ceil(from / step) * step + this.#seeded.below(Math.floor(span / step) + 1) * step;
    const fits =
      typeof wanted === "number" && wanted >= least && wanted <= most && (!whole || Number.isInteger(wanted));
    return fits ? wanted : Math.min(made, most);
  }

  /**
   * Follows references and chooses an alternative: the first that fits the wanted value, or else the first that is not
   * null. Deep in a recursive schema it is the null.
   */
  #resolve(schema: Schema, wanted: unknown): Schema {
    if (typeof schema.$ref === "string") return this.#resolve(this.#definition(schema.$ref), wanted);
    if (Array.isArray(schema.allOf)) {
      const { allOf, ...rest } = schema;
      return this.#resolve(Object.assign({}, rest, ...schema.allOf.filter(isObject)), wanted);
    }
    const alternatives = [schema.anyOf, schema.oneOf].find(Array.isArray)?.filter(isObject);
    if (!alternatives) return schema;
    const resolved = alternatives.map((alternative) => this.#resolve(alternative, wanted));
    const isNullable = resolved.some((alternative) => alternative.type === "null");
    const chosen =
      resolved.find((alternative) => wanted !== undefined && alternative.type === kindOf(wanted)) ??
      resolved.find((alternative) => (alternative.type === "null") === (this.#isDeep && isNullable)) ??
      resolved[0];
    return chosen ?? schema;
  }

  #definition(reference: string): Schema {
    let target: unknown = this.#root;
    for (const step of reference.replace(/^#\/?/, "").split("/").filter(Boolean)) {
      target = isObject(target) ? target[decodeURIComponent(step)] : undefined;
    }
    return isObject(target) ? target : {};
  }
}

const formats: Record<string, string> = {
  "date-time": "2025-01-01T09:00:00Z",
  date: "2025-01-01",
  time: "09:00:00Z",
  email: "asha@example.com",
  uri: "https://example.com/",
  uuid: "6f1c2b9e-3d41-4b7a-9a51-2f0c8f6d7e10",
};

function typeFor(schema: Schema, wanted: unknown, isDeep: boolean): unknown {
  if (Array.isArray(schema.type)) {
    const kind = kindOf(wanted);
    if (schema.type.includes(kind)) return kind;
    return isDeep && schema.type.includes("null") ? "null" : schema.type.find((type) => type !== "null");
  }
  return schema.type ?? (isObject(schema.properties) ? "object" : kindOf(wanted ?? ""));
}

function kindOf(value: unknown): string {
  if (value === null) return "null";
  if (Array.isArray(value)) return "array";
  if (typeof value === "number") return Number.isInteger(value) ? "integer" : "number";
  return typeof value;
}

function sentence(name: string): string {
  const words = name
    .replace(/([a-z])([A-Z])/g, "$1 $2")
    .replaceAll("_", " ")
    .toLowerCase();
  return words.charAt(0).toUpperCase() + words.slice(1);
}

function elementOf(value: unknown, at: number): unknown {
  return Array.isArray(value) ? value[at] : undefined;
}

function numberOr(value: unknown, fallback: number): number {
  return typeof value === "number" ? value : fallback;
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
