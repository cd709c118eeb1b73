import { Int32 } from "bson";
import { openAggregate } from "./aggregate.js";
import { collectionName, documentField, hintOf, scopeOf, sortField } from "./command-fields.js";
import type { Call } from "./commands.js";
import { DatabaseError } from "./errors.js";
import { compileFilter } from "./matcher.js";
import type { Plan } from "./planner.js";
import { Effort, type Prepared, prepare } from "./query.js";
import { openFind } from "./read-commands.js";
import { type Document, isDocument } from "./values.js";

const VERBOSITIES = ["queryPlanner", "executionStats", "allPlansExecution"];

/** `explain` of a query or a write (which is planned and counted, never carried out). */
export function explain(call: Call): Document {
  const inner = documentField(call.body, "explain");
  const verbosity = call.body.verbosity ?? "allPlansExecution";
  if (inner === undefined || typeof verbosity !== "string" || !VERBOSITIES.includes(verbosity)) {
    throw new DatabaseError(
      9,
      "explain needs a command and the verbosity queryPlanner, executionStats or allPlansExecution",
    );
  }
  const innerCall = { ...call, body: inner };
  const { prepared, wrap, remaining } = planOf(innerCall);
  const namespace = `${call.database}.${collectionName(inner)}`;
  const effort = new Effort();
  const started = performance.now();
  let returned = 0;
  if (verbosity !== "queryPlanner") {
    for (const _ of prepared?.run(effort) ?? []) {
      returned += 1;
    }
  }
  const tree = wrap(describe(prepared));
  const report: Document = {
    queryPlanner: { namespace, indexFilterSet: false, winningPlan: tree, rejectedPlans: [] },
    ...(verbosity !== "queryPlanner" && {
      executionStats: {
        executionSuccess: true,
        nReturned: new Int32(returned),
        executionTimeMillis: new Int32(Math.round(performance.now() - started)),
        totalKeysExamined: new Int32(effort.keysExamined),
        totalDocsExamined: new Int32(effort.docsExamined),
        executionStages: {
          ...tree,
          nReturned: new Int32(returned),
          keysExamined: new Int32(effort.keysExamined),
          docsExamined: new Int32(effort.docsExamined),
        },
      },
    }),
  };
  const body = remaining.length === 0 ? report : { stages: [{ $cursor: report }, ...remaining] };
  return { explainVersion: "1", ...body, command: inner, serverInfo: { version: "7.0.14" } };
}

interface Explained {
  prepared: Prepared | undefined;
  wrap: (tree: Document) => Document;
  remaining: Document[];
}

const bare = (tree: Document) => tree;

function planOf(call: Call): Explained {
  const { body, catalog, database } = call;
  const [command = ""] = Object.keys(body);
  const collection = catalog.find(database, collectionName(body));
  const filtered = (filter: unknown, sorted: Document = {}, stage?: string): Explained => ({
    prepared:
      collection &&
      prepare(collection, {
        filter: compileFilter(filter ?? {}, scopeOf(body)),
        sort: sortField(sorted),
        hint: hintOf(body),
      }),
    wrap: stage === undefined ? bare : (inputStage) => ({ stage, inputStage }),
    remaining: [],
  });
  const first = (list: unknown): Document => (Array.isArray(list) && isDocument(list[0]) ? list[0] : {});
  switch (command) {
    case "find":
      return { prepared: openFind(collection, "", body).prepared, wrap: bare, remaining: [] };
    case "aggregate": {
      const { prepared, remaining } = openAggregate(call);
      return { prepared, wrap: bare, remaining };
    }
    case "count":
      return filtered(body.query, {}, "COUNT");
    case "distinct":
      return filtered(body.query);
    case "update":
      return filtered(first(body.updates).q, {}, "UPDATE");
    case "delete":
      return filtered(first(body.deletes).q, {}, "DELETE");
    case "findAndModify":
    case "findandmodify":
      return filtered(body.query, body, body.remove === true ? "DELETE" : "UPDATE");
    default:
      throw new DatabaseError(59, `Explain failed due to unknown command: ${command}`);
  }
}

function describe(prepared: Prepared | undefined): Document {
  if (prepared === undefined) {
    return { stage: "EOF" };
  }
  const tree = describePlan(prepared.plan);
  return prepared.blocking ? { stage: "SORT", type: "simple", inputStage: tree } : tree;
}

function describePlan(plan: Plan): Document {
  switch (plan.stage) {
    case "COLLSCAN":
      return { stage: "COLLSCAN", direction: plan.reverse ? "backward" : "forward" };
    case "OR":
      return { stage: "FETCH", inputStage: { stage: "OR", inputStages: plan.branches.map(describeScan) } };
    case "IDHACK":
      return { stage: "IDHACK", keyPattern: plan.index.spec.key, indexName: plan.index.name };
    default:
      return { stage: "FETCH", inputStage: describeScan(plan) };
  }
}

function describeScan(plan: Plan): Document {
  if (plan.stage === "COLLSCAN" || plan.stage === "OR") {
    return describePlan(plan);
  }
  const { index, ranges, reverse } = plan;
  return {
    stage: "IXSCAN",
    keyPattern: index.spec.key,
    indexName: index.name,
    isMultiKey: index.multikey.includes(true),
    isUnique: index.unique,
    isSparse: index.sparse,
    isPartial: index.partial !== undefined,
    direction: reverse ? "backward" : "forward",
    ranges: new Int32(ranges.length),
  };
}
