import { check, DatabaseError, notSupported } from "../errors.js";
import { toInteger } from "../language/numbers.js";
import { Effort } from "../language/query.js";
import { type Document, fieldsOf, isDocument, isNullish, isNumber, kindOf } from "../language/values.js";
import type { Catalog, Collection } from "../store/catalog.js";
import type { Transactions } from "../store/transactions.js";
import type { View } from "../store/view.js";
import type { Cursors } from "./cursors.js";
import type { FailPoint } from "./fail-points.js";

function typed<T>(wanted: string, is: (value: unknown) => value is T) {
  return (value: unknown, name: string): T => {
    if (is(value)) return value;
    throw new DatabaseError(14, `'${name}' is the wrong type '${kindOf(value)}', expected type '${wanted}'`);
  };
}

/** Readers of command fields by type. They refuse a wrong type with code 14. */
const KINDS = {
  any: (value: unknown) => value,
  object: typed("object", isDocument),
  array: typed("array", (value): value is unknown[] => Array.isArray(value)),
  text: typed("string", (value) => typeof value === "string"),
  bool: typed("bool", (value) => typeof value === "boolean"),
  /** Accepts a whole number of at least 0. */
  count: (value: unknown, name: string) => {
    const whole = toInteger(typed("number", isNumber)(value, name));
    check(whole !== undefined, 9, `'${name}' must be a whole number`);
    check(whole >= 0, 51024, `BSON field '${name}' value must be >= 0, actual value '${whole}'`);
    return whole;
  },
};
type Kinds = typeof KINDS;

/** Names of fields by type, separated by spaces. */
type Fields = { readonly [Kind in keyof Kinds]?: string };
type Words<Names> = Names extends `${infer First} ${infer Others}` ? First | Words<Others> : Names & string;
/** The values of the fields. Null counts as missing. */
type Given<F extends Fields> = {
  readonly [Kind in keyof F & keyof Kinds as Words<F[Kind]>]?: ReturnType<Kinds[Kind]> | undefined;
};

/** Fields of MongoDB that this server does not support. It refuses them unless the value is falsy. */
const UNSERVED = new Set(
  `allowDiskUse allowPartialResults apiDeprecationErrors apiStrict apiVersion authorizedCollections authorizedDatabases
   awaitData bypassDocumentValidation c capped clusteredIndex collation default_language encryptedFields
   expireAfterSeconds fields hidden hint ignoreUnknownIndexOptions let max min noCursorTimeout oplogReplay pipeline
   returnKey showRecordId size storageEngine tailable timeseries validator viewOn weights wildcardProjection
   2dsphereIndexVersion`.split(/\s+/),
);

/** Creates a reader of documents. The reader throws DatabaseError 40415, or `code`, for an unknown field. */
export function fieldReader<const F extends Fields>(fields: F) {
  const readers = new Map<string, (value: unknown, name: string) => unknown>();
  for (const [kind, read] of Object.entries(KINDS)) {
    for (const name of fields[kind as keyof Kinds]?.trim().split(/\s+/) ?? []) readers.set(name, read);
  }
  return (given: Document, where: string, unknownCode = 40415): Given<F> => {
    const read: Document = {};
    for (const [name, value] of fieldsOf(given)) {
      const reader = readers.get(name);
      if (reader === undefined && UNSERVED.has(name) && value) throw notSupported(`${where}.${name}`);
      const known = reader !== undefined || UNSERVED.has(name);
      check(known, unknownCode, `BSON field '${where}.${name}' is an unknown field.`);
      if (reader && !isNullish(value)) read[name] = reader(value, `${where}.${name}`);
    }
    return read as Given<F>;
  };
}

/** Requires a field. @throws DatabaseError 40414 when it is missing. */
export function required<T>(value: T, name: string): NonNullable<T> {
  if (!isNullish(value)) return value as NonNullable<T>;
  throw new DatabaseError(40414, `BSON field '${name}' is missing but a required field`);
}

