import { ObjectId } from "bson";
import { type Call, type Command, fieldReader, required, writing } from "./command.js";
import { check, DatabaseError } from "./errors.js";
import { rootScope } from "./expressions.js";
import { toInteger } from "./numbers.js";
import type { Query } from "./query.js";
import { projectionOf } from "./read-commands.js";
import { compileUpdate, type Update, upsertedDocument } from "./update.js";
import { checkDepth, type Document, fieldsOf, getField, isDocument, kindOf } from "./values.js";
import { MOST_WRITES } from "./wire.js";

const BATCH = { bool: "ordered", any: "bypassDocumentValidation" } as const;
const readUpdate = fieldReader({ object: "q", any: "u", bool: "multi upsert", array: "arrayFilters" });
const readDelete = fieldReader({ object: "q", any: "limit" });

/** What a command is to write: all of it is read before anything is written. */
function writesOf<T>(given: unknown[] | undefined, name: string, read: (write: Document, name: string) => T): T[] {
  const writes = required(given, name);
  const fits = writes.length > 0 && writes.length <= MOST_WRITES;
  check(fits, 16, `Write batch sizes must be between 1 and ${MOST_WRITES}. Got ${writes.length} operations.`);
  return writes.map((write) => {
    check(isDocument(write), 14, `BSON field '${name}' holds a ${kindOf(write)}, expected type 'object'`);
    return read(write, name);
  });
}

/** Runs writes one after another; ordered ones stop at the first refusal. */
function eachWrite<T>(writes: T[], ordered: boolean | undefined, run: (write: T, index: number) => void): Document {
  const writeErrors: Document[] = [];
  for (const [index, write] of writes.entries()) {
    try {
      run(write, index);
    } catch (error) {
      if (!(error instanceof DatabaseError) || error.code === 50) throw error;
      writeErrors.push({ index, ...error.shown });
      if (ordered !== false) break;
    }
  }
  return writeErrors.length > 0 ? { writeErrors } : {};
}

/** With `_id` in front, made when there is none. @throws DatabaseError 53 for an `_id` of a kind that cannot be one. */
function completed(document: Document): Document {
  checkDepth(document);
  const id = getField(document, "_id");
  check(!Array.isArray(id) && kindOf(id) !== "regex", 53, `The '_id' value cannot be of type ${kindOf(id)}`);
  const operator = (value: unknown): boolean =>
    isDocument(value) && fieldsOf(value).some(([name, field]) => name.startsWith("$") || operator(field));
  check(!operator(id), 52, "_id fields may not contain '$'-prefixed fields");
  if (Object.keys(document)[0] === "_id") return document;
  const { _id = new ObjectId(), ...others } = document;
  return { _id, ...others };
}

/** What a write looks for, and what it does with it; without `update` it removes. */
interface Change extends Query {
  update?: Update;
}

/** Carries out one change inside a storage write; `after` is the last document found, as it is now, or upserted. */
function carryOut(call: Call, { update, ...query }: Change) {
  const { collection } = call;
  const { run, filter } = call.query(query);
  const found = [...run(call.effort)];
  let modified = 0;
  let after: Document | undefined;
  for (const one of found) {
    after = update?.apply(one.document, one.details.position);
    checkDepth(after);
    if (after === undefined) collection?.remove(one);
    else if (collection?.replace(one, after)) modified += 1;
  }
  if (!query.upsert || update === undefined || found.length > 0) return { found, modified, after };
  const upserted = completed(upsertedDocument(filter, update));
  call.ensureCollection().insert(upserted);
  return { found, modified, after: upserted, upserted };
}

const findAndModify = writing(
  {
    ...{ object: "query sort fields", bool: "remove new upsert", array: "arrayFilters" },
    any: "update bypassDocumentValidation",
  },
  (call, { query: filter, remove, update: u, arrayFilters, new: later, fields, ...given }) => {
    check((u !== undefined) !== (remove === true), 9, "Either an update or remove=true must be specified");
    check(!(remove && (given.upsert || later)), 9, "Cannot specify 'upsert' or 'new' with remove=true");
    const project = projectionOf(fields);
    const update = remove ? {} : { update: compileUpdate(u, arrayFilters, rootScope()) };
    const { sort, upsert } = given;
    const { found, after, upserted } = carryOut(call, { filter, sort, upsert, limit: 1, ...update });
    const [one] = found;
    const shown = later ? after : one?.document;
    const updatedExisting = !remove && { updatedExisting: one !== undefined };
    const n = one || upserted ? 1 : 0;
    return {
      lastErrorObject: { n, ...updatedExisting, ...(upserted && { upserted: upserted._id }) },
      value: (shown && project ? project(shown) : shown) ?? null,
    };
  },
);

/** Everything that changes documents. */
export const WRITE_COMMANDS: Readonly<Record<string, Command>> = {
  insert: writing({ ...BATCH, array: "documents" }, (call, { documents, ordered }) => {
    let n = 0;
    const writes = writesOf(documents, "documents", (document) => document);
    const errors = eachWrite(writes, ordered, (document) => {
      call.ensureCollection().insert(completed(document));
      n += 1;
    });
    return { n, ...errors };
  }),
  update: writing({ ...BATCH, array: "updates" }, (call, { updates, ordered }) => {
    let [n, nModified] = [0, 0];
    const upserts: Document[] = [];
    const writes = writesOf(updates, "updates", (write, name) => {
      const { q, u, ...others } = readUpdate(write, name);
      return { ...others, u: required(u, `${name}.u`), filter: required(q, `${name}.q`) };
    });
    const errors = eachWrite(writes, ordered, ({ u, arrayFilters, multi, ...query }, index) => {
      const update = compileUpdate(u, arrayFilters, rootScope());
      check(!(multi && update.replaces), 9, "multi update is not supported for replacement-style update");
      const { found, modified, upserted } = carryOut(call, { ...query, update, limit: multi ? 0 : 1 });
      n += found.length + (upserted ? 1 : 0);
      nModified += modified;
      if (upserted) upserts.push({ index, _id: upserted._id });
    });
    return { n, nModified, ...(upserts.length > 0 && { upserted: upserts }), ...errors };
  }),
  delete: writing({ ...BATCH, array: "deletes" }, (call, { deletes, ordered }) => {
    let n = 0;
    const writes = writesOf(deletes, "deletes", (write, name) => {
      const { q, limit: most } = readDelete(write, name);
      const limit = toInteger(required(most, `${name}.limit`));
      check(limit === 0 || limit === 1, 9, "The limit field in delete objects must be 0 or 1.");
      return { filter: required(q, `${name}.q`), limit };
    });
    const errors = eachWrite(writes, ordered, (write) => {
      n += carryOut(call, write).found.length;
    });
    return { n, ...errors };
  }),
  findAndModify,
  findandmodify: findAndModify,
};
