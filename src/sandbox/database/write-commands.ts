import { Int32, ObjectId } from "bson";
import type { Collection } from "./collection.js";
import { arrayField, collectionName, documentField, flagField, hintOf, scopeOf, sortField } from "./command-fields.js";
import { type Call, type Command, refuseCollation } from "./commands.js";
import { DatabaseError } from "./errors.js";
import type { Scope } from "./expressions.js";
import { compileFilter } from "./matcher.js";
import { integer, toNumber } from "./numbers.js";
import { compileProjection } from "./projection.js";
import { type Effort, type Found, prepare } from "./query.js";
import { compileUpdate, type Update, upsertedDocument } from "./update.js";
import { checkDepth, type Document, getField, isDocument, isNumber, kindOf } from "./values.js";

const MOST_WRITES = 100_000;

/** One failed write in the reply's `writeErrors`. */
function writeError(index: number, error: unknown): Document {
  if (!(error instanceof DatabaseError)) {
    throw error;
  }
  return { index: new Int32(index), code: new Int32(error.code), errmsg: error.message, ...error.details };
}

/** Runs the writes of one command one after another; an ordered one stops at the first refusal. */
function eachWrite(body: Document, name: string, run: (write: Document, index: number) => void): Document[] {
  const writes = arrayField(body, name);
  if (writes.length === 0 || writes.length > MOST_WRITES) {
    throw new DatabaseError(
      16,
      `Write batch sizes must be between 1 and ${MOST_WRITES}. Got ${writes.length} operations.`,
    );
  }
  const ordered = flagField(body, "ordered", true);
  const errors: Document[] = [];
  for (const [index, write] of writes.entries()) {
    if (!isDocument(write)) {
      throw new DatabaseError(14, `BSON field '${name}' must hold objects, not ${kindOf(write)}`);
    }
    try {
      run(write, index);
    } catch (error) {
      errors.push(writeError(index, error));
      if (ordered) {
        break;
      }
    }
  }
  return errors;
}

const withErrors = (reply: Document, writeErrors: Document[]) =>
  writeErrors.length === 0 ? reply : { ...reply, writeErrors };

/** With `_id` in front, made when there is none. @throws DatabaseError 53 for an `_id` of a kind that cannot be one. */
function completed(document: Document): Document {
  checkDepth(document);
  const id = getField(document, "_id");
  if (Array.isArray(id) || kindOf(id) === "regex") {
    throw new DatabaseError(53, `The '_id' value cannot be of type ${kindOf(id)}`);
  }
  if (isDocument(id) && Object.keys(id).some((name) => name.startsWith("$"))) {
    throw new DatabaseError(52, "_id fields may not contain '$'-prefixed fields");
  }
  return Object.keys(document)[0] === "_id"
    ? document
    : { _id: id ?? new ObjectId(), ...document, ...(id !== undefined && { _id: id }) };
}

async function insert(call: Call): Promise<Document> {
  const { body, catalog, database } = call;
  const name = collectionName(body);
  return await catalog.write(() => {
    let n = 0;
    const errors = eachWrite(body, "documents", (document) => {
      const complete = completed(document);
      catalog.findOrCreate(database, name).insert(complete);
      n += 1;
    });
    return withErrors({ n: new Int32(n) }, errors);
  });
}

/** What one update does to a collection. */
interface Change {
  filter: unknown;
  update: Update;
  scope: Scope;
  upsert: boolean;
  multi: boolean;
  hint: unknown;
}

function matching(
  collection: Collection | undefined,
  change: Omit<Change, "update" | "upsert">,
  effort: Effort,
  sort?: Document,
): Found[] {
  const filter = compileFilter(change.filter, change.scope);
  if (collection === undefined) {
    return [];
  }
  const query = { filter, sort: sortField(sort ?? {}), limit: change.multi ? 0 : 1, hint: change.hint };
  return [...prepare(collection, query).run(effort)];
}

function applied(found: Found, update: Update): Document {
  const result = update.apply(found.document, found.details.position);
  checkDepth(result);
  return result;
}

async function update(call: Call): Promise<Document> {
  const { body, catalog, database, effort } = call;
  const name = collectionName(body);
  return await catalog.write(() => {
    let [n, nModified] = [0, 0];
    const upserted: Document[] = [];
    const errors = eachWrite(body, "updates", (write, index) => {
      const change = changeOf(write, body);
      const found = matching(catalog.find(database, name), change, effort);
      const collection =
        change.upsert && found.length === 0 ? catalog.findOrCreate(database, name) : catalog.find(database, name);
      for (const one of found) {
        nModified += collection?.replace(one, applied(one, change.update)) ? 1 : 0;
        n += 1;
      }
      if (found.length === 0 && change.upsert) {
        const document = completed(upsertedDocument(compileFilter(change.filter, change.scope), change.update));
        collection?.insert(document);
        upserted.push({ index: new Int32(index), _id: document._id });
        n += 1;
      }
    });
    return withErrors(
      { n: integer(n), nModified: integer(nModified), ...(upserted.length > 0 && { upserted }) },
      errors,
    );
  });
}

