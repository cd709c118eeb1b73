import { Int32 } from "bson";
import { anything, collation, flag, object, readFields, refused, text } from "./command-fields.js";
import { check, notSupported } from "./errors.js";
import { rootScope } from "./expressions.js";
import { type Clause, compileFilter } from "./matcher.js";
import { toNumber } from "./numbers.js";
import { equal } from "./ordering.js";
import type { Path } from "./paths.js";
import { type Document, fieldsOf, isNumber } from "./values.js";

/** One index, with what its entries have taught about the documents. */
export interface Index {
  /** The store of its entries. */
  store: number;
  name: string;
  /** As given to createIndexes, with `v`, `key` and `name`. */
  spec: Document;
  fields: readonly { name: string; path: Path; descending: boolean }[];
  unique: boolean;
  sparse: boolean;
  /** The compiled partialFilterExpression. */
  partial: Clause | undefined;
  /** Per field: an array was met on its path in some document. */
  multikey: boolean[];
  /** Some key was too long to be stored whole, so the order of entries is not to be relied on. */
  cut: boolean;
}

const OPTIONS = {
  ...refused("hidden weights default_language 2dsphereIndexVersion wildcardProjection"),
  ...{ v: anything, key: object, name: text, ns: anything, background: anything, collation },
  ...{ unique: flag, sparse: flag, partialFilterExpression: object, expireAfterSeconds: anything },
};

/** What a partial index may ask of its documents. */
const PARTIAL = new Set(["$and", "$or", "$eq", "$gt", "$gte", "$lt", "$lte", "$exists", "$type", "$in"]);

/** Checks and completes the specification of an index. @throws DatabaseError 67, 197 and others as MongoDB. */
export function completeSpec(given: unknown): Document {
  const options = readFields(OPTIONS, fieldsOf(object(given, "indexes")), "indexes", 197);
  const { v = new Int32(2), key = {}, sparse, partialFilterExpression: partial, expireAfterSeconds: seconds } = options;
  const fields = fieldsOf(key);
  const { name = fields.map(([field, direction]) => `${field}_${String(direction)}`).join("_"), unique } = options;
  check(fields.length > 0, 67, "an index needs a 'key' with at least one field");
  check(name !== "" && name !== "*", 67, "the index name must be a non-empty string other than '*'");
  for (const [field, direction] of fields) checkField(field, direction);
  if (seconds !== undefined) {
    const valid = isNumber(seconds) && toNumber(seconds) >= 0 && toNumber(seconds) <= 0x7fffffff;
    check(valid && fields.length === 1, 67, "TTL indexes have one field and 'expireAfterSeconds' of at least 0");
  }
  if (partial !== undefined) {
    check(!sparse && fields[0]?.[0] !== "_id", 67, "this index cannot be partial");
    checkPartial(compileFilter(partial, rootScope()));
  }
  return {
    ...{ v, key, name },
    ...(unique && { unique }),
    ...(sparse && { sparse }),
    ...(partial && { partialFilterExpression: partial }),
    ...(seconds !== undefined && { expireAfterSeconds: seconds }),
  };
}

function checkField(name: string, direction: unknown): void {
  if (["text", "2dsphere", "2d", "hashed"].includes(String(direction))) throw notSupported(`a ${direction} index`);
  if (name.includes("$**")) throw notSupported("a wildcard index");
  const valid = isNumber(direction) && Math.abs(toNumber(direction)) > 0;
  const legal = name.split(".").every((part) => part !== "" && !/^\$(?!(id|ref|db)$)/.test(part));
  check(valid && legal, 67, `'${name}: ${String(direction)}' cannot be part of an index key`);
}

function checkPartial({ operator, operand, children }: Clause): void {
  const served = PARTIAL.has(operator) && (operator !== "$exists" || operand === true);
  check(served, 67, `unsupported expression in partial index: ${operator}`);
  children?.forEach(checkPartial);
}

/** The index of a complete specification, with what is remembered of its entries. */
export function buildIndex(store: number, spec: Document, multikey?: boolean[], cut = false): Index {
  const fields = fieldsOf(object(spec.key, "key")).map(([name, direction]) => ({
    name,
    path: name.split("."),
    descending: isNumber(direction) && toNumber(direction) < 0,
  }));
  const { name, unique, sparse, partialFilterExpression: partial } = spec;
  return {
    store,
    ...{ name: String(name), spec, fields, unique: unique === true || name === "_id_", sparse: sparse === true },
    partial: partial === undefined ? undefined : compileFilter(partial, rootScope()),
    ...{ multikey: multikey ?? fields.map(() => false), cut },
  };
}

/**
 * Whether the index is there already.
 * @throws DatabaseError 85 for the same keys with other options or another name, 86 for the same name with other keys.
 */
export function exists(indexes: readonly Index[], spec: Document): boolean {
  const partial = spec.partialFilterExpression;
  const alike = indexes.filter((index) => equal(index.spec.key, spec.key));
  const keyed = alike.find((index) => equal(index.spec.partialFilterExpression, partial))?.name;
  const named = indexes.find(({ name }) => name === spec.name)?.spec;
  if (keyed === "_id_" || (named !== undefined && equal({ ...named, v: null }, { ...spec, v: null }))) return true;
  check(named === undefined, 86, `An existing index has the same name as the requested index: ${spec.name}`);
  check(keyed === undefined, 85, `Index already exists with a different name or different options: ${keyed}`);
  return false;
}
