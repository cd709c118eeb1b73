import { Int32 } from "bson";
import { fieldReader } from "../commands/command.js";
import { check, notSupported } from "../errors.js";
import { type Clause, compileFilter } from "../language/matcher.js";
import { toInteger, toNumber } from "../language/numbers.js";
import { equal, identity } from "../language/ordering.js";
import { isArrayIndex, type Path } from "../language/paths.js";
import { type Document, documentOf, fieldsOf, isDocument, isNumber } from "../language/values.js";

/** An index, with notes about the documents in it. */
export interface Index {
  /** The store of the index entries. */
  store: number;
  /** The specification of createIndexes, with `v`, `key` and `name`. */
  spec: Document;
  name: string;
  /** A text that equivalent indexes share, whatever their names. */
  serves: string;
  fields: readonly { name: string; path: Path; descending: boolean }[];
  unique: boolean;
  /** The compiled partialFilterExpression. */
  partial: Clause | undefined;
  /** True when a document has an array on the path of a field. */
  multikey: boolean;
}

/** Creates an index from a complete specification and its stored notes. */
export function buildIndex(store: number, spec: Document, multikey = false): Index {
  const { name, key, partialFilterExpression: filter } = spec;
  const fields = fieldsOf(isDocument(key) ? key : {}).map(([field, direction]) => {
    return { name: field, path: field.split("."), descending: isNumber(direction) && toNumber(direction) < 0 };
  });
  const partial = filter === undefined ? undefined : compileFilter(filter);
  const unique = spec.unique === true || name === "_id_";
  return { store, spec, name: String(name), serves: identityOf(spec), fields, unique, partial, multikey };
}

const readOptions = fieldReader({
  any: "v ns background expireAfterSeconds",
  object: "key partialFilterExpression",
  text: "name",
  bool: "unique sparse",
});

/** The operators that a partial index may use. */
const PARTIAL = /^\$(and|or|eq|gte?|lte?|exists|type|in)$/;

/** Checks and completes the specification of an index. @throws DatabaseError 67, 197 and others as MongoDB. */
export function completeSpec(given: unknown): Document {
  check(isDocument(given), 14, "an index is specified by an object");
  check(!Object.values(given).includes(null), 14, "the options of an index cannot be null");
  const options = readOptions(given, "indexes", 197);
  const { v = new Int32(2), key = {}, name = "", unique, sparse } = options;
  const { partialFilterExpression: partial, expireAfterSeconds: seconds } = options;
  const fields = fieldsOf(key);
  check(fields.length > 0, 67, "an index needs a 'key' with at least one field");
  check(fields.length <= 32, 13103, "an index cannot have more than 32 fields");
  check([1, 2].includes(toInteger(v) ?? 0), isNumber(v) ? 67 : 14, "the version of an index is 1 or 2");
  const onlyId = fields.length === 1 && fields[0]?.[0] === "_id";
  check(name !== "" && name !== "*", 67, "the index name must be a non-empty string other than '*'");
  for (const [field, direction] of fields) checkField(field, direction);
  const lifetime = isNumber(seconds) ? toNumber(seconds) : Number.NaN;
  const expires = seconds === undefined || (fields.length === 1 && lifetime >= 0 && lifetime <= 0x7fffffff);
  check(expires, 67, "TTL indexes have one field and 'expireAfterSeconds' of at least 0");
  check(partial === undefined || (!sparse && fields[0]?.[0] !== "_id"), 67, "this index cannot be partial");
  if (partial !== undefined) checkPartial(compileFilter(partial));
  check(!onlyId || !(unique || sparse || seconds), 197, "an index of _id has no options");
  const named = equal(key, { _id: new Int32(1) }) ? "_id_" : name;
  const flags = { unique: unique || undefined, sparse: sparse || undefined, partialFilterExpression: partial };
  return documentOf(fieldsOf({ v, key, name: named, ...flags, expireAfterSeconds: seconds }));
}

function checkField(name: string, direction: unknown): void {
  if (typeof direction === "string") throw notSupported(`a ${direction} index`);
  if (name.includes("$**")) throw notSupported("a wildcard index");
  const valid = isNumber(direction) && Math.abs(toNumber(direction)) > 0;
  const path = name.split(".");
  const legal = path.every((part) => part !== "" && !part.startsWith("$"));
  if (path.some(isArrayIndex)) throw notSupported("an index of one position of arrays");
  check(valid && legal, 67, `'${name}: ${String(direction)}' cannot be part of an index key`);
}

function checkPartial({ operator, operand, children }: Clause): void {
  const served = PARTIAL.test(operator) && (operator !== "$exists" || operand === true);
  check(served, 67, `unsupported expression in partial index: ${operator}`);
  children?.forEach(checkPartial);
}

/** The options that distinguish indexes, beside their names. */
const identityOf = ({ key, unique, sparse, partialFilterExpression: partial }: Document): string =>
  identity([key, unique === true, sparse === true, partial ?? {}]);

/**
 * True when the index exists.
 * @throws DatabaseError 85 for an equal index with another name or lifetime, 86 for a different index of that name.
 */
export function exists(indexes: readonly Index[], spec: Document): boolean {
  const wanted = identityOf(spec);
  const alike = indexes.filter(({ serves }) => serves === wanted);
  if (alike.some((index) => equal(index.spec, spec))) return true;
  check(alike.length === 0, 85, "Index already exists with a different name or different options");
  const named = indexes.some(({ name }) => name === spec.name);
  check(!named, 86, `An existing index has the name of the requested one: ${spec.name}`);
  return false;
}
