import { EJSON } from "bson";
import fc from "fast-check";
import type { Document } from "mongodb";
import { canonical, type Engine, type Outcome } from "../engine.js";
import { documents, expression, filter, pipeline, projection, sort, update } from "./generators.js";
import { brokenCommand, identityUpdate, indexed, oddUpdate, upsertFilter } from "./odd-generators.js";

/** One command for an engine on a collection. */
export type Question =
  | { kind: "filter"; filter: Document }
  | { kind: "sort"; sort: Document }
  | { kind: "projection"; projection: Document }
  | { kind: "expression" | "pipeline"; pipeline: Document[] }
  | { kind: "update"; filter: Document; update: Document; multi: boolean; upsert: boolean }
  /** For these commands only the refusal counts, not its code. */
  | { kind: "written"; filter: Document; update: Document; upsert: boolean }
  | { kind: "command"; command: Document }
  | { kind: "index"; index: Document; writes: [number, Document][] };

export interface Case {
  documents: Document[];
  question: Question;
}

/** MongoDB sorts an empty array before null. The other engine treats it as a missing value. */
const withoutEmptyArrays = (all: Document[]) => all.filter((document) => !EJSON.stringify(document).includes("[]"));

const questions: fc.Arbitrary<Question>[] = [
  filter.map((value): Question => ({ kind: "filter", filter: value })),
  sort.map((value): Question => ({ kind: "sort", sort: { ...value, _id: 1 } })),
  projection.map((value): Question => ({ kind: "projection", projection: value })),
  expression.map((value): Question => ({ kind: "expression", pipeline: [{ $project: { x: value } }] })),
  pipeline.map((value): Question => ({ kind: "pipeline", pipeline: value })),
  fc.tuple(update, fc.constantFrom(true, true, false), fc.boolean()).map(([value, many, upsert]): Question => {
    const multi = many && Object.keys(value)[0]?.startsWith("$") === true;
    return {
      kind: "update",
      filter: multi ? { _id: { $lt: 8 } } : { _id: upsert ? 99 : 0 },
      update: value,
      multi,
      upsert,
    };
  }),
  fc
    .oneof(
      identityUpdate,
      fc.tuple(upsertFilter, fc.constantFrom<Document>({ $set: { n: 1 } }, { n: 1 }, { $inc: { a: 1 } })),
      fc.tuple(fc.constantFrom<Document>({ _id: 0 }, { a: { $exists: true } }, { a: 1 }), oddUpdate),
    )
    .chain(([which, how]) =>
      fc.boolean().map((upsert): Question => ({ kind: "written", filter: which, update: how, upsert })),
    ),
  brokenCommand.map((command): Question => ({ kind: "command", command })),
  indexed.map(([{ key, sparse, partial }, writes]): Question => {
    const rule = partial === null ? { sparse } : { partialFilterExpression: Object.fromEntries([partial]) };
    return { kind: "index", index: { key, name: "it", unique: true, ...rule }, writes };
  }),
];

export const anyCase: fc.Arbitrary<Case> = fc
  .tuple(documents, fc.oneof(...questions))
  .map(([all, question]) => ({ documents: question.kind === "sort" ? withoutEmptyArrays(all) : all, question }));

export async function ask(engine: Engine, { documents: all, question }: Case): Promise<Outcome> {
  await engine.fill(all);
  switch (question.kind) {
    case "filter":
      return await engine.find(question.filter);
    case "sort":
      return await engine.find({}, question.sort);
    case "projection":
      return await engine.find({}, { _id: 1 }, question.projection);
    case "update":
      return await engine.update(question.filter, question.update, question);
    case "written": {
      const { filter: q, update: u, upsert } = question;
      return await engine.attempt([{ update: "things", updates: [{ q, u, upsert }] }]);
    }
    case "command":
      return await engine.attempt([question.command]);
    case "index":
      return await engine.indexed(question.index, question.writes);
    default:
      return await engine.aggregate(question.pipeline);
  }
}

const has = (value: unknown, text: string | RegExp) => EJSON.stringify(value).search(text) >= 0;

/** Returns the parts of an outcome without their order. */
const letters = (outcome: Outcome) => [...JSON.stringify(outcome)].sort().join("");

/**
 * Explains a known difference of two engines. MongoDB's source or manual agrees with the embedded engine, unless the
 * text says otherwise. Undefined means that the difference is an error.
 */
