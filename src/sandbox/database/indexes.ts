import { Int32 } from "bson";
import { check, notSupported } from "./errors.js";
import { rootScope } from "./expressions.js";
import { fieldReader } from "./fields.js";
import { documentKeys, LONGEST_KEY, storedKey } from "./keys.js";
import { type Clause, compileFilter } from "./matcher.js";
import { toNumber } from "./numbers.js";
import { equal } from "./ordering.js";
import type { Path } from "./paths.js";
import { type Document, fieldsOf, isDocument, isNumber, type NumberValue } from "./values.js";

/** What the catalog keeps of an index. */
export interface KeptIndex {
  /** The store of its entries. */
  store: NumberValue;
  /** As given to createIndexes, with `v`, `key` and `name`. */
  spec: Document;
  /** Per field: an array was met on its path in some document. */
  multikey: boolean[];
  /** Some key was too long to be stored whole, so the order of entries is not to be relied on. */
  cut: boolean;
}

/** One index, with what its entries have taught about the documents. */
export class Index {
  readonly store: number;
  readonly spec: Document;
  readonly name: string;
  readonly fields: readonly { name: string; path: Path; descending: boolean }[];
  readonly unique: boolean;
  /** The compiled partialFilterExpression. */
  readonly partial: Clause | undefined;
  multikey: boolean[];
  cut: boolean;

  constructor({ store, spec, multikey, cut }: KeptIndex) {
    const { name, key, unique, partialFilterExpression: partial } = spec;
    this.store = toNumber(store);
    this.spec = spec;
    this.name = String(name);
    this.fields = fieldsOf(isDocument(key) ? key : {}).map(([field, direction]) => ({
      ...{ name: field, path: field.split(".") },
      descending: isNumber(direction) && toNumber(direction) < 0,
    }));
    this.unique = unique === true || name === "_id_";
    this.partial = partial === undefined ? undefined : compileFilter(partial, rootScope());
    this.multikey = multikey;
    this.cut = cut;
  }

  get sparse(): boolean {
    return this.spec.sparse === true;
  }

  /** The keys of a document, and which fields went through an array; none when it is left out of the index. */
  keysOf(document: Document | undefined): { keys: Buffer[]; multikey: boolean[] } {
    if (document === undefined || this.partial?.test(document) === false) return { keys: [], multikey: [] };
    const { keys, multikey, absent } = documentKeys(document, this.fields);
    return { keys: this.sparse && absent ? [] : keys.map(storedKey), multikey };
  }

  /** Takes note of the keys of a document; tells whether they taught something new. */
  learn({ keys, multikey }: { keys: Buffer[]; multikey: boolean[] }): boolean {
    const cut = this.cut || keys.some(({ length }) => length > LONGEST_KEY);
    const news = cut !== this.cut || multikey.some((many, at) => many && this.multikey[at] !== true);
    this.multikey = this.fields.map((_, at) => this.multikey[at] === true || multikey[at] === true);
    this.cut = cut;
    return news;
  }
}

const readOptions = fieldReader({
  ...{ any: "v ns background expireAfterSeconds", object: "key partialFilterExpression", text: "name" },
  ...{ flag: "unique sparse", simple: "collation" },
  refused: "hidden weights default_language 2dsphereIndexVersion wildcardProjection",
});

/** What a partial index may ask of its documents. */
const PARTIAL = new Set(["$and", "$or", "$eq", "$gt", "$gte", "$lt", "$lte", "$exists", "$type", "$in"]);

/** Checks and completes the specification of an index. @throws DatabaseError 67, 197 and others as MongoDB. */
export function completeSpec(given: unknown): Document {
  check(isDocument(given), 14, "an index is specified by an object");
  const options = readOptions(given, "indexes", 197);
  const { v = new Int32(2), key = {}, sparse, partialFilterExpression: partial, expireAfterSeconds: seconds } = options;
  const fields = fieldsOf(key);
  const { name = fields.map(([field, direction]) => `${field}_${String(direction)}`).join("_"), unique } = options;
  check(fields.length > 0, 67, "an index needs a 'key' with at least one field");
  check(name !== "" && name !== "*", 67, "the index name must be a non-empty string other than '*'");
  for (const [field, direction] of fields) checkField(field, direction);
  const lifetime = isNumber(seconds) ? toNumber(seconds) : Number.NaN;
  const expires = seconds === undefined || (fields.length === 1 && lifetime >= 0 && lifetime <= 0x7fffffff);
  check(expires, 67, "TTL indexes have one field and 'expireAfterSeconds' of at least 0");
  check(partial === undefined || (!sparse && fields[0]?.[0] !== "_id"), 67, "this index cannot be partial");
  if (partial !== undefined) checkPartial(compileFilter(partial, rootScope()));
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
