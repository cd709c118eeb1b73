import { ObjectId } from "bson";
import { type Call, type Command, command, scopeOf } from "./call.js";
import { check, DatabaseError } from "./errors.js";
import type { Scope } from "./expressions.js";
import { fieldReader, required } from "./fields.js";
import { toNumber } from "./numbers.js";
import type { Found } from "./query.js";
import { openQuery, projectionOf } from "./read-commands.js";
import { compileUpdate, type Update, upsertedDocument } from "./update.js";
import { checkDepth, type Document, getField, isDocument, isNumber, kindOf } from "./values.js";
import { MOST_WRITES } from "./wire.js";

const BATCH = { flag: "ordered", any: "bypassDocumentValidation", object: "let" } as const;
const readUpdate = fieldReader({
  ...{ object: "q c", any: "u hint", flag: "multi upsert", array: "arrayFilters", simple: "collation" },
});
const readDelete = fieldReader({ object: "q", any: "limit hint", simple: "collation" });

/**
 * Runs the writes of one command one after another as one storage write, so that others see all of it or nothing; an ordered
 * one stops at the first refusal. Each write counts itself in the reply.
 */
function inBatch<Reply extends object>(
  call: Call,
  name: "documents" | "updates" | "deletes",
  reply: Reply,
  run: (write: Document, reply: Reply, index: number) => void,
): Promise<Document> {
  const writes = required(call.body[name], name) as unknown[];
  const fits = writes.length > 0 && writes.length <= MOST_WRITES;
  check(fits, 16, `Write batch sizes must be between 1 and ${MOST_WRITES}. Got ${writes.length} operations.`);
  return call.engine.catalog.write(() => {
    const writeErrors: Document[] = [];
    for (const [index, write] of writes.entries()) {
      try {
        check(isDocument(write), 14, `BSON field '${name}' holds a ${kindOf(write)}, expected type 'object'`);
        run(write, reply, index);
      } catch (error) {
        if (!(error instanceof DatabaseError)) throw error;
        writeErrors.push({ index, code: error.code, errmsg: error.message, ...error.details });
        if (call.body.ordered !== false) break;
      }
    }
    return { ...reply, ...(writeErrors.length > 0 && { writeErrors }) };
  });
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
function carryOut(call: Call, { filter, scope, hint, update, sort, multi, upsert }: Change): Outcome {
  check(!(multi && update?.replaces), 9, "multi update is not supported for replacement-style update");
  const query = openQuery(call, { filter, sort, hint, limit: multi ? 0 : 1 }, scope);
  const { collection } = call;
  const outcome: Outcome = { found: [...query.run(call.effort)], modified: 0 };
  for (const one of outcome.found) {
    outcome.after = update?.apply(one.document, one.details.position);
    checkDepth(outcome.after);
    if (outcome.after === undefined) collection?.remove(one);
    else if (collection?.replace(one, outcome.after)) outcome.modified += 1;
  }
  if (upsert && update !== undefined && outcome.found.length === 0) {
    outcome.upserted = outcome.after = completed(upsertedDocument(query.filter, update));
    call.ensureCollection().insert(outcome.upserted);
  }
  return outcome;
}

/** Everything that changes documents. */
const WRITES = {
  insert: command({ ...BATCH, array: "documents" }, (call) =>
    inBatch(call, "documents", { n: 0 }, (document, reply) => {
      call.ensureCollection().insert(completed(document));
      reply.n += 1;
    }),
  ),

  update: command({ ...BATCH, array: "updates" }, (call) => {
    const reply: { n: number; nModified: number; upserted?: Document[] } = { n: 0, nModified: 0 };
    return inBatch(call, "updates", reply, (write, _, index) => {
      const { q: filter, u, c, arrayFilters, hint, multi, upsert } = readUpdate(write, "update.updates");
      const scope = c === undefined ? call.scope : scopeOf(c);
      const update = compileUpdate(u, arrayFilters, scope);
      const { found, modified, upserted } = carryOut(call, { filter, scope, update, hint, multi, upsert });
      reply.n += found.length + (upserted ? 1 : 0);
      reply.nModified += modified;
      if (upserted) reply.upserted = [...(reply.upserted ?? []), { index, _id: upserted._id }];
    });
  }),

  delete: command({ ...BATCH, array: "deletes" }, (call) =>
    inBatch(call, "deletes", { n: 0 }, (write, reply) => {
      const { q: filter, limit, hint } = readDelete(write, "delete.deletes");
      const most = isNumber(limit) ? toNumber(limit) : undefined;
      check(most === 0 || most === 1, 9, "The limit field in delete objects must be 0 or 1.");
      reply.n += carryOut(call, { filter, scope: call.scope, hint, multi: most === 0 }).found.length;
    }),
  ),

  findAndModify: command(
    {
      ...{ object: "query sort fields let", flag: "remove new upsert", array: "arrayFilters", simple: "collation" },
      any: "update hint bypassDocumentValidation",
    },
    (call, { query: filter, sort, remove, update: u, arrayFilters, upsert, new: later, fields, hint }) => {
      check((u !== undefined) !== (remove === true), 9, "Either an update or remove=true must be specified");
      check(!(remove && (upsert || later)), 9, "Cannot specify 'upsert' or 'new' with remove=true");
      const { scope } = call;
      const project = projectionOf(fields, scope);
      const update = remove ? {} : { update: compileUpdate(u, arrayFilters, scope) };
      return call.engine.catalog.write(() => {
        const { found, after, upserted } = carryOut(call, { ...update, filter, scope, sort, upsert, hint });
        const [one] = found;
        const shown = later ? after : one?.document;
        const updatedExisting = !remove && { updatedExisting: one !== undefined };
        const n = one || upserted ? 1 : 0;
        return {
          lastErrorObject: { n, ...updatedExisting, ...(upserted && { upserted: upserted._id }) },
          value: (shown && project ? project(shown) : shown) ?? null,
        };
      });
    },
  ),
} satisfies Record<string, Command>;

export const WRITE_COMMANDS = { ...WRITES, findandmodify: WRITES.findAndModify };
