import { openAggregate } from "./aggregate.js";
import { type Call, collectionName, command, count, object, readFields, text } from "./command-fields.js";
import { check } from "./errors.js";
import type { Plan } from "./planner.js";
import { Effort, type Prepared } from "./query.js";
import { openQuery } from "./read-commands.js";
import { type Document, isDocument } from "./values.js";

const EXPLAINED = ["find", "aggregate", "count", "distinct", "update", "delete", "findAndModify"];
const VERBOSITIES = ["queryPlanner", "executionStats", "allPlansExecution"];

/** `explain` of a query or a write (which is planned and counted, never carried out). */
export const explain = command({ verbosity: text }, (call, { verbosity = "allPlansExecution" }) => {
  const body = object(call.body.explain, "explain");
  check(VERBOSITIES.includes(verbosity), 9, `verbosity must be one of ${VERBOSITIES.join(", ")}`);
  const { prepared, remaining = [] } = planned({ ...call, body });
  const winningPlan = prepared === undefined ? { stage: "EOF" } : described(prepared);
  const report: Document = { queryPlanner: { namespace: `${call.database}.${collectionName(body)}`, winningPlan } };
  if (verbosity !== "queryPlanner") {
    const effort = new Effort();
    const nReturned = [...(prepared?.run(effort) ?? [])].length;
    const { keysExamined: totalKeysExamined, docsExamined: totalDocsExamined } = effort;
    const totals = { totalKeysExamined, totalDocsExamined };
    report.executionStats = { executionSuccess: true, nReturned, ...totals, executionStages: winningPlan };
  }
  const shown = remaining.length === 0 ? report : { stages: [{ $cursor: report }, ...remaining] };
  return { explainVersion: "1", ...shown, command: body };
});

function planned(call: Call): { prepared: Prepared | undefined; remaining?: Document[] } {
  const { body } = call;
  const [name = ""] = Object.keys(body);
  check(EXPLAINED.includes(name), 59, `Explain failed due to unknown command: ${name}`);
  if (name === "aggregate") return openAggregate(call);
  const [write = {}] = [body.updates, body.deletes].flat().filter(isDocument);
  const { filter = write.q ?? body.query, sort, skip, limit, hint = write.hint } = body;
  const readers = { filter: object, sort: object, skip: count, limit: count };
  const query = readFields(readers, Object.entries({ filter, sort, skip, limit }), name);
  return { prepared: openQuery({ ...call, body: { ...body, hint } }, query) };
}

function described({ plan, blocking }: Prepared): Document {
  const fetched = plan.stage === "IXSCAN" || plan.stage === "OR";
  const inputStage = fetched ? { stage: "FETCH", inputStage: scan(plan) } : scan(plan);
  return blocking ? { stage: "SORT", inputStage } : inputStage;
}

function scan({ stage, index, branches, reverse }: Plan): Document {
  if (stage === "OR") return { stage, inputStages: branches.map(scan) };
  const direction = reverse ? "backward" : "forward";
  if (index === undefined) return { stage, direction };
  return {
    stage,
    keyPattern: index.spec.key,
    indexName: index.name,
    isMultiKey: index.multikey.includes(true),
    direction,
  };
}