/** Requires a valid namespace. @throws DatabaseError 73 */
export function checkDatabaseName(name: string): void {
  check(/^[^/\\. "$\0]{1,63}$/.test(name), 73, `Invalid database name: '${name}'`);
}

const readCursor = fieldReader({ count: "batchSize" });

/** The state that all commands of a server share. */
export interface Served {
  readonly catalog: Catalog;
  readonly cursors: Cursors;
  readonly transactions: Transactions;
  readonly failPoint: FailPoint;
}

export interface Connection {
  /** A number that the running server uses once. */
  readonly number: number;
  /** Host and port of the server, as seen by the client. */
  readonly address: string;
  /** Name of the client from its handshake. */
  application?: unknown;
}

/** One command while its handler runs. */
export class Call {
  readonly catalog: Catalog;
  readonly cursors: Cursors;
  readonly database: string;
  readonly effort: Effort;
  /** The transaction that the command belongs to. */
  view: View | undefined;

  /**
   * Reads the fields that every command has.
   * @throws DatabaseError 40414 without a database, 2 for a malformed time limit, 100 for a write concern that needs
   * more members.
   */
  constructor(
    readonly server: Served,
    readonly body: Document,
    readonly connection: Connection,
  ) {
    this.catalog = server.catalog;
    this.cursors = server.cursors;
    const { $db, maxTimeMS = null, writeConcern, readConcern } = body;
    const { w = 1 } = isDocument(writeConcern) ? writeConcern : {};
    check(w === "majority" || Number(w) <= 1, 100, "Not enough data-bearing nodes: this replica set has one member");
    const { level = "local" } = isDocument(readConcern) ? readConcern : {};
    const inTransaction = body.autocommit === false;
    const known = /^(local|available|majority|linearizable|snapshot)$/.test(`${level}`);
    check(known, 2, `Enumeration value '${level}' for field 'readConcern.level' is not a valid value.`);
    const taken = inTransaction ? /^(local|majority|snapshot)$/ : /^(local|available|majority)$/;
    check(!inTransaction || taken.test(`${level}`), 72, `a transaction takes no readConcern ${level}`);
    if (!taken.test(`${level}`)) throw notSupported(`readConcern ${level} outside transactions`);
    this.database = KINDS.text(required($db, "OP_MSG.$db"), "$db");
    checkDatabaseName(this.database);
    const limit = maxTimeMS === null ? 0 : toInteger(maxTimeMS);
    check(limit !== undefined && limit >= 0, 2, `${String(maxTimeMS)} value for maxTimeMS is out of range`);
    this.effort = new Effort(limit || Number.POSITIVE_INFINITY);
  }

  get command(): string {
    return Object.keys(this.body)[0] ?? "";
  }

  /** Reads the name of the collection from the command's first field. */
  get name(): string {
    const name = this.body[this.command];
    check(typeof name === "string", 73, `collection name has invalid type ${kindOf(name)}`);
    check(/^[^.\0][^\0]*$/.test(name), 73, `Invalid namespace specified '${name}'`);
    return name;
  }

  get namespace(): string {
    return `${this.database}.${this.name}`;
  }

  get collection(): Collection | undefined {
    return this.catalog.find(this.database, this.name);
  }

  /** Opens a cursor and returns its first batch. The cursor ends when one of the stores is dropped. */
  startCursor(documents: Iterable<Document>, stores: number[] = [], batchSize?: number, single?: boolean): Document {
    const { namespace, effort, view } = this;
    const cursor = { namespace, documents: documents[Symbol.iterator](), effort, stores, view };
    return this.cursors.start(cursor, batchSize, single);
  }
}

/** The options in the `cursor` field of a command. */
export const batchSizeOf = (cursor: Document = {}) => readCursor(cursor, "cursor").batchSize;

/** Returns the reply without `ok`. */
export type Command = (call: Call) => Promise<Document> | Document;

/** Fields that every command accepts, by type. */
const [OBJECTS, OTHERS] = [
  "$readPreference $clusterTime lsid readConcern writeConcern",
  "$db comment maxTimeMS txnNumber autocommit startTransaction",
];

/** Declares a command with its own fields. It refuses unknown fields. */
export function command<const F extends Fields>(
  fields: F,
  run: (call: Call, given: Given<F>) => ReturnType<Command>,
): Command {
  const [any, object] = [`${OTHERS} ${fields.any ?? ""}`, `${OBJECTS} ${fields.object ?? ""}`];
  const read = fieldReader({ ...fields, any, object });
  return (call) => {
    const { [call.command]: _, ...given } = call.body;
    return run(call, read(given, call.command) as Given<F>);
  };
}

/** Declares a command that runs as one atomic storage write. It waits for transactions that hold its entries. */
export function writing<const F extends Fields>(fields: F, run: (call: Call, given: Given<F>) => Document): Command {
  return command(fields, (call, given) => {
    const work = () => {
      call.effort.check();
      return run(call, given);
    };
    return call.catalog.storage.write(work, () => call.effort.left);
  });
}
