import { openAggregate } from "./aggregate.js";
import { Call, command } from "./call.js";
import { check } from "./errors.js";
import { fieldReader, required } from "./fields.js";
import type { Plan } from "./planner.js";
import type { Prepared } from "./query.js";
import { openQuery } from "./read-commands.js";
import { type Document, isDocument } from "./values.js";

const EXPLAINED = ["find", "aggregate", "count", "distinct", "update", "delete", "findAndModify"];
const VERBOSITIES = ["queryPlanner", "executionStats", "allPlansExecution"];
const readQuery = fieldReader({ object: "filter sort", count: "skip limit", any: "hint" });

/** `explain` of a query or a write (which is planned and counted, never carried out). */
export const explain = command({ text: "verbosity" }, (call, { verbosity = "allPlansExecution" }) => {
  const { explain: body } = call.body;
  check(isDocument(body), 14, "BSON field 'explain' is the wrong type, expected type 'object'");
  check(VERBOSITIES.includes(verbosity), 9, `verbosity must be one of ${VERBOSITIES.join(", ")}`);
  const inner = new Call(call.engine, { ...body, $db: call.database }, call.connection);
  const { query, remaining = [] } = planned(inner);
  const winningPlan = described(query);
  const report: Document = { queryPlanner: { namespace: inner.namespace, winningPlan } };
  if (verbosity !== "queryPlanner") {
    const nReturned = [...query.run(inner.effort)].length;
    const { keysExamined: totalKeysExamined, docsExamined: totalDocsExamined } = inner.effort;
    const totals = { totalKeysExamined, totalDocsExamined };
    report.executionStats = { executionSuccess: true, nReturned, ...totals, executionStages: winningPlan };
  }
  const shown = remaining.length === 0 ? report : { stages: [{ $cursor: report }, ...remaining] };
  return { explainVersion: "1", ...shown, command: body };
});

function planned(call: Call): { query: Prepared; remaining?: Document[] } {
  const { command, body } = call;
  check(EXPLAINED.includes(command), 59, `Explain failed due to unknown command: ${command}`);
  const { pipeline, updates, deletes } = body;
  if (command === "aggregate") return openAggregate(call, required(pipeline, "pipeline") as unknown[], body.hint);
  const [write = {}] = [updates, deletes].flat().filter(isDocument);
  const { filter = write.q ?? body.query, sort, skip, limit, hint = write.hint } = body;
  return { query: openQuery(call, readQuery({ filter, sort, skip, limit, hint }, command)) };
}

function described({ plan, blocking }: Prepared): Document {
  const fetched = plan.stage === "IXSCAN" || plan.stage === "OR";
  const inputStage = fetched ? { stage: "FETCH", inputStage: scan(plan) } : scan(plan);
  return blocking ? { stage: "SORT", inputStage } : inputStage;
}

function scan({ stage, index, branches, reverse }: Plan): Document {
  if (stage === "OR") return { stage, inputStages: branches.map(scan) };
  const used = index && {
    keyPattern: index.spec.key,
    indexName: index.name,
    isMultiKey: index.multikey.includes(true),
  };
  return { stage, ...used, direction: reverse ? "backward" : "forward" };
}
