import { ObjectId } from "bson";
import { type Call, type Command, fieldReader, required, writing } from "./command.js";
import { check, DatabaseError } from "./errors.js";
import { rootScope } from "./expressions.js";
import { toNumber } from "./numbers.js";
import type { Query } from "./query.js";
import { projectionOf } from "./read-commands.js";
import { compileUpdate, type Update, upsertedDocument } from "./update.js";
import { checkDepth, type Document, getField, isDocument, isNumber, kindOf } from "./values.js";
import { MOST_WRITES } from "./wire.js";

const BATCH = { flag: "ordered", any: "bypassDocumentValidation", refused: "let" } as const;
const readUpdate = fieldReader({
  ...{ object: "q", any: "u hint", flag: "multi upsert", array: "arrayFilters", refused: "collation c" },
});
const readDelete = fieldReader({ object: "q", any: "limit hint", refused: "collation" });

/** Runs the writes of one command one after another; an ordered one stops at the first refusal. */
function eachWrite({ body, command }: Call, name: string, run: (write: Document, index: number) => void): Document {
  const writes = required(body[name], name) as unknown[];
  const fits = writes.length > 0 && writes.length <= MOST_WRITES;
  check(fits, 16, `Write batch sizes must be between 1 and ${MOST_WRITES}. Got ${writes.length} operations.`);
  const writeErrors: Document[] = [];
  for (const [index, write] of writes.entries()) {
    try {
      check(isDocument(write), 14, `BSON field '${command}.${name}' holds a ${kindOf(write)}, expected type 'object'`);
      run(write, index);
    } catch (error) {
      if (!(error instanceof DatabaseError)) throw error;
      writeErrors.push({ index, ...error.shown });
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
interface Change extends Query {
  update?: Update;
  upsert?: boolean | undefined;
}

/** Carries out one change inside a storage write; `after` is the last document found, as it is now, or upserted. */
function carryOut(call: Call, { update, upsert, ...query }: Change) {
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
  if (!upsert || update === undefined || found.length > 0) return { found, modified, after };
  const upserted = completed(upsertedDocument(filter, update));
  call.ensureCollection().insert(upserted);
  return { found, modified, after: upserted, upserted };
}

const findAndModify = writing(
  {
    ...{ object: "query sort fields", flag: "remove new upsert", array: "arrayFilters", refused: "collation let" },
    any: "update hint bypassDocumentValidation",
  },
  (call, { query: filter, remove, update: u, arrayFilters, new: later, fields, ...given }) => {
    check((u !== undefined) !== (remove === true), 9, "Either an update or remove=true must be specified");
    check(!(remove && (given.upsert || later)), 9, "Cannot specify 'upsert' or 'new' with remove=true");
    const project = projectionOf(fields);
    const update = remove ? {} : { update: compileUpdate(u, arrayFilters, rootScope()) };
    const { sort, hint, upsert } = given;
    const { found, after, upserted } = carryOut(call, { filter, sort, hint, upsert, limit: 1, ...update });
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
  insert: writing({ ...BATCH, array: "documents" }, (call) => {
    let n = 0;
    const errors = eachWrite(call, "documents", (document) => {
      call.ensureCollection().insert(completed(document));
      n += 1;
    });
    return { n, ...errors };
  }),
  update: writing({ ...BATCH, array: "updates" }, (call) => {
    let [n, nModified] = [0, 0];
    const upserts: Document[] = [];
    const errors = eachWrite(call, "updates", (write, index) => {
      const { q: filter, u, arrayFilters, hint, multi, upsert } = readUpdate(write, "update.updates");
      const update = compileUpdate(u, arrayFilters, rootScope());
      check(!(multi && update.replaces), 9, "multi update is not supported for replacement-style update");
      const limit = multi ? 0 : 1;
      const { found, modified, upserted } = carryOut(call, { filter, update, hint, upsert, limit });
      n += found.length + (upserted ? 1 : 0);
      nModified += modified;
      if (upserted) upserts.push({ index, _id: upserted._id });
    });
    return { n, nModified, ...(upserts.length > 0 && { upserted: upserts }), ...errors };
  }),
  delete: writing({ ...BATCH, array: "deletes" }, (call) => {
    let n = 0;
    const errors = eachWrite(call, "deletes", (write) => {
      const { q: filter, limit: given, hint } = readDelete(write, "delete.deletes");
      const limit = isNumber(given) ? toNumber(given) : undefined;
      check(limit === 0 || limit === 1, 9, "The limit field in delete objects must be 0 or 1.");
      n += carryOut(call, { filter, hint, limit }).found.length;
    });
    return { n, ...errors };
  }),
  findAndModify,
  findandmodify: findAndModify,
};