export function knownDifference(
  { question, documents: all }: Case,
  embedded: Outcome,
  other: Outcome,
): string | undefined {
  const kept = all.map((document) => canonical(document, true));
  if (question.kind === "command" || question.kind === "written") {
    const [answer = "", ...after] = "result" in embedded ? embedded.result : [];
    if (answer.includes("refused") && JSON.stringify(after) === JSON.stringify(kept)) {
      return "what is malformed or an exotic is refused, and nothing of it done";
    }
    if (has(question, /:null|"sort":\{\}/)) {
      return "null is as good as an absent field of a command, and an empty order as none";
    }
    if (has(question, /"\$(set|setOnInsert|unset)":\{"_id/)) {
      return "that an _id would change is found where there is a document to change";
    }
    if (has(question, /"\$(in|all)":\[\{"\$regularExpression/)) {
      return "a pattern fixes no field for an upsert";
    }
    if (has(question, /"q":\{\}|"filter":\{"a":\{"\$exists":true\}\}/)) {
      return "which of many documents a change takes is not promised";
    }
    if (has(question, /"\$count":/)) {
      return "$count of nothing gives no document";
    }
  }
  const overNull = question.kind === "index" && has(question.index, /"partialFilterExpression":\{"[a-z]":null/);
  if (overNull && has(other, "refused")) {
    return "the other engine refuses a partial index that asks for null now and then";
  }
  if (question.kind === "index" && has(question.writes, "null")) {
    return "null is a value like others to a unique index";
  }
  if ("code" in embedded && "code" in other && question.kind === "update") {
    return "update refusals: the other engine names another code for paths that cannot be made and for non-arrays";
  }
  if (question.kind === "update") {
    if (has(question.update, /"\$each":\[\]|"\$slice":0/)) {
      return "$push and $addToSet of no elements make the array";
    }
    if (Object.keys(question.update).length === 0) {
      return "a replacement that changes nothing modifies nothing";
    }
    if ("code" in embedded && embedded.code === 14 && has(question.update, /"\$(inc|mul)"/)) {
      return "$inc and $mul refuse booleans";
    }
    if (has(question.update, /"\$inc":\{"[\w.]+":0\}/)) {
      return "$inc by zero is no change";
    }
    if (has(question.update, /"\$mul":.*-0\.5/)) {
      return "$mul of a missing field by a negative double makes a negative zero";
    }
    if (has(question.update, /"\$unset":\{"\w+\.0"/) && JSON.stringify(all).includes("[null")) {
      // MongoDB's source agrees with the other engine: an array position that becomes null counts again.
      return "$unset of an array position that is null already counts as no change";
    }
    if ("code" in other && has(question.update, /"\$unset"/)) {
      return "$unset ignores paths that cannot be made";
    }
  }
  if (question.kind === "filter" && "code" in embedded && has(question.filter, "regularExpression")) {
    return "a regular expression cannot be an operand of $gt and the like, wherever it stands";
  }
  if (question.kind === "update" && question.upsert && has(question.update, /"\$(pull|pullAll|pop)"/)) {
    return "$pull, $pullAll and $pop of a missing field make nothing, in an upsert either";
  }
  if (question.kind === "sort" && "code" in embedded && embedded.code === 2) {
    return "two arrays in one sort are refused";
  }
  const heads = question.kind === "sort" ? Object.keys(question.sort).map((name) => name.split(".")[0]) : [];
  if (new Set(heads).size < heads.length) {
    return "two sort fields within one array are taken from the same element";
  }
  if (question.kind === "expression" && has([question, all], "1e\\+300") && has(question.pipeline, /"\$round"/)) {
    return "rounding keeps the largest numbers";
  }
  if (question.kind === "pipeline") {
    if (has(question.pipeline, /"localField"|"\$group".*"\$facet"/) && letters(embedded) === letters(other)) {
      return "the order of joined documents and of groups is not promised";
    }
    if (has(question.pipeline, /"localField"/) && has(all, "regularExpression")) {
      return "$lookup joins a regular expression to the same one, not to the text it matches";
    }
    if (has(question.pipeline, /"\$(sum|avg)"/) && has(all, "900719925474099")) {
      return "a sum is rounded once, at its end";
    }
    if ("code" in embedded && [31249, 31250].includes(embedded.code) && "result" in other && !other.result.length) {
      return "a stage is refused even if no document comes to it";
    }
    if (has(question.pipeline, /"\$unset"|:(0|false)[,}]/) && has(question.pipeline, /"\$(addFields|project)"/)) {
      return "the other engine joins neighbouring projections into one";
    }
    if (has(question.pipeline, /"\$count":"n"/)) {
      return "$count of nothing gives no document";
    }
    if (has(question.pipeline, /"\$facet".*"\$facet"/)) {
      return "a document of which a facet keeps no field stays, empty";
    }
    if (has(question.pipeline, /"\$push"|"\$unwind".*"\$(first|last)"/)) {
      return "the other engine does not always keep the order within a group";
    }
  }
  return undefined;
}