const UPDATE_FIELDS = ["q", "u", "c", "multi", "upsert", "arrayFilters", "hint", "collation"];

function changeOf(write: Document, body: Document): Change {
  const stray = Object.keys(write).find((name) => !UPDATE_FIELDS.includes(name));
  if (stray !== undefined) {
    throw new DatabaseError(40415, `BSON field 'update.updates.${stray}' is an unknown field.`);
  }
  refuseCollation(write.collation);
  const scope = scopeOf({ let: write.c ?? body.let });
  const compiled = compileUpdate(write.u, write.arrayFilters, scope);
  const multi = flagField(write, "multi");
  if (multi && compiled.replaces) {
    throw new DatabaseError(9, "multi update is not supported for replacement-style update");
  }
  return {
    filter: write.q ?? {},
    update: compiled,
    scope,
    upsert: flagField(write, "upsert"),
    multi,
    hint: hintOf(write),
  };
}

async function remove(call: Call): Promise<Document> {
  const { body, catalog, database, effort } = call;
  const name = collectionName(body);
  return await catalog.write(() => {
    let n = 0;
    const errors = eachWrite(body, "deletes", (write) => {
      refuseCollation(write.collation);
      const { q, limit } = write;
      if (!isNumber(limit) || ![0, 1].includes(toNumber(limit))) {
        throw new DatabaseError(9, "The limit field in delete objects must be 0 or 1.");
      }
      const collection = catalog.find(database, name);
      const query = { filter: q ?? {}, scope: scopeOf(body), multi: toNumber(limit) === 0, hint: hintOf(write) };
      for (const found of matching(collection, query, effort)) {
        collection?.remove(found);
        n += 1;
      }
    });
    return withErrors({ n: integer(n) }, errors);
  });
}

async function findAndModify(call: Call): Promise<Document> {
  const { body, catalog, database, effort } = call;
  const name = collectionName(body);
  const removing = flagField(body, "remove");
  if (removing === (body.update !== undefined)) {
    throw new DatabaseError(
      9,
      removing ? "Cannot specify both an update and remove=true" : "Either an update or remove=true must be specified",
    );
  }
  if (removing && (flagField(body, "upsert") || flagField(body, "new"))) {
    throw new DatabaseError(
      9,
      "Cannot specify 'upsert' or 'new' with remove=true; 'remove' always returns the deleted document",
    );
  }
  const scope = scopeOf(body);
  const fields = documentField(body, "fields");
  const project = fields && Object.keys(fields).length > 0 ? compileProjection(fields, scope, true) : undefined;
  const query = { filter: body.query ?? {}, scope, multi: false, hint: hintOf(body) };
  const change = removing ? undefined : compileUpdate(body.update, body.arrayFilters, scope);
  return await catalog.write(() => {
    const [found] = matching(catalog.find(database, name), query, effort, { sort: body.sort });
    const show = (document: Document) => (project === undefined ? document : project(document, found?.details));
    if (found === undefined) {
      return change !== undefined && flagField(body, "upsert")
        ? upsertOne(call, name, upsertedDocument(compileFilter(query.filter, scope), change), show)
        : { lastErrorObject: { n: new Int32(0), ...(!removing && { updatedExisting: false }) }, value: null };
    }
    const collection = catalog.find(database, name);
    if (change === undefined) {
      collection?.remove(found);
      return { lastErrorObject: { n: new Int32(1) }, value: show(found.document) };
    }
    const after = applied(found, change);
    collection?.replace(found, after);
    return {
      lastErrorObject: { n: new Int32(1), updatedExisting: true },
      value: show(flagField(body, "new") ? after : found.document),
    };
  });
}

function upsertOne(call: Call, name: string, made: Document, show: (document: Document) => Document): Document {
  const document = completed(made);
  call.catalog.findOrCreate(call.database, name).insert(document);
  const lastErrorObject = { n: new Int32(1), updatedExisting: false, upserted: document._id };
  return { lastErrorObject, value: flagField(call.body, "new") ? show(document) : null };
}

const FIND_AND_MODIFY: Command = {
  run: findAndModify,
  fields: [
    "query",
    "sort",
    "remove",
    "update",
    "new",
    "fields",
    "upsert",
    "bypassDocumentValidation",
    "collation",
    "arrayFilters",
    "hint",
    "let",
  ],
};

/** Everything that changes documents: one command is one storage write, so others see all of it or nothing. */
export const WRITE_COMMANDS: readonly [string, Command][] = [
  ["insert", { run: insert, fields: ["documents", "ordered", "bypassDocumentValidation"] }],
  ["update", { run: update, fields: ["updates", "ordered", "bypassDocumentValidation", "let"] }],
  ["delete", { run: remove, fields: ["deletes", "ordered", "let"] }],
  ["findAndModify", FIND_AND_MODIFY],
  ["findandmodify", FIND_AND_MODIFY],
];
