import { ObjectId } from "bson";
import * as field from "./command-fields.js";
import { type Call, type Command, collectionName, command, hintOf, readFields, scopeOf } from "./command-fields.js";
import { check, DatabaseError } from "./errors.js";
import type { Scope } from "./expressions.js";
import { compileFilter } from "./matcher.js";
import { toNumber } from "./numbers.js";
import { type Found, orderOf, prepare } from "./query.js";
import { projectionOf } from "./read-commands.js";
import { compileUpdate, type Update, upsertedDocument } from "./update.js";
import { checkDepth, type Document, fieldsOf, getField, isDocument, isNumber, kindOf } from "./values.js";
import { MOST_WRITES } from "./wire.js";

const { anything, array, collation, flag, object } = field;
const BATCH = { ordered: flag, bypassDocumentValidation: anything, let: object };
const UPDATE = {
  q: object,
  u: anything,
  c: object,
  multi: flag,
  upsert: flag,
  arrayFilters: array,
  hint: anything,
  collation,
};
const FIND_AND_MODIFY = {
  ...{ query: object, sort: object, remove: flag, update: anything, new: flag, fields: object, upsert: flag },
  ...{ arrayFilters: array, hint: anything, let: object, bypassDocumentValidation: anything, collation },
};
const DELETE = { q: object, limit: anything, hint: anything, collation };

/** Runs the writes of one command one after another; an ordered one stops at the first refusal. */
function eachWrite(body: Document, name: string, run: (write: Document, index: number) => void): Document {
  const writes = field.arrayField(body, name);
  const fits = writes.length > 0 && writes.length <= MOST_WRITES;
  check(fits, 16, `Write batch sizes must be between 1 and ${MOST_WRITES}. Got ${writes.length} operations.`);
  const writeErrors: Document[] = [];
  for (const [index, write] of writes.entries()) {
    try {
      run(object(write, name), index);
    } catch (error) {
      if (!(error instanceof DatabaseError)) throw error;
      writeErrors.push({ index, code: error.code, errmsg: error.message, ...error.details });
      if (body.ordered !== false) break;
    }
  }
  return writeErrors.length > 0 ? { writeErrors } : {};
}

/** With `_id` in front, made when there is none. @throws DatabaseError 53 for an `_id` of a kind that cannot be one. */
function completed(document: Document): Document {
  checkDepth(document);
  const id = getField(document, "_id");
  check(!Array.isArray(id) && kindOf(id) !== "regex", 53, `The '_id' value cannot be of type ${kindOf(id)}`);
  const operator = isDocument(id) && Object.keys(id).some((name) => name.startsWith("$"));
  check(!operator, 52, "_id fields may not contain '$'-prefixed fields");
  if (Object.keys(document)[0] === "_id") return document;
  const { _id = new ObjectId(), ...others } = document;
  return { _id, ...others };
}

/** What a write looks for, and what it does with it; without `update` it removes. */
interface Change {
  filter: Document | undefined;
  scope: Scope;
  hint: unknown;
  update?: Update;
  sort?: Document | undefined;
  multi?: boolean | undefined;
  upsert?: boolean | undefined;
}

interface Outcome {
  found: Found[];
  modified: number;
  /** The one document found as it is now, or the one inserted. */
  after?: Document | undefined;
  upserted?: Document;
}

/** Carries out one change inside a storage write. */
function carryOut(call: Call, { filter: given = {}, scope, hint, update, sort, multi, upsert }: Change): Outcome {
  const { catalog, database, body, effort } = call;
  check(!(multi && update?.replaces), 9, "multi update is not supported for replacement-style update");
  const filter = compileFilter(given, scope);
  const query = { filter, sort: orderOf(sort), hint, limit: multi ? 0 : 1 };
  const collection = catalog.find(database, collectionName(body));
  const outcome: Outcome = { found: collection ? [...prepare(collection, query).run(effort)] : [], modified: 0 };
  for (const one of outcome.found) {
    outcome.after = update?.apply(one.document, one.details.position);
    checkDepth(outcome.after);
    if (outcome.after === undefined) collection?.remove(one);
    else if (collection?.replace(one, outcome.after)) outcome.modified += 1;
  }
  if (upsert && update !== undefined && outcome.found.length === 0) {
    outcome.upserted = outcome.after = completed(upsertedDocument(filter, update));
    catalog.findOrCreate(database, collectionName(body)).insert(outcome.upserted);
  }
  return outcome;
}

/** Everything that changes documents: one command is one storage write, so others see all of it or nothing. */
const WRITES = {
  insert: command({ ...BATCH, documents: array }, (call) =>
    call.catalog.write(() => {
      let n = 0;
      const errors = eachWrite(call.body, "documents", (document) => {
        const complete = completed(document);
        call.catalog.findOrCreate(call.database, collectionName(call.body)).insert(complete);
        n += 1;
      });
      return { n, ...errors };
    }),
  ),

  update: command({ ...BATCH, updates: array }, (call) =>
    call.catalog.write(() => {
      let [n, nModified] = [0, 0];
      const upserts: Document[] = [];
      const errors = eachWrite(call.body, "updates", (write, index) => {
        const { q: filter, u, c, arrayFilters, ...options } = readFields(UPDATE, fieldsOf(write), "update.updates");
        const scope = scopeOf({ let: c ?? call.body.let });
        const update = compileUpdate(u, arrayFilters, scope);
        const change = { filter, scope, update, ...options, hint: hintOf(write) };
        const { found, modified, upserted } = carryOut(call, change);
        n += found.length + (upserted ? 1 : 0);
        nModified += modified;
        if (upserted) upserts.push({ index, _id: upserted._id });
      });
      return { n, nModified, ...(upserts.length > 0 && { upserted: upserts }), ...errors };
    }),
  ),

  delete: command({ ...BATCH, deletes: array }, (call) =>
    call.catalog.write(() => {
      let n = 0;
      const errors = eachWrite(call.body, "deletes", (write) => {
        const { q: filter, limit } = readFields(DELETE, fieldsOf(write), "delete.deletes");
        const most = isNumber(limit) ? toNumber(limit) : undefined;
        check(most === 0 || most === 1, 9, "The limit field in delete objects must be 0 or 1.");
        const change = { filter, scope: scopeOf(call.body), multi: most === 0, hint: hintOf(write) };
        n += carryOut(call, change).found.length;
      });
      return { n, ...errors };
    }),
  ),

  findAndModify: command(FIND_AND_MODIFY, (call, given) => {
    const { query: filter, sort, remove, update: u, arrayFilters, upsert, new: later, fields } = given;
    check((u !== undefined) !== (remove === true), 9, "Either an update or remove=true must be specified");
    check(!(remove && (upsert || later)), 9, "Cannot specify 'upsert' or 'new' with remove=true");
    const scope = scopeOf(call.body);
    const project = projectionOf(fields, scope);
    const update = remove ? {} : { update: compileUpdate(u, arrayFilters, scope) };
    return call.catalog.write(() => {
      const change = { ...update, filter, scope, sort, upsert, hint: hintOf(call.body) };
      const { found, after, upserted } = carryOut(call, change);
      const [one] = found;
      const shown = later ? after : one?.document;
      const n = one || upserted ? 1 : 0;
      const updatedExisting = !remove && { updatedExisting: one !== undefined };
      return {
        lastErrorObject: { n, ...updatedExisting, ...(upserted && { upserted: upserted._id }) },
        value: (shown && project ? project(shown) : shown) ?? null,
      };
    });
  }),
} satisfies Record<string, Command>;

export const WRITE_COMMANDS = { ...WRITES, findandmodify: WRITES.findAndModify };
