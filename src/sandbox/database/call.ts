import type { Catalog } from "./catalog.js";
import type { Collection } from "./collection.js";
import type { Cursors } from "./cursors.js";
import { check } from "./errors.js";
import { rootScope, type Scope } from "./expressions.js";
import { type Fields, fieldReader, type Given } from "./fields.js";
import { toInteger } from "./numbers.js";
import { Effort } from "./query.js";
import { type Document, fieldsOf, isDocument, kindOf } from "./values.js";

/** What all connections share. */
export interface Engine {
  catalog: Catalog;
  cursors: Cursors;
}

const readCursor = fieldReader({ count: "batchSize" });

/** One command on its way through its handler. */
export class Call {
  readonly database: string;
  readonly effort: Effort;

  /** @throws DatabaseError 40414 without a database, 2 for a malformed time limit. */
  constructor(
    readonly engine: Engine,
    readonly body: Document,
    readonly connection: number,
  ) {
    const { $db, maxTimeMS = null } = body;
    check(typeof $db === "string", 40414, "BSON field 'OP_MSG.$db' is missing but a required field");
    const limit = maxTimeMS === null ? 0 : toInteger(maxTimeMS);
    check(limit !== undefined && limit >= 0, 2, `${String(maxTimeMS)} value for maxTimeMS is out of range`);
    this.database = $db;
    this.effort = new Effort(limit || Number.POSITIVE_INFINITY);
  }

  get command(): string {
    return Object.keys(this.body)[0] ?? "";
  }

  /** The name of the collection, from the command's first field. */
  get name(): string {
    const name = this.body[this.command];
    const code = this.command === "aggregate" || kindOf(name) !== "int" ? 14 : 73;
    check(typeof name === "string", code, `collection name has invalid type ${kindOf(name)}`);
    check(name !== "" && !name.startsWith(".") && !name.includes("\0"), 73, `Invalid namespace specified '${name}'`);
    return name;
  }

  get namespace(): string {
    return `${this.database}.${this.name}`;
  }

  get collection(): Collection | undefined {
    return this.engine.catalog.find(this.database, this.name);
  }

  /** Makes the collection when there is none; inside a write. */
  ensureCollection(): Collection {
    return this.engine.catalog.findOrCreate(this.database, this.name);
  }

  get scope(): Scope {
    return scopeOf(this.body.let ?? {});
  }

  /** The first batch of a cursor, as the command's `cursor` says. */
  startCursor(documents: Iterator<Buffer>, cursor: Document = {}, namespace = this.namespace): Buffer {
    const { batchSize } = readCursor(cursor, `${this.command}.cursor`);
    return this.engine.cursors.start({ namespace, documents, effort: this.effort }, batchSize);
  }
}

/** The scope of a command's expressions: its `let` and the system's variables. */
export function scopeOf(variables: unknown): Scope {
  check(isDocument(variables), 14, "BSON field 'let' is the wrong type, expected type 'object'");
  const literal = (value: unknown) => (isDocument(value) && Object.hasOwn(value, "$literal") ? value.$literal : value);
  return rootScope(Object.fromEntries(fieldsOf(variables).map(([name, value]) => [name, literal(value)])));
}

/** Gives the reply: a document without `ok`, or the whole reply already encoded. */
export type Command = (call: Call) => Promise<Document | Buffer> | Document | Buffer;

/** Fields that every command takes. */
const EVERYWHERE = `$db $readPreference $clusterTime lsid comment maxTimeMS readConcern writeConcern apiVersion apiStrict
  apiDeprecationErrors`;

/** A command that takes the fields given beside those that every command takes, and refuses others. */
export function command<const F extends Fields>(
  fields: F,
  run: (call: Call, given: Given<F>) => ReturnType<Command>,
): Command {
  const read = fieldReader({ ...fields, any: `${EVERYWHERE} ${fields.any ?? ""}` });
  return (call) => {
    const { [call.command]: _, ...given } = call.body;
    return run(call, read(given, call.command) as Given<F>);
  };
}
