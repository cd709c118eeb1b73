import type { Index } from "./collection.js";
import { DatabaseError, notSupported } from "./errors.js";
import { rootScope } from "./expressions.js";
import { type Clause, compileFilter } from "./matcher.js";
import { toNumber } from "./numbers.js";
import { equal } from "./ordering.js";
import { type Document, fieldsOf, isDocument, isNumber, kindOf, setField } from "./values.js";

const OPTIONS = new Set([
  "v",
  "key",
  "name",
  "unique",
  "sparse",
  "partialFilterExpression",
  "expireAfterSeconds",
  "hidden",
  "background",
  "ns",
  "collation",
]);

const PARTIAL = new Set(["$and", "$or", "$eq", "$gt", "$gte", "$lt", "$lte", "$exists", "$type", "$in"]);

const truthy = (value: unknown) => value === true || (isNumber(value) && toNumber(value) !== 0);

/** Checks and completes the specification of an index. @throws DatabaseError 67, 197 and others as MongoDB. */
export function completeSpec(given: unknown): Document {
  if (!isDocument(given) || !isDocument(given.key) || Object.keys(given.key).length === 0) {
    throw new DatabaseError(67, "an index needs a 'key' document with at least one field");
  }
  const unknown = Object.keys(given).find((name) => !OPTIONS.has(name));
  if (unknown !== undefined) {
    throw ["weights", "default_language", "2dsphereIndexVersion", "wildcardProjection"].includes(unknown)
      ? notSupported(`the index option ${unknown}`)
      : new DatabaseError(197, `The field '${unknown}' is not valid for an index specification.`);
  }
  if (given.collation !== undefined && !(isDocument(given.collation) && given.collation.locale === "simple")) {
    throw notSupported("collation");
  }
  for (const [name, direction] of fieldsOf(given.key)) {
    checkKeyField(name, direction);
  }
  const { name = defaultName(given.key), unique, sparse, partialFilterExpression, expireAfterSeconds, hidden } = given;
  if (typeof name !== "string" || name === "" || name === "*") {
    throw new DatabaseError(67, "the index name must be a non-empty string other than '*'");
  }
  checkOptions(given);
  const spec: Document = { v: given.v ?? 2, key: given.key, name };
  const kept = {
    unique: truthy(unique) || undefined,
    sparse: truthy(sparse) || undefined,
    partialFilterExpression,
    expireAfterSeconds,
    hidden: truthy(hidden) || undefined,
  };
  for (const [option, value] of Object.entries(kept)) {
    if (value !== undefined) {
      setField(spec, option, value);
    }
  }
  return spec;
}

function checkKeyField(name: string, direction: unknown): void {
  if (typeof direction === "string") {
    throw ["text", "2dsphere", "2d", "hashed"].includes(direction)
      ? notSupported(`a ${direction} index`)
      : new DatabaseError(67, `Unknown index plugin '${direction}'`);
  }
  if (!isNumber(direction) || !(Math.abs(toNumber(direction)) > 0)) {
    throw new DatabaseError(
      67,
      `Values in v:2 index key pattern cannot be of type ${kindOf(direction)} or 0. '${name}'`,
    );
  }
  if (name.includes("$**")) {
    throw notSupported("a wildcard index");
  }
  if (name.split(".").some((part) => part === "" || (part.startsWith("$") && !["$id", "$ref", "$db"].includes(part)))) {
    throw new DatabaseError(67, `Index key contains an illegal field name: '${name}'`);
  }
}

function checkOptions({ key, sparse, partialFilterExpression: partial, expireAfterSeconds: seconds }: Document): void {
  if (seconds !== undefined) {
    if (!isNumber(seconds) || !(toNumber(seconds) >= 0 && toNumber(seconds) <= 0x7fffffff)) {
      throw new DatabaseError(67, "TTL index 'expireAfterSeconds' must be a number of at least 0");
    }
    if (Object.keys(key as Document).length > 1) {
      throw new DatabaseError(67, "TTL indexes are single-field indexes, compound indexes do not support TTL.");
    }
  }
  if (partial !== undefined) {
    if (!isDocument(partial)) {
      throw new DatabaseError(14, "'partialFilterExpression' for an index must be a document");
    }
    if (truthy(sparse)) {
      throw new DatabaseError(67, 'cannot mix "partialFilterExpression" and "sparse" options');
    }
    if (isDocument(key) && Object.keys(key).join() === "_id") {
      throw new DatabaseError(67, "_id index cannot be a partial index");
    }
    checkPartial(compileFilter(partial, rootScope()));
  }
}

function checkPartial({ operator, operand, children }: Clause): void {
  if (!PARTIAL.has(operator) || (operator === "$exists" && operand !== true)) {
    throw new DatabaseError(67, `unsupported expression in partial index: ${operator}`);
  }
  children?.forEach(checkPartial);
}

function defaultName(key: Document): string {
  return fieldsOf(key)
    .map(([name, direction]) => `${name}_${String(direction)}`)
    .join("_");
}

export function buildIndex(store: number, spec: Document, multikey?: boolean[], cut = false): Index {
  const fields = fieldsOf(spec.key as Document).map(([name, direction]) => ({
    name,
    path: name.split("."),
    descending: isNumber(direction) && toNumber(direction) < 0,
  }));
  return {
    store,
    name: String(spec.name),
    spec,
    fields,
    unique: spec.unique === true || spec.name === "_id_",
    sparse: spec.sparse === true,
    partial:
      spec.partialFilterExpression === undefined ? undefined : compileFilter(spec.partialFilterExpression, rootScope()),
    multikey: multikey ?? fields.map(() => false),
    cut,
  };
}

const without = (spec: Document, ...names: string[]) => {
  const copy = { ...spec };
  for (const name of names) {
    delete copy[name];
  }
  return Object.fromEntries(Object.entries(copy).sort(([a], [b]) => (a < b ? -1 : 1)));
};

/**
 * Whether the index is there already.
 * @throws DatabaseError 85 for the same keys with other options or another name, 86 for the same name with other keys.
 */
export function exists(indexes: readonly Index[], spec: Document): boolean {
  const sameKey = (index: Index) =>
    equal(index.spec.key, spec.key) && equal(index.spec.partialFilterExpression, spec.partialFilterExpression);
  const named = indexes.find(({ name }) => name === spec.name);
  const keyed = indexes.find(sameKey);
  if (named !== undefined && equal(without(named.spec, "v"), without(spec, "v"))) {
    return true;
  }
  if (keyed !== undefined && keyed.name === "_id_") {
    return true;
  }
  if (named !== undefined) {
    throw new DatabaseError(86, `An existing index has the same name as the requested index: ${named.name}`);
  }
  if (keyed !== undefined) {
    throw new DatabaseError(85, `Index already exists with a different name or different options: ${keyed.name}`);
  }
  return false;
}
