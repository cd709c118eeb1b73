import { ObjectId } from "bson";
import { check, DatabaseError } from "../errors.js";
import { rootScope } from "../language/expressions.js";
import { toInteger } from "../language/numbers.js";
import { prepare, type Query } from "../language/query.js";
import { compileUpdate, type Update, upsertedDocument } from "../language/update.js";
import {
  checkDepth,
  type Document,
  fieldsOf,
  fillTimestamps,
  getField,
  isDocument,
  kindOf,
} from "../language/values.js";
import { MAX_WRITES } from "../wire.js";
import { type Call, type Command, fieldReader, required, writing } from "./command.js";
import { projectionOf } from "./read-commands.js";

const readUpdate = fieldReader({ object: "q", any: "u", bool: "multi upsert", array: "arrayFilters" });
const readDelete = fieldReader({ object: "q", any: "limit" });

/** Puts `_id` in front and generates it when it is missing. @throws DatabaseError 53 for an `_id` of a wrong type. */
function completeDocument(document: Document): Document {
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

/** The filter and the update of a write. Without `update` the write removes documents. */
interface Change extends Query {
  update?: Update;
}

/**
 * Applies one change inside a storage write. `after` is the last document found, after the change, or the upserted one.
 */
function carryOut(call: Call, { update, ...query }: Change) {
  const { collection } = call;
  const { run, filter } = prepare(call.collection, query);
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
  const upserted = completeDocument(upsertedDocument(filter, update));
  call.catalog.findOrCreate(call.database, call.name).insert(upserted);
  return { found, modified, after: upserted, upserted };
}

const findAndModify = writing(
  { object: "query sort fields", bool: "remove new upsert", array: "arrayFilters", any: "update" },
  (call, { query: filter, sort, remove, update: u, arrayFilters, new: later, upsert, fields }) => {
    check((u !== undefined) !== (remove === true), 9, "Either an update or remove=true must be specified");
    check(!(remove && (upsert || later)), 9, "Cannot specify 'upsert' or 'new' with remove=true");
    const project = projectionOf(fields);
    const update = remove ? {} : { update: compileUpdate(u, arrayFilters, rootScope()) };
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

/** The result of one write of several. */
interface Done {
  found: readonly unknown[];
  modified?: number;
  upserted?: Document | undefined;
}

/**
 * Declares a command that validates all writes and then applies them in order. An ordered command stops at the first
 * error.
 */
function batch(name: "documents" | "updates" | "deletes", read: (write: Document, call: Call) => () => Done): Command {
  return writing({ array: name, bool: "ordered" }, (call, { ordered, ...given }) => {
    const writes = required(given[name], name);
    const fits = writes.length > 0 && writes.length <= MAX_WRITES;
    check(fits, 16, `Write batch sizes must be between 1 and ${MAX_WRITES}. Got ${writes.length} operations.`);
    check(writes.every(isDocument), 14, `BSON field '${name}' holds what is no object`);
    let [n, nModified] = [0, 0];
    const [upserts, writeErrors]: [Document[], Document[]] = [[], []];
    for (const [index, run] of writes.map((write) => read(write, call)).entries()) {
      try {
        const { found, modified = 0, upserted } = run();
        n += found.length + (upserted ? 1 : 0);
        nModified += modified;
        if (upserted) upserts.push({ index, _id: upserted._id });
      } catch (error) {
        if (!(error instanceof DatabaseError) || error.code === 50 || error.code === 112) throw error;
        writeErrors.push({ index, ...error.shown });
        if (ordered !== false || call.view) break;
      }
    }
    const more = { ...(upserts.length > 0 && { upserted: upserts }), ...(writeErrors.length > 0 && { writeErrors }) };
    return { n, ...(name === "updates" && { nModified }), ...more };
  });
}

/** Handles the commands that change documents. */
export const WRITE_COMMANDS: Readonly<Record<string, Command>> = {
  insert: batch("documents", (document, call) => () => {
    const whole = fillTimestamps(completeDocument(document));
    call.catalog.findOrCreate(call.database, call.name).insert(whole);
    return { found: [document] };
  }),
  update: batch("updates", (write, call) => {
    const { q, u, arrayFilters, multi, ...query } = readUpdate(write, "updates");
    const [filter, change] = [required(q, "updates.q"), required(u, "updates.u")];
    return () => {
      const update = compileUpdate(change, arrayFilters, rootScope());
      check(!(multi && update.replaces), 9, "multi update is not supported for replacement-style update");
      return carryOut(call, { ...query, filter, update, limit: multi ? 0 : 1 });
    };
  }),
  delete: batch("deletes", (write, call) => {
    const { q, limit: most } = readDelete(write, "deletes");
    const [filter, limit] = [required(q, "deletes.q"), toInteger(required(most, "deletes.limit"))];
    check(limit === 0 || limit === 1, 9, "The limit field in delete objects must be 0 or 1.");
    return () => carryOut(call, { filter, limit });
  }),
  findAndModify,
  findandmodify: findAndModify,
};
