import { Int32 } from "bson";
import { fieldReader } from "./command.js";
import { check, notSupported } from "./errors.js";
import { rootScope } from "./expressions.js";
import { type Clause, compileFilter } from "./matcher.js";
import { toNumber } from "./numbers.js";
import { equal } from "./ordering.js";
import type { Path } from "./paths.js";
import { type Document, fieldsOf, isDocument, isNumber } from "./values.js";

/** One index, with what its entries have taught about the documents. */
export interface Index {
  /** The store of its entries. */
  store: number;
  /** As given to createIndexes, with `v`, `key` and `name`. */
  spec: Document;
  name: string;
  fields: readonly { name: string; path: Path; descending: boolean }[];
  unique: boolean;
  /** The compiled partialFilterExpression. */
  partial: Clause | undefined;
  /** Per field: an array was met on its path in some document. */
  multikey: boolean[];
  /** Some key was too long to be stored whole, so the order of entries is not to be relied on. */
  cut: boolean;
}

/** The index of a complete specification, with what is remembered of its entries. */
export function buildIndex(store: number, spec: Document, multikey: boolean[] = [], cut = false): Index {
  const { name, key, unique, partialFilterExpression: filter } = spec;
  const fields = fieldsOf(isDocument(key) ? key : {}).map(([field, direction]) => {
    return { name: field, path: field.split("."), descending: isNumber(direction) && toNumber(direction) < 0 };
  });
  const partial = filter === undefined ? undefined : compileFilter(filter, rootScope());
  return {
    store,
    spec,
    name: String(name),
    fields,
    unique: unique === true || name === "_id_",
    partial,
    multikey,
    cut,
  };
}

const readOptions = fieldReader({
  ...{ any: "v ns background expireAfterSeconds", object: "key partialFilterExpression", text: "name" },
  ...{
    flag: "unique sparse",
    refused: "collation hidden weights default_language wildcardProjection 2dsphereIndexVersion",
  },
});

/** What a partial index may ask of its documents. */
const PARTIAL = /^\$(and|or|eq|gte?|lte?|exists|type|in)$/;

/** Checks and completes the specification of an index. @throws DatabaseError 67, 197 and others as MongoDB. */
export function completeSpec(given: unknown): Document {
  check(isDocument(given), 14, "an index is specified by an object");
  const options = readOptions(given, "indexes", 197);
  const { v = new Int32(2), key = {}, name = "", unique, sparse } = options;
  const { partialFilterExpression: partial, expireAfterSeconds: seconds } = options;
  const fields = fieldsOf(key);
  check(fields.length > 0, 67, "an index needs a 'key' with at least one field");
  check(name !== "" && name !== "*", 67, "the index name must be a non-empty string other than '*'");
  for (const [field, direction] of fields) checkField(field, direction);
  const lifetime = isNumber(seconds) ? toNumber(seconds) : Number.NaN;
  const expires = seconds === undefined || (fields.length === 1 && lifetime >= 0 && lifetime <= 0x7fffffff);
  check(expires, 67, "TTL indexes have one field and 'expireAfterSeconds' of at least 0");
  check(partial === undefined || (!sparse && fields[0]?.[0] !== "_id"), 67, "this index cannot be partial");
  if (partial !== undefined) checkPartial(compileFilter(partial, rootScope()));
  const set = {
    ...(unique && { unique }),
    ...(sparse && { sparse }),
    ...(partial && { partialFilterExpression: partial }),
  };
  return { v, key, name, ...set, ...(seconds !== undefined && { expireAfterSeconds: seconds }) };
}

function checkField(name: string, direction: unknown): void {
  if (typeof direction === "string") throw notSupported(`a ${direction} index`);
  if (name.includes("$**")) throw notSupported("a wildcard index");
  const valid = isNumber(direction) && Math.abs(toNumber(direction)) > 0;
  const legal = name.split(".").every((part) => part !== "" && !/^\$(?!(id|ref|db)$)/.test(part));
  check(valid && legal, 67, `'${name}: ${String(direction)}' cannot be part of an index key`);
}

function checkPartial({ operator, operand, children }: Clause): void {
  const served = PARTIAL.test(operator) && (operator !== "$exists" || operand === true);
  check(served, 67, `unsupported expression in partial index: ${operator}`);
  children?.forEach(checkPartial);
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
