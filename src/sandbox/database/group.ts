import { Int32 } from "bson";
import { ACCUMULATORS, type Accumulator, pickN, pickSorted } from "./accumulators.js";
import { DatabaseError } from "./errors.js";
import { compileExpression, type Frame, type Scope } from "./expressions.js";
import { encodeKey } from "./keys.js";
import type { PipelineContext, Stage } from "./pipeline.js";
import { type Document, fieldsOf, isDocument, setField } from "./values.js";

/** Makes a fresh accumulator for a group; it is given the whole frame of each document. */
type MakeGroupField = () => { add: (frame: Frame) => void; result: () => unknown };

/** `$group`; groups come out in the order they were first met. @throws DatabaseError 15947 to 15955 and 40234 to 40238. */
export function compileGroup(spec: unknown, { scope }: Pick<PipelineContext, "scope">): Stage {
  if (!isDocument(spec)) {
    throw new DatabaseError(15947, "a group's fields must be specified in an object");
  }
  if (!Object.hasOwn(spec, "_id")) {
    throw new DatabaseError(15955, "a group specification must include an _id");
  }
  const id = compileExpression(spec._id, scope);
  const fields = fieldsOf(spec)
    .filter(([name]) => name !== "_id")
    .map(([name, value]): [string, MakeGroupField] => [name, compileField(name, value, scope)]);

  return function* group(input) {
    const groups = new Map<string, { id: unknown; fields: [string, ReturnType<MakeGroupField>][] }>();
    for (const root of input) {
      const frame = { root, variables: scope.values };
      const value = id(frame) ?? null;
      const key = typeof value === "string" ? value : `\0${encodeKey(value).toString("latin1")}`;
      let entry = groups.get(key);
      if (entry === undefined) {
        entry = { id: value, fields: fields.map(([name, make]) => [name, make()]) };
        groups.set(key, entry);
      }
      for (const [, field] of entry.fields) {
        field.add(frame);
      }
    }
    for (const entry of groups.values()) {
      const result: Document = { _id: entry.id };
      for (const [name, field] of entry.fields) {
        setField(result, name, field.result());
      }
      yield result;
    }
  };
}

function compileField(name: string, value: unknown, scope: Scope): MakeGroupField {
  if (name.includes(".")) {
    throw new DatabaseError(40235, `The field name '${name}' cannot contain '.'`);
  }
  if (name.startsWith("$")) {
    throw new DatabaseError(40236, `The field name '${name}' cannot be an operator name`);
  }
  if (!isDocument(value) || !Object.keys(value)[0]?.startsWith("$")) {
    throw new DatabaseError(40234, `The field '${name}' must be an accumulator object`);
  }
  const [entry, ...others] = Object.entries(value);
  if (entry === undefined || others.length > 0) {
    throw new DatabaseError(40238, `The field '${name}' must specify one accumulator`);
  }
  const [operator, operand] = entry;
  const make = ACCUMULATORS.get(operator);
  if (make !== undefined) {
    if (Array.isArray(operand) && operand.length !== 1) {
      throw new DatabaseError(40237, `The ${operator} accumulator is a unary operator`);
    }
    const evaluate = compileExpression(Array.isArray(operand) ? operand[0] : operand, scope);
    return () => fed(make(), evaluate);
  }
  switch (operator) {
    case "$count":
      if (!isDocument(operand) || Object.keys(operand).length > 0) {
        throw new DatabaseError(9, "$count takes no arguments, i.e. $count:{}");
      }
      return () => fed(ACCUMULATORS.get("$sum")?.(), () => new Int32(1));
    case "$firstN":
    case "$lastN":
    case "$minN":
    case "$maxN":
      return picking(operator, operand, scope);
    case "$top":
    case "$bottom":
    case "$topN":
    case "$bottomN":
      return sorting(operator, operand, scope);
    default:
      throw new DatabaseError(15952, `unknown group operator '${operator}'`);
  }
}

function fed(accumulator: Accumulator | undefined, evaluate: (frame: Frame) => unknown) {
  return { add: (frame: Frame) => accumulator?.add(evaluate(frame)), result: () => accumulator?.result() };
}

function argumentsOf(name: string, operand: unknown, required: readonly string[]): Document {
  if (!isDocument(operand) || required.some((field) => !Object.hasOwn(operand, field))) {
    throw new DatabaseError(5788000, `${name} needs an object with ${required.join(", ")}`);
  }
  return operand;
}

function picking(name: string, operand: unknown, scope: Scope): MakeGroupField {
  const { n, input } = argumentsOf(name, operand, ["n", "input"]);
  const [count, evaluate] = [compileExpression(n, scope), compileExpression(input, scope)];
  return () => {
    const values: unknown[] = [];
    return {
      add: (frame) => values.push(evaluate(frame) ?? null),
      result: () => pickN(name, count({ root: {}, variables: scope.values }), values),
    };
  };
}

function sorting(name: string, operand: unknown, scope: Scope): MakeGroupField {
  const { n, sortBy, output } = argumentsOf(name, operand, ["sortBy", "output", ...(name.endsWith("N") ? ["n"] : [])]);
  const [count, evaluate] = [compileExpression(n ?? null, scope), compileExpression(output, scope)];
  return () => {
    const pairs: [Document, unknown][] = [];
    return {
      add: (frame) => pairs.push([frame.root as Document, evaluate(frame)]),
      result: () => pickSorted(name, count({ root: {}, variables: scope.values }), sortBy, pairs),
    };
  };
}
